#include <stdio.h>
int main(void) {
    int n, x;
    scanf("%d", &n);
    while (n--) {
        scanf("%d", &x);
        printf("%d\n", x);
    }
}
