package main

import (
	"fmt"
	"math/big"
)

func main() {
	var n big.Int
	fmt.Scan(&n)
	fmt.Println(n.Add(&n, big.NewInt(1)))
}
