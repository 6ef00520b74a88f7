// Cost of a call from Go, beside tests/languages/c/overhead.c: a line for each case, `name ns`, best of 5 rounds.
package main

import (
	"fmt"
	"math"
	"time"

	"ctorch"
	"ctorch/aten"
)

func bench(name string, calls int, call func()) {
	for i := 0; i < calls/10; i++ {
		call()
	}
	best := math.Inf(1)
	for round := 0; round < 5; round++ {
		start := time.Now()
		for i := 0; i < calls; i++ {
			call()
		}
		best = math.Min(best, float64(time.Since(start).Nanoseconds())/float64(calls))
	}
	fmt.Printf("%s %.1f\n", name, best)
}

func must[T any](x T, err error) T {
	if err != nil {
		panic(err)
	}
	return x
}

func main() {
	if err := ctorch.ThreadsSetNum(1); err != nil {
		panic(err)
	}
	_ = ctorch.NoGrad(func() error {
		a := must(ctorch.FromSlice([]float32{1, 1, 1, 1, 1, 1, 1, 1}, 8))
		b := must(ctorch.FromSlice([]float32{2, 2, 2, 2, 2, 2, 2, 2}, 8))
		four := []*ctorch.Tensor{a, b, a, b}
		bench("version", 1000000, func() { ctorch.Version() })
		bench("size", 1000000, func() { must(a.Size(0)) })
		bench("add", 200000, func() { must(aten.AddTensor(a, b)).Close() })
		bench("cat", 200000, func() { must(aten.Cat(four)).Close() })
		return nil
	})
}
