#include <cassert>
#include <iostream>
int main() {
    int n;
    std::cin >> n;
    assert(n > 0);
    std::cout << "after\n";
}
