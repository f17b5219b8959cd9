// The number of paths from 1 to n, modulo 1e9 + 7.
#include <iostream>
#include <vector>
using namespace std;
vector<int> from[1001];
int known[1001];
int paths(int v) {
    if (known[v] >= 0) return known[v];
    int sum = v == 1;
    for (int u : from[v]) sum = (sum + paths(u)) % 1000000007;
    return known[v] = sum;
}
int main() {
    int n, m;
    cin >> n >> m;
    for (int u, v; cin >> u >> v;) from[v].push_back(u);
    fill(known, known + 1001, -1);
    cout << paths(n) << '\n';
}
