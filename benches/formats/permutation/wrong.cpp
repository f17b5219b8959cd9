// Multiplies the lengths of the cycles instead of taking their least common multiple. It fails if two cycles have lengths with
// a common divisor, so it needs two cycles of two.
#include <iostream>
int main() {
    int n, p[61];
    std::cin >> n;
    for (int i = 1; i <= n; i++) std::cin >> p[i];
    bool seen[61] = {};
    long long order = 1;
    for (int i = 1; i <= n; i++) {
        if (seen[i]) continue;
        int length = 0;
        for (int at = i; !seen[at]; at = p[at]) seen[at] = true, length++;
        order *= length;
    }
    std::cout << order << '\n';
}
