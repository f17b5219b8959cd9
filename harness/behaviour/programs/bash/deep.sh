depth() {
  if [ "$1" -eq 0 ]; then
    result=0
  else
    depth $(($1 - 1))
    result=$((result + 1))
  fi
}
read n
depth "$n"
echo "$result"
