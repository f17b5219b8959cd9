main :: IO ()
main = do
  n <- readLn :: IO Int
  print (100 `div` n)
