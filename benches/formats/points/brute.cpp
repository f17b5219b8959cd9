// The largest number of points on a line.
#include <algorithm>
#include <iostream>
int x[1000], y[1000];
int main() {
    int n;
    std::cin >> n;
    for (int i = 0; i < n; i++) std::cin >> x[i] >> y[i];
    int best = 1;
    for (int i = 0; i < n; i++)
        for (int j = i + 1; j < n; j++) {
            int count = 0;
            for (int k = 0; k < n; k++) count += (x[j] - x[i]) * (y[k] - y[i]) == (x[k] - x[i]) * (y[j] - y[i]);
            best = std::max(best, count);
        }
    std::cout << best << '\n';
}
