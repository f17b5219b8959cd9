#include <algorithm>
#include <iostream>
long depth(long n) {
    return n == 0 ? 0 : 1 + std::max(depth(n - 1), depth(0));
}
int main() {
    long n;
    std::cin >> n;
    std::cout << depth(n) << "\n";
}
