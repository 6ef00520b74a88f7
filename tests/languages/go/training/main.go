// What training.py has in Python: three small trainings, whose numbers are equal to the last bit.
package main

import (
	"fmt"
	"log"
	"math"
	"strconv"

	"ctorch"
	"ctorch/aten"
	"ctorch/lrscheduler"
	"ctorch/optim"
)

const steps = 8

type tensor = ctorch.Tensor

func must[T any](x T, err error) T {
	check(err)
	return x
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}

func show(numbers ...float64) {
	for _, n := range numbers {
		fmt.Println(strconv.FormatFloat(n, 'g', 17, 64))
	}
}

type layer struct{ weight, bias, x, y *tensor }

func newLayer() layer {
	parameter := func(values []float64, sizes ...int64) *tensor {
		made := must(ctorch.FromSlice(values, sizes...))
		check(made.SetRequiresGrad(true))
		return made
	}
	var x, y []float64
	for i := 0; i < 12; i++ {
		x = append(x, float64(i)/10)
	}
	for i := 0; i < 4; i++ {
		y = append(y, float64(i)/4)
	}
	return layer{
		parameter([]float64{0.1, -0.2, 0.3}, 1, 3), parameter([]float64{0.05}, 1),
		must(ctorch.FromSlice(x, 4, 3)), must(ctorch.FromSlice(y, 4, 1)),
	}
}

func (l layer) parameters() []*tensor { return []*tensor{l.weight, l.bias} }

func (l layer) loss() (*tensor, error) {
	out, err := aten.Linear(l.x, l.weight, aten.LinearOptions{Bias: l.bias})
	if err != nil {
		return nil, err
	}
	return aten.MseLoss(out, l.y)
}

func (l layer) show() {
	for _, p := range l.parameters() {
		show(must(ctorch.ToSlice[float64](p))...)
	}
}

func withAScheduler() {
	l := newLayer()
	options := optim.AdamWOptions{Lr: ctorch.Some(0.05), WeightDecay: ctorch.Some(0.1)}
	optimizer := must(optim.AdamW(l.parameters(), options))
	scheduler := must(lrscheduler.StepLR(optimizer, 3, lrscheduler.StepLROptions{Gamma: ctorch.Some(0.5)}))
	for i := 0; i < steps; i++ {
		check(optimizer.ZeroGrad(true))
		loss := must(l.loss())
		check(loss.Backward(nil, nil, false))
		check(optimizer.Step())
		check(scheduler.Step())
		show(must(loss.ItemDouble()))
		show(must(scheduler.GetLastLr())...)
	}
	l.show()
}

func withGroupsAndAClosure() {
	l := newLayer()
	groups := []map[string]any{{"params": []*tensor{l.weight}}, {"params": []*tensor{l.bias}, "lr": 0.01}}
	options := map[string]any{"lr": 0.05, "momentum": 0.9, "weight_decay": 0.001}
	optimizer := must(ctorch.NewOptimizer("SGD", groups, options))
	for i := 0; i < steps; i++ {
		loss := must(optimizer.StepWith(func() (*tensor, error) {
			check(optimizer.ZeroGrad(true))
			loss := must(l.loss())
			return loss, loss.Backward(nil, nil, false)
		}))
		show(must(loss.ItemDouble()))
	}
	l.show()
}

func withAScaler() {
	l := newLayer()
	optimizer := must(optim.SGD(l.parameters(), optim.SGDOptions{Lr: ctorch.Some(0.05)}))
	cpu := "cpu"
	scaler := must(ctorch.NewGradScaler(&cpu, 1024, 2, 0.5, 2, true))
	for i := 0; i < steps; i++ {
		check(optimizer.ZeroGrad(true))
		loss := must(l.loss())
		seen := loss
		if i == 3 {
			seen = must(aten.MulScalar(loss, ctorch.Float(math.Inf(1))))
		}
		check(must(scaler.Scale(seen)).Backward(nil, nil, false))
		check(scaler.Step(optimizer))
		check(scaler.Update(nil))
		show(must(loss.ItemDouble()), must(scaler.GetScale()))
	}
	l.show()
}

func main() {
	withAScheduler()
	withGroupsAndAClosure()
	withAScaler()
}
