/* Computes for about a millisecond, then adds two numbers. */
#include <stdio.h>

int main(void) {
    long a, b;
    if (scanf("%ld %ld", &a, &b) != 2) return 1;
    volatile unsigned seed = 1;
    unsigned x = seed;
    for (int i = 0; i < 940000; i++) x = x * 1664525u + 1013904223u;
    seed = x;
    printf("%ld\n", a + b);
    return 0;
}
