// How many prices are the sum of the two before them. Prices have one or two decimals.
#include <iostream>
#include <string>
int main() {
    int n, count = 0, before = -1, last = -1;
    std::string word;
    std::cin >> n;
    while (std::cin >> word) {
        size_t point = word.find('.');
        int price = 100 * std::stoi(word.substr(0, point)) + std::stoi((word + '0').substr(point + 1, 2));
        count += before >= 0 && before + last == price;
        before = last, last = price;
    }
    std::cout << count << '\n';
}
