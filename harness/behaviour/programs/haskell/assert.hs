import Control.Exception (assert)
main :: IO ()
main = do
  n <- readLn :: IO Int
  putStrLn (assert (n > 0) "after")
