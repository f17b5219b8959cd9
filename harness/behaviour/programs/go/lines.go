package main

import "fmt"

func main() {
	var n, x int
	fmt.Scan(&n)
	for ; n > 0; n-- {
		fmt.Scan(&x)
		fmt.Println(x)
	}
}
