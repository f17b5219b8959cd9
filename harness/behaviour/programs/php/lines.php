<?php
$n = intval(fgets(STDIN));
while ($n-- > 0) {
    echo intval(fgets(STDIN)), "\n";
}
