/* A memory-bound process: accesses 256 MiB in random order, for ever. */
#include <stdint.h>
#include <stdlib.h>

#define CELLS ((size_t)32 << 20)

int main(void) {
    uint64_t *cells = malloc(CELLS * sizeof *cells);
    if (cells == NULL) return 1;
    for (size_t i = 0; i < CELLS; i++) cells[i] = i * 0x9e3779b97f4a7c15u;
    uint64_t at = 1;
    for (;;) {
        at = cells[at % CELLS] + at * 6364136223846793005u;
        cells[at % CELLS] += at;
    }
}
