// The number of edges on the longest path.
#include <algorithm>
#include <iostream>
#include <vector>
using namespace std;
vector<int> next_to[1001];
int farthest(int v, int from) {
    int far = 0;
    for (int w : next_to[v])
        if (w != from) far = max(far, 1 + farthest(w, v));
    return far;
}
int main() {
    int n, best = 0;
    cin >> n;
    for (int u, v; cin >> u >> v;) {
        next_to[u].push_back(v);
        next_to[v].push_back(u);
    }
    for (int v = 1; v <= n; v++) best = max(best, farthest(v, 0));
    cout << best << '\n';
}
