main :: IO ()
main = do
  putStrLn "before"
  _ <- error "sorry"
  putStrLn "after"
