read n
read -r line
echo $((n + 1))
echo ${#line}
