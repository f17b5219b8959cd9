grow :: [Int] -> Int -> IO ()
grow list n
  | n < 0 = print (sum list)
  | otherwise = grow (n : list) (n + 1)
main :: IO ()
main = grow [] 0
