package main

import (
	"bufio"
	"fmt"
	"os"
	"strconv"
)

func main() {
	input := bufio.NewScanner(os.Stdin)
	input.Scan()
	n, _ := strconv.Atoi(input.Text())
	input.Scan()
	fmt.Println(n + 1)
	fmt.Println(len(input.Text()))
}
