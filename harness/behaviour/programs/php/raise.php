<?php
echo "before\n";
throw new Exception("sorry");
