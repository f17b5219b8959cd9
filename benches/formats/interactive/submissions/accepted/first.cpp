#include <iostream>
int main() {
    int n, x, value;
    std::cin >> n >> x;
    int low = 1, high = n;
    while (low < high) {
        int middle = (low + high) / 2;
        std::cout << "? " << middle << std::endl;
        std::cin >> value;
        if (value < x) low = middle + 1;
        else high = middle;
    }
    std::cout << "! " << low << std::endl;
}
