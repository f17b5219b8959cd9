main :: IO ()
main = mapM_ print [1 .. 1000000 :: Int]
