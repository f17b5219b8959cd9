/* Sleeps for 100 ms, then adds two numbers. */
#include <stdio.h>
#include <time.h>

int main(void) {
    long a, b;
    if (scanf("%ld %ld", &a, &b) != 2) return 1;
    struct timespec nap = {0, 100000000};
    nanosleep(&nap, NULL);
    printf("%ld\n", a + b);
    return 0;
}
