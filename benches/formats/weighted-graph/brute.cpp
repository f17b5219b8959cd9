// The length of the shortest path from 1 to n, or -1.
#include <algorithm>
#include <iostream>
#include <vector>
int main() {
    int n, m;
    std::cin >> n >> m;
    std::vector<int> u(m), v(m), w(m);
    for (int i = 0; i < m; i++) std::cin >> u[i] >> v[i] >> w[i];
    const long long far = 1e18;
    std::vector<long long> best(n + 1, far);
    best[1] = 0;
    for (int round = 1; round < n; round++)
        for (int i = 0; i < m; i++) {
            best[u[i]] = std::min(best[u[i]], best[v[i]] + w[i]);
            best[v[i]] = std::min(best[v[i]], best[u[i]] + w[i]);
        }
    std::cout << (best[n] < far ? best[n] : -1) << '\n';
}
