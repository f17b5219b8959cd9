<?php
$n = intval(fgets(STDIN));
echo intdiv(100, $n), "\n";
