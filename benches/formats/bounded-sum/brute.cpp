// For each test, the number of runs of neighbours whose sum is divisible by k.
#include <iostream>
#include <vector>
int main() {
    int t, n, k;
    std::cin >> t;
    while (std::cin >> n >> k) {
        std::vector<int> a(n);
        for (int& x : a) std::cin >> x;
        int count = 0;
        for (int from = 0; from < n; from++)
            for (int to = from, sum = 0; to < n; to++) count += (sum += a[to]) % k == 0;
        std::cout << count << '\n';
    }
}
