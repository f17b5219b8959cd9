#include <iostream>
#include <string>
int main() {
    int n = 7;
    std::string line;
    std::cin >> n;
    std::cin.ignore();
    std::getline(std::cin, line);
    std::cout << n + 1 << "\n" << line.size() << "\n";
}
