#include <string>
#include <vector>
int main() {
    std::vector<std::string> blocks;
    for (;;)
        blocks.push_back(std::string(1 << 20, 'x'));
}
