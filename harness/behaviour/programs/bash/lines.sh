read n
for ((i = 0; i < n; i++)); do
  read x
  echo "$x"
done
