// Computes the sums of prefixes for the first query, and not again after an update. It fails at the second query if there was
// an update since the first: three lines of three tokens.
#include <iostream>
long long a[1001], sum[1001];
int main() {
    int n, q, kind, l, r;
    std::cin >> n >> q;
    for (int i = 1; i <= n; i++) std::cin >> a[i];
    bool ready = false;
    while (std::cin >> kind >> l >> r) {
        if (kind == 1) {
            a[l] = r;
        } else {
            for (int i = 1; i <= n && !ready; i++) sum[i] = sum[i - 1] + a[i];
            ready = true;
            std::cout << sum[r] - sum[l - 1] << '\n';
        }
    }
}
