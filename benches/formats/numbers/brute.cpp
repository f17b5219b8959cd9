// The largest sum of consecutive numbers.
#include <algorithm>
#include <iostream>
int main() {
    int n;
    std::cin >> n;
    long long best = -1e18, sum = -1e18, x;
    while (std::cin >> x) {
        sum = std::max(sum, 0LL) + x;
        best = std::max(best, sum);
    }
    std::cout << best << '\n';
}
