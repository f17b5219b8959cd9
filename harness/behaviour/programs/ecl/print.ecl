(loop for i from 1 to 1000000 do (format t "~d~%" i))
