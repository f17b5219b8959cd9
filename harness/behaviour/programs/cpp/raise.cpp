#include <iostream>
#include <stdexcept>
int main() {
    std::cout << "before\n";
    throw std::runtime_error("sorry");
}
