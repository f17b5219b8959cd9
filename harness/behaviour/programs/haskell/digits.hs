main :: IO ()
main = do
  n <- readLn :: IO Integer
  print (n + 1)
