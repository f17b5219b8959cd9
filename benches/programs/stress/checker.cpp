// Accepts an output that is one number, the one in the answer.
#include <fstream>
#include <iostream>

int main(int, char **argv) {
    long long expected, printed;
    std::ifstream(argv[2]) >> expected;
    return std::cin >> printed && printed == expected ? 42 : 43;
}
