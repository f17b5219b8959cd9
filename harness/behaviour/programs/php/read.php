<?php
$n = intval(fgets(STDIN));
$line = rtrim(fgets(STDIN));
echo $n + 1, "\n", strlen($line), "\n";
