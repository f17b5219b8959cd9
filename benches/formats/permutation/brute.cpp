// How often one has to apply the permutation until everything is in its place again.
#include <iostream>
#include <numeric>
int main() {
    int n, p[61];
    std::cin >> n;
    for (int i = 1; i <= n; i++) std::cin >> p[i];
    long long order = 1;
    for (int i = 1; i <= n; i++) {
        long long length = 1;
        for (int at = p[i]; at != i; at = p[at]) length++;
        order = std::lcm(order, length);
    }
    std::cout << order << '\n';
}
