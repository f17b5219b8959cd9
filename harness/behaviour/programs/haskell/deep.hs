depth :: Int -> Int
depth 0 = 0
depth n = 1 + max (depth (n - 1)) (depth 0)
main :: IO ()
main = readLn >>= print . depth
