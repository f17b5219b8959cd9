// Clears only the first n marks, although values are up to 1000. It fails if two tests have the same value, above the n of
// the second. Two tests have at least four tokens.
#include <algorithm>
#include <iostream>
bool seen[1001];
int main() {
    int t, n, x;
    std::cin >> t;
    while (std::cin >> n) {
        std::fill(seen, seen + n + 1, false);
        int count = 0;
        while (n-- && std::cin >> x) {
            if (!seen[x]) count++;
            seen[x] = true;
        }
        std::cout << count << '\n';
    }
}
