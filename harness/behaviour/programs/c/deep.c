#include <stdio.h>
static long depth(long n) {
    if (n == 0)
        return 0;
    long left = depth(n - 1), right = depth(0);
    return 1 + (left > right ? left : right);
}
int main(void) {
    long n;
    scanf("%ld", &n);
    printf("%ld\n", depth(n));
}
