#include <stdio.h>
int main(void) {
    int n = 1;
    scanf("%d", &n);
    printf("%d\n", 100 / n);
}
