main :: IO ()
main = do
  n <- fmap read getLine :: IO Int
  line <- getLine
  print (n + 1)
  print (length line)
