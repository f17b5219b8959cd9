(loop repeat (read) do (format t "~d~%" (read)))
