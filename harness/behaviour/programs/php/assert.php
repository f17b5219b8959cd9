<?php
$n = intval(fgets(STDIN));
assert($n > 0);
echo "after\n";
