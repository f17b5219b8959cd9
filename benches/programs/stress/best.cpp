// The largest sum of neighbouring numbers, of at least one, in linear time.
#include <algorithm>
#include <iostream>

int main() {
    int count;
    long long value, sum = 0, best = -1000;
    std::cin >> count;
    while (std::cin >> value) {
        sum = std::max(sum, 0LL) + value;
        best = std::max(best, sum);
    }
    std::cout << best << '\n';
}
