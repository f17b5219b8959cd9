// Compares sums of doubles for equality. It prints 0 for fewer than three prices, which is right.
#include <iostream>
int main() {
    int n, count = 0;
    double before = -1, last = -1, price;
    std::cin >> n;
    while (std::cin >> price) {
        count += before >= 0 && before + last == price;
        before = last, last = price;
    }
    std::cout << count << '\n';
}
