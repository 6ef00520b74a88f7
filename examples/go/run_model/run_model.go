// Run a model that Python wrote on a slice of Go: the program of examples/run_model.c in Go.
//
//	run_model script model.pt      torch.jit.save
//	run_model program model.pt2    torch.export.save
//	run_model package model.pt2    torch._inductor.aoti_compile_and_package
package main

import (
	"fmt"
	"log"
	"os"

	"ctorch"
)

type model func(x *ctorch.Tensor) (*ctorch.Tensor, error)

func script(path string) (model, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	reader, err := ctorch.ReaderOf(data)
	if err != nil {
		return nil, err
	}
	defer reader.Close()
	module, err := ctorch.JitLoad(reader, nil)
	if err != nil {
		return nil, err
	}
	return module.Forward, nil
}

func program(path string) (model, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	reader, err := ctorch.ReaderOf(data)
	if err != nil {
		return nil, err
	}
	defer reader.Close()
	exported, err := ctorch.ExportedProgramOpen(reader, nil)
	if err != nil {
		return nil, err
	}
	defer exported.Close()
	module, err := exported.Module()
	if err != nil {
		return nil, err
	}
	return module.Forward, nil
}

func compiled(path string) (model, error) {
	loaded, err := ctorch.PackageLoad(path, nil, false, 1, nil)
	if err != nil {
		return nil, err
	}
	return func(x *ctorch.Tensor) (*ctorch.Tensor, error) {
		outputs, err := loaded.Run([]*ctorch.Tensor{x})
		if err != nil {
			return nil, err
		}
		return outputs[0], nil
	}, nil
}

func run(kind, path string) error {
	load := map[string]func(string) (model, error){"script": script, "program": program, "package": compiled}[kind]
	if load == nil {
		return fmt.Errorf("%s is none of script, program and package", kind)
	}
	forward, err := load(path)
	if err != nil {
		return err
	}
	x, err := ctorch.FromSlice([]float32{0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7}, 2, 4)
	if err != nil {
		return err
	}
	y, err := forward(x)
	if err != nil {
		return err
	}
	scores, err := ctorch.ToSlice[float32](y)
	for _, score := range scores {
		fmt.Printf("%.9g\n", score)
	}
	return err
}

func main() {
	if len(os.Args) != 3 {
		log.Fatal("usage: run_model script|program|package MODEL")
	}
	if err := run(os.Args[1], os.Args[2]); err != nil {
		log.Fatal(err)
	}
}
