// Visits the vertices by number, and not in a topological order. It fails if a path from 1 to n has an edge to a smaller
// number, which neither begins at 1 nor ends at n: three edges.
#include <iostream>
#include <vector>
using namespace std;
vector<int> to[1001];
int paths[1001];
int main() {
    int n, m;
    cin >> n >> m;
    for (int u, v; cin >> u >> v;) to[u].push_back(v);
    paths[1] = 1;
    for (int u = 1; u <= n; u++)
        for (int v : to[u]) paths[v] = (paths[v] + paths[u]) % 1000000007;
    cout << paths[n] << '\n';
}
