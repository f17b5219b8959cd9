// Counts the later points in each direction, but opposite directions apart. Two points are always right, so three are needed,
// with the first of them in the middle.
#include <algorithm>
#include <iostream>
#include <map>
#include <numeric>
int x[1000], y[1000];
int main() {
    int n;
    std::cin >> n;
    for (int i = 0; i < n; i++) std::cin >> x[i] >> y[i];
    int best = 1;
    for (int i = 0; i < n; i++) {
        std::map<std::pair<int, int>, int> count;
        for (int j = i + 1; j < n; j++) {
            int dx = x[j] - x[i], dy = y[j] - y[i], g = std::gcd(dx, dy);
            best = std::max(best, 1 + ++count[{dx / g, dy / g}]);
        }
    }
    std::cout << best << '\n';
}
