// Ends at any place of the value. With two numbers it looks at the first one first. With three it looks at the second, which
// may be equal to the first.
#include <iostream>
int main() {
    int n, x, value;
    std::cin >> n >> x;
    int low = 1, high = n;
    while (low < high) {
        int middle = (low + high) / 2;
        std::cout << "? " << middle << std::endl;
        std::cin >> value;
        if (value == x) low = high = middle;
        else if (value < x) low = middle + 1;
        else high = middle - 1;
    }
    std::cout << "! " << low << std::endl;
}
