#include <iostream>
int main() {
    int n, x;
    std::cin >> n;
    while (n--) {
        std::cin >> x;
        std::cout << x << "\n";
    }
}
