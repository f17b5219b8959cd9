#include <stdio.h>
int main(void) {
    for (int i = 1; i <= 1000000; i++)
        printf("%d\n", i);
}
