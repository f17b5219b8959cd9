// The largest sum of neighbouring numbers, of at least one: tries all.
#include <algorithm>
#include <iostream>
#include <vector>

int main() {
    int count;
    std::cin >> count;
    std::vector<long long> values(count);
    for (auto &value : values) std::cin >> value;
    long long best = values[0];
    for (int from = 0; from < count; from++) {
        long long sum = 0;
        for (int to = from; to < count; to++) best = std::max(best, sum += values[to]);
    }
    std::cout << best << '\n';
}
