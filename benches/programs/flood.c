/* Reads a number and a word, and prints the word that number of times. */
#include <stdio.h>
#include <string.h>

int main(void) {
    static char word[4096], chunk[1 << 16];
    long times;
    if (scanf("%ld %4095[^|]|", &times, word) != 2) return 1;
    size_t length = strlen(word), room = sizeof chunk / length;
    for (size_t i = 0; i < room; i++) memcpy(chunk + i * length, word, length);
    while (times > 0) {
        size_t now = times < (long)room ? (size_t)times : room;
        fwrite(chunk, length, now, stdout);
        times -= (long)now;
    }
    putchar('\n');
    return 0;
}
