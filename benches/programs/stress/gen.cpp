// Prints a count and as many numbers. The arguments are a seed and the count.
#include <cstdlib>
#include <iostream>
#include <random>

int main(int, char **argv) {
    std::mt19937 random(std::strtoul(argv[1], nullptr, 10));
    int count = std::atoi(argv[2]);
    std::cout << count << '\n';
    for (int i = 0; i < count; i++) {
        std::cout << int(random() % 21) - 10 << (i + 1 < count ? ' ' : '\n');
    }
}
