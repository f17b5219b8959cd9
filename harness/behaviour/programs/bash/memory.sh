block=x
while true; do
  block+=$block
done
