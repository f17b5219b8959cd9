package main

import "fmt"

func main() {
	for i := 1; i <= 1000000; i++ {
		fmt.Println(i)
	}
}
