// Looks only at the component of the vertex 1. It fails if that is bipartite and another component has an odd cycle, which
// has at least three edges.
#include <iostream>
#include <vector>
using namespace std;
int n, m;
vector<int> next_to[1001];
int colour[1001];
bool paint(int v, int c) {
    if (colour[v]) return colour[v] == c;
    colour[v] = c;
    for (int w : next_to[v])
        if (!paint(w, 3 - c)) return false;
    return true;
}
int main() {
    cin >> n >> m;
    for (int u, v; cin >> u >> v;) {
        next_to[u].push_back(v);
        next_to[v].push_back(u);
    }
    cout << (paint(1, 1) ? "yes" : "no") << '\n';
}
