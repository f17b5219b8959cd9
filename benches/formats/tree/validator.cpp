#include <iostream>
#include <iterator>
#include <sstream>
using namespace std;
int root[1001];
int find(int v) { return root[v] == v ? v : root[v] = find(root[v]); }
int main() {
    string text(istreambuf_iterator<char>(cin), {});
    istringstream in(text);
    ostringstream out;
    int n = 0, edges = 0, u, v;
    in >> n;
    if (n < 1 || n > 1000) return 43;
    out << n << '\n';
    for (int v = 1; v <= n; v++) root[v] = v;
    while (in >> u >> v) {
        if (u < 1 || u > n || v < 1 || v > n || find(u) == find(v)) return 43;
        root[find(u)] = find(v);
        edges++;
        out << u << ' ' << v << '\n';
    }
    return edges == n - 1 && out.str() == text ? 42 : 43;
}
