// Makes things and closes none: see forgotten.py.
package main

import (
	"log"
	"os"
	"strconv"

	"ctorch"
	"ctorch/aten"
	"ctorch/nn"
)

func must[T any](x T, err error) T {
	if err != nil {
		log.Fatal(err)
	}
	return x
}

func conv(in, out int64) *ctorch.Module {
	return must(nn.Conv2d(in, out, []int64{3}, nn.Conv2dOptions{Padding: []int64{1}}))
}

func main() {
	count := must(strconv.Atoi(os.Args[2]))
	switch os.Args[1] {
	case "graphs":
		first, second := conv(3, 16), conv(16, 4)
		images := must(aten.Ones([]int64{16, 3, 64, 64}))
		for i := 0; i < count; i++ {
			must(aten.Sum(must(second.Forward(must(aten.Relu(must(first.Forward(images))))))))
		}
	case "modules":
		for i := 0; i < count; i++ {
			must(nn.Linear(2048, 2048))
		}
	default:
		for i := 0; i < count; i++ {
			must(ctorch.TokenizerOpenFile(os.Args[3]))
		}
	}
}
