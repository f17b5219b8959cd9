case $code in
0) exit 42 ;;
1 | 2 | 4 | 8) exit 43 ;;
*) exit 1 ;;
esac
