// The values of the matrix in a spiral from the corner to the middle.
#include <iostream>
int main() {
    int h, w, a[100][100];
    bool seen[102][102] = {};
    std::cin >> h >> w;
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++) std::cin >> a[y][x], seen[y + 1][x + 1] = true;
    int y = 0, x = 0, dy = 0, dx = 1;
    for (int left = h * w; left--;) {
        std::cout << a[y][x] << '\n';
        seen[y + 1][x + 1] = false;
        if (!seen[y + dy + 1][x + dx + 1]) {
            int old = dy;
            dy = dx, dx = -old;
        }
        y += dy, x += dx;
    }
}
