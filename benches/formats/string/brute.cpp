// The length of the longest part without two equal letters.
#include <algorithm>
#include <iostream>
#include <set>
#include <string>
int main() {
    int n, best = 0;
    std::string s;
    std::cin >> n >> s;
    for (int from = 0; from < n; from++) {
        std::set<char> used;
        int to = from;
        while (to < n && used.insert(s[to]).second) to++;
        best = std::max(best, to - from);
    }
    std::cout << best << '\n';
}
