// Accepts a count and as many numbers.
#include <iostream>

int main() {
    int count, found = 0;
    long long value;
    std::cin >> count;
    while (std::cin >> value) found++;
    return count == found && count > 0 ? 42 : 43;
}
