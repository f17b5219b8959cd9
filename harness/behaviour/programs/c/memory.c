#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int main(void) {
    for (long count = 0;; count++) {
        char *block = malloc(1 << 20);
        if (!block) {
            fprintf(stderr, "no memory after %ld MiB\n", count);
            return 1;
        }
        memset(block, 'x', 1 << 20);
    }
}
