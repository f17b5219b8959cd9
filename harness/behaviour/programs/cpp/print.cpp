#include <iostream>
int main() {
    for (int i = 1; i <= 1000000; i++)
        std::cout << i << "\n";
}
