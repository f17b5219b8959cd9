#include <stdio.h>
#include <string.h>
static char line[2000000];
int main(void) {
    int n = 7;
    scanf("%d ", &n);
    if (fgets(line, sizeof line, stdin))
        line[strcspn(line, "\n")] = 0;
    printf("%d\n%zu\n", n + 1, strlen(line));
}
