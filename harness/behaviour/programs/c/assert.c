#include <assert.h>
#include <stdio.h>
int main(void) {
    int n = 1;
    scanf("%d", &n);
    assert(n > 0);
    puts("after");
}
