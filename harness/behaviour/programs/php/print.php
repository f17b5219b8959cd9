<?php
for ($i = 1; $i <= 1000000; $i++) {
    echo $i, "\n";
}
