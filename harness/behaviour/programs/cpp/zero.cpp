#include <iostream>
int main() {
    int n;
    std::cin >> n;
    std::cout << 100 / n << "\n";
}
