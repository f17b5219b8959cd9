// Never goes up, because the rows above were visited before. It fails if a cell is reached only from below: there is a cell
// '#' to the left of it in its row, with another between them. So it needs two rows and three columns.
#include <iostream>
#include <vector>
using namespace std;
int h, w;
vector<string> cell;
void sink(int y, int x) {
    if (y >= h || x < 0 || x >= w || cell[y][x] != '#') return;
    cell[y][x] = '.';
    sink(y + 1, x), sink(y, x - 1), sink(y, x + 1);
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
