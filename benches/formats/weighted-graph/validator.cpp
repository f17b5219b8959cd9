#include <algorithm>
#include <iostream>
#include <iterator>
#include <set>
#include <sstream>
using namespace std;
int main() {
    string text(istreambuf_iterator<char>(cin), {});
    istringstream in(text);
    ostringstream out;
    int n = 0, m = 0, u = 0, v = 0, w = 0;
    in >> n >> m;
    out << n << ' ' << m << '\n';
    set<pair<int, int>> edges;
    for (int i = 0; i < m && in >> u >> v >> w; i++) {
        if (min(u, v) < 1 || max(u, v) > n || u == v || w < 1 || w > 1000000) return 43;
        if (!edges.insert(minmax(u, v)).second) return 43;
        out << u << ' ' << v << ' ' << w << '\n';
    }
    return n >= 1 && n <= 1000 && m <= 1000 && int(edges.size()) == m && out.str() == text ? 42 : 43;
}
