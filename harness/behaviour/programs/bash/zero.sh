read n
echo $((100 / n))
echo after
