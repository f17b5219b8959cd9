my @blocks;
loop { @blocks.push('x' x (1048576 + @blocks)) }
