package main

import "strings"

func main() {
	var blocks []string
	for {
		blocks = append(blocks, strings.Repeat("x", 1<<20))
	}
}
