// For each test, the number of different values.
#include <iostream>
#include <set>
int main() {
    int t, n, x;
    std::cin >> t;
    while (std::cin >> n) {
        std::set<int> values;
        while (n-- && std::cin >> x) values.insert(x);
        std::cout << values.size() << '\n';
    }
}
