main :: IO ()
main = do
  (first : rest) <- fmap lines getContents
  mapM_ (print . (read :: String -> Int)) (take (read first) rest)
