#include <iostream>
#include <iterator>
#include <set>
#include <sstream>
#include <vector>
using namespace std;
int main() {
    string text(istreambuf_iterator<char>(cin), {});
    istringstream in(text);
    ostringstream out;
    int n = 0, m = 0, u = 0, v = 0;
    in >> n >> m;
    if (n < 1 || n > 1000 || m > 5000) return 43;
    out << n << ' ' << m << '\n';
    set<pair<int, int>> edges;
    vector<int> before(n + 1), sources;
    for (int i = 0; i < m && in >> u >> v; i++) {
        if (u < 1 || u > n || v < 1 || v > n || !edges.insert({u, v}).second) return 43;
        before[v]++;
        out << u << ' ' << v << '\n';
    }
    for (int v = 1; v <= n; v++)
        if (!before[v]) sources.push_back(v);
    for (size_t i = 0; i < sources.size(); i++)
        for (auto edge = edges.lower_bound({sources[i], 0}); edge != edges.end() && edge->first == sources[i]; edge++)
            if (!--before[edge->second]) sources.push_back(edge->second);
    return int(sources.size()) == n && int(edges.size()) == m && out.str() == text ? 42 : 43;
}
