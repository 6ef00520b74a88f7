package consumer

import (
	"errors"
	"math"
	"strings"
	"testing"

	"ctorch"
	"ctorch/aten"
	"ctorch/lrscheduler"
	"ctorch/nn"
	"ctorch/optim"
)

func descent(lr float64, parameters ...*ctorch.Tensor) *ctorch.Optimizer {
	return must(optim.SGD(parameters, optim.SGDOptions{Lr: ctorch.Some(lr)}))
}

func option(group ctorch.ParamGroup, name string) any { return must(group.Get(name)) }

func TestAStepChangesParametersByTheirGradients(t *testing.T) {
	p := leaf(1, 2)
	optimizer := descent(0.5, p)
	check(p.SetGrad(row(2, 4)))
	check(optimizer.Step())
	equal(t, list[float64](p), []float64{0, 0})
	check(optimizer.ZeroGrad(true))
	equal(t, must(p.Grad()) == nil, true)
	check(optimizer.Step()) // without a gradient all stays
	equal(t, list[float64](p), []float64{0, 0})
	equal(t, optimizer.Name(), "SGD")
}

func TestOptionsOfGroupsAreReadAndChangedByName(t *testing.T) {
	options := optim.AdamWOptions{Lr: ctorch.Some(0.1), Betas: []float64{0.5, 0.75}}
	optimizer := must(optim.AdamW([]*ctorch.Tensor{leaf(1)}, options))
	check(optimizer.AddGroup([]*ctorch.Tensor{leaf(2, 3)}, map[string]any{"lr": 0.25}))
	groups := optimizer.ParamGroups()
	equal(t, len(groups), 2)
	equal(t, option(groups[1], "betas"), ctorch.Tuple{0.5, 0.75})
	check(groups[0].Set("weight_decay", 0.5))
	equal(t, option(optimizer.ParamGroups()[0], "weight_decay"), 0.5)
	equal(t, []float64{must(optimizer.GetLr(0)), must(optimizer.GetLr(1))}, []float64{0.1, 0.25})
	check(optimizer.SetLr(0.125))
	equal(t, option(groups[1], "lr"), 0.125)
	equal(t, list[float64](must(groups[1].Params())[0]), []float64{2, 3})
	decay, _ := must(groups[0].Options()).Get("weight_decay")
	equal(t, decay, 0.5)
	equal(t, strings.HasPrefix(must(optimizer.Repr()), "AdamW (\nParameter Group 0\n"), true)
	_, err := groups[0].Get("no such")
	fails(t, ctorch.ErrorIndex, err)
}

func TestRefusalsOfOptimizersAreErrorsOfTheirKinds(t *testing.T) {
	p := leaf(1)
	_, err := optim.SGD([]*ctorch.Tensor{p}, optim.SGDOptions{Lr: ctorch.Some(-1.0)})
	fails(t, ctorch.ErrorValue, err)
	_, err = optim.SGD([]*ctorch.Tensor{})
	fails(t, ctorch.ErrorValue, err)
	_, err = ctorch.NewOptimizer("Nonsense", []*ctorch.Tensor{p}, nil)
	fails(t, ctorch.ErrorIndex, err)
	_, err = ctorch.NewOptimizer("SGD", []*ctorch.Tensor{p}, map[string]any{"learning": 1})
	fails(t, ctorch.ErrorType, err)
	_, err = ctorch.NewOptimizer("SGD", []any{3}, nil)
	fails(t, ctorch.ErrorType, err)
	fails(t, ctorch.ErrorValue, descent(1, p).AddGroup([]*ctorch.Tensor{p}, nil))
	closed := descent(1, p)
	closed.Close()
	fails(t, ctorch.ErrorInvalidHandle, closed.Step())
}

func TestAFunctionComputesTheLossAndFailsAsItself(t *testing.T) {
	p, calls := leaf(3), 0
	optimizer := descent(0.5, p)
	loss := must(optimizer.StepWith(func() (*ctorch.Tensor, error) {
		calls++
		loss := must(aten.Sum(must(aten.MulTensor(p, p))))
		return loss, loss.Backward(nil, nil, false)
	}))
	equal(t, []float64{float64(calls), must(loss.ItemDouble()), list[float64](p)[0]}, []float64{1, 9, 0})
	_, err := optimizer.StepWith(func() (*ctorch.Tensor, error) { return nil, errToday })
	equal(t, errors.Is(err, errToday), true)
	none := must(optimizer.StepWith(func() (*ctorch.Tensor, error) { return nil, nil }))
	equal(t, none == nil, true)
	defer func() { equal(t, recover(), "oh") }()
	_, _ = optimizer.StepWith(func() (*ctorch.Tensor, error) { panic("oh") })
}

func TestAStateDictIsContinuedByAnotherOptimizer(t *testing.T) {
	first := leaf(1, -1)
	optimizer := must(optim.AdamW([]*ctorch.Tensor{first}, optim.AdamWOptions{Lr: ctorch.Some(0.1)}))
	check(first.SetGrad(row(0.5, 2)))
	check(optimizer.Step())
	second := leaf(list[float64](first)...)
	other := must(optim.AdamW([]*ctorch.Tensor{second}))
	equal(t, must(other.State(second)).Len(), 0)
	state := must(optimizer.StateDict())
	fresh := must(ctorch.ValueOf(copied(native(state)))) // what is of the right dtype is shared, as in Python
	check(other.LoadStateDict(fresh))
	check(second.SetGrad(row(0.5, 2)))
	check(optimizer.Step())
	check(other.Step())
	equal(t, list[float64](first), list[float64](second))
	equal(t, must(other.GetLr(0)), 0.1)
	check(other.SetState(second, must(ctorch.ValueOf(ctorch.Dict{}))))
	equal(t, must(other.State(second)).Len(), 0)
	fails(t, ctorch.ErrorIndex, other.LoadStateDict(must(ctorch.ValueOf(ctorch.Dict{}))))
}

func copied(x any) any {
	switch x := x.(type) {
	case *ctorch.Tensor:
		return must(aten.Clone(x))
	case []any:
		made := []any{}
		for _, entry := range x {
			made = append(made, copied(entry))
		}
		return made
	case ctorch.Dict:
		made := ctorch.Dict{}
		for _, entry := range x {
			made = append(made, ctorch.Entry{Key: entry.Key, Value: copied(entry.Value)})
		}
		return made
	}
	return x
}

func TestHooksAreCalledAroundStepsAndStateDicts(t *testing.T) {
	optimizer, count := descent(1, leaf(1)), 0
	counting := func(by int) func(*ctorch.Optimizer) error {
		return func(o *ctorch.Optimizer) error {
			equal(t, o.Name(), "SGD")
			count += by
			return nil
		}
	}
	before := must(optimizer.RegisterStepPreHook(counting(1)))
	must(optimizer.RegisterStepPostHook(counting(10)))
	must(optimizer.RegisterStateDictPreHook(counting(100), false))
	must(optimizer.RegisterLoadStateDictPostHook(counting(1000), true))
	must(optimizer.RegisterStateDictPostHook(func(_ *ctorch.Optimizer, state *ctorch.Value) (*ctorch.Value, error) {
		return state, nil
	}, false))
	must(optimizer.RegisterLoadStateDictPreHook(func(*ctorch.Optimizer, *ctorch.Value) (*ctorch.Value, error) {
		return nil, nil
	}, false))
	forAll := must(ctorch.RegisterOptimizerStepPreHook(counting(10000)))
	after := must(ctorch.RegisterOptimizerStepPostHook(counting(100000)))
	check(optimizer.Step())
	check(optimizer.LoadStateDict(must(optimizer.StateDict())))
	equal(t, count, 111111)
	for _, hook := range []*ctorch.Hook{before, forAll, after} {
		hook.Remove()
	}
	check(optimizer.Step())
	equal(t, count, 111121)
	must(optimizer.RegisterStepPreHook(func(*ctorch.Optimizer) error { return errToday }))
	equal(t, errors.Is(optimizer.Step(), errToday), true)
}

func TestSchedulersChangeLearningRates(t *testing.T) {
	model := must(nn.Linear(2, 1))
	optimizer := descent(1, must(model.Parameters(true))...)
	halving := lrscheduler.MultiStepLROptions{Gamma: ctorch.Some(0.5)}
	scheduler := must(lrscheduler.MultiStepLR(optimizer, []int64{1, 3}, halving))
	var rates []float64
	for i := 0; i < 4; i++ {
		check(optimizer.Step())
		check(scheduler.Step())
		rates = append(rates, must(optimizer.GetLr(0)))
	}
	equal(t, rates, []float64{0.5, 0.5, 0.25, 0.25})
	equal(t, must(scheduler.GetLastLr()), []float64{0.25})
	equal(t, must(scheduler.LastEpoch()), int64(4))
	other := must(lrscheduler.MultiStepLR(optimizer, []int64{9}))
	check(other.LoadStateDict(must(scheduler.StateDict())))
	equal(t, native(must(other.Attribute("gamma"))), 0.5)
	fails(t, ctorch.ErrorType, scheduler.StepMetric(1))
	equal(t, must(scheduler.Optimizer()).Handle(), optimizer.Handle())
}

func TestAPlateauLowersTheRateAndSchedulersFollowOneAnother(t *testing.T) {
	p := leaf(1)
	optimizer := descent(1, p)
	plateau := must(lrscheduler.ReduceLROnPlateau(optimizer, lrscheduler.ReduceLROnPlateauOptions{
		Factor: ctorch.Some(0.5), Patience: ctorch.Some[int64](0),
	}))
	check(plateau.StepMetric(1))
	check(plateau.StepMetric(1))
	equal(t, must(optimizer.GetLr(0)), 0.5)
	fails(t, ctorch.ErrorType, plateau.Step())
	optimizer = descent(1, p)
	first := must(lrscheduler.ConstantLR(optimizer, lrscheduler.ConstantLROptions{
		Factor: ctorch.Some(0.5), TotalIters: ctorch.Some[int64](1),
	}))
	second := must(lrscheduler.ExponentialLR(optimizer, 0.5))
	both := must(lrscheduler.SequentialLR(optimizer, []*ctorch.LrScheduler{first, second}, []int64{1}))
	for i := 0; i < 2; i++ {
		check(optimizer.Step())
		check(both.Step())
	}
	equal(t, must(both.GetLastLr()), []float64{0.5})
}

func TestFunctionsComputeLearningRates(t *testing.T) {
	optimizer := descent(1, leaf(1))
	scheduler := must(ctorch.NewLambdaLR(optimizer, func(_, epoch int64) (float64, error) {
		return 1 / float64(1+epoch), nil
	}, -1))
	check(optimizer.Step())
	check(scheduler.Step())
	equal(t, must(scheduler.GetLastLr()), []float64{0.5})
	optimizer = descent(1, leaf(1))
	scheduler = must(ctorch.NewMultiplicativeLR(optimizer, func(group, _ int64) (float64, error) {
		return 0.25 + float64(group), nil
	}, -1))
	check(optimizer.Step())
	check(scheduler.Step())
	check(scheduler.Step())
	equal(t, must(scheduler.GetLastLr()), []float64{0.0625})
	optimizer = descent(1, leaf(1))
	scheduler = must(ctorch.NewCyclicLR(optimizer, []float64{0}, []float64{1}, 1, func(cycle float64) (float64, error) {
		return 1 / cycle, nil
	}, ctorch.CyclicLROptions{CycleMomentum: ctorch.Some(false)}))
	check(optimizer.Step())
	check(scheduler.Step())
	equal(t, must(scheduler.GetLastLr()), []float64{1})
	_, err := ctorch.NewLambdaLR(optimizer, func(int64, int64) (float64, error) { return 0, errToday }, -1)
	equal(t, errors.Is(err, errToday), true)
}

func TestAScalerLeavesOutStepsWithInfiniteGradients(t *testing.T) {
	p := leaf(1)
	optimizer, scaler := descent(0.5, p), must(ctorch.GradScalerOf("cpu"))
	for _, c := range []struct{ factor, scale float64 }{{1, 65536}, {math.Inf(1), 32768}} {
		check(optimizer.ZeroGrad(true))
		loss := must(aten.Sum(must(aten.MulScalar(p, ctorch.Float(c.factor)))))
		check(must(scaler.Scale(loss)).Backward(nil, nil, false))
		check(scaler.Unscale_(optimizer))
		check(scaler.Step(optimizer))
		check(scaler.Update(nil))
		equal(t, list[float64](p), []float64{0.5})
		equal(t, must(scaler.GetScale()), c.scale)
	}
	other := must(ctorch.GradScalerOf("cpu"))
	check(other.LoadStateDict(must(scaler.StateDict())))
	equal(t, must(other.GetScale()), 32768.0)
	cpu := "cpu"
	disabled := must(ctorch.NewGradScaler(&cpu, 1, 2, 0.5, 1, false))
	loss := must(disabled.StepWith(optimizer, func() (*ctorch.Tensor, error) { return row(2), nil }))
	equal(t, must(loss.ItemDouble()), 2.0)
}
