// Has a sorted array, and a value that occurs in it. It prints their length and the value, answers "? i" with the i-th number,
// at most 20 times, and "! i" must be the first place of the value.
#include <fstream>
#include <iostream>
#include <vector>
int main(int, char** args) {
    std::ifstream input(args[1]);
    int n, x, i, queries = 0;
    input >> n >> x;
    std::vector<int> a(n + 1);
    for (i = 1; i <= n; i++) input >> a[i];
    std::cout << n << ' ' << x << std::endl;
    char kind;
    while (std::cin >> kind >> i) {
        if (i < 1 || i > n) return 43;
        if (kind == '!') return a[i] == x && a[i - 1] != x ? 42 : 43;
        if (kind != '?' || ++queries > 20) return 43;
        std::cout << a[i] << std::endl;
    }
    return 43;
}
