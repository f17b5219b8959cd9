// "1 i x": the i-th value becomes x. "2 l r": print the sum of the values l to r.
#include <iostream>
long long a[1001];
int main() {
    int n, q, kind, l, r;
    std::cin >> n >> q;
    for (int i = 1; i <= n; i++) std::cin >> a[i];
    while (std::cin >> kind >> l >> r) {
        if (kind == 1) {
            a[l] = r;
        } else {
            long long sum = 0;
            for (int i = l; i <= r; i++) sum += a[i];
            std::cout << sum << '\n';
        }
    }
}
