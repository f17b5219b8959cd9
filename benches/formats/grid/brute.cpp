// The number of islands: connected parts of the cells '#'.
#include <iostream>
#include <vector>
using namespace std;
int h, w;
vector<string> cell;
void sink(int y, int x) {
    if (y < 0 || y >= h || x < 0 || x >= w || cell[y][x] != '#') return;
    cell[y][x] = '.';
    sink(y - 1, x), sink(y + 1, x), sink(y, x - 1), sink(y, x + 1);
}
int main() {
    cin >> h >> w;
    cell.resize(h);
    for (auto& row : cell) cin >> row;
    int islands = 0;
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++)
            if (cell[y][x] == '#') islands++, sink(y, x);
    cout << islands << '\n';
}
