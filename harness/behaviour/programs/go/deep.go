package main

import "fmt"

func depth(n int) int {
	if n == 0 {
		return 0
	}
	left, right := depth(n-1), depth(0)
	if left > right {
		return 1 + left
	}
	return 1 + right
}

func main() {
	var n int
	fmt.Scan(&n)
	fmt.Println(depth(n))
}
