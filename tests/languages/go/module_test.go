package consumer

import (
	"errors"
	"reflect"
	"testing"

	"ctorch"
	"ctorch/aten"
	"ctorch/nn"
)

func scaling() *ctorch.Module {
	module := must(ctorch.NewModule("Scale", func(m *ctorch.Module, x *ctorch.Tensor) (*ctorch.Tensor, error) {
		weight, err := m.GetParameter("weight")
		if err != nil {
			return nil, err
		}
		return aten.MulTensor(x, weight)
	}))
	check(module.RegisterParameter("weight", leaf(3, 3)))
	return module
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}

func native(v *ctorch.Value) any { return must(v.Native()) }

func TestAFunctionIsAForwardLikeAnyOther(t *testing.T) {
	net := must(nn.Sequential())
	check(net.Append(scaling()))
	check(net.Append(must(nn.ReLU())))
	equal(t, list[float64](must(net.Forward(row(2, -2)))), []float64{6, 0})
	equal(t, must(net.Repr()), "Sequential(\n  (0): Scale()\n  (1): ReLU()\n)")
	equal(t, len(must(net.Parameters(true))), 1)
	check(must(aten.Sum(must(net.Forward(row(2, 1))))).Backward(nil, nil, false))
	equal(t, list[float64](must(must(net.GetParameter("0.weight")).Grad())), []float64{2, 1})
}

func TestAnyValuesGoInAndComeOut(t *testing.T) {
	module := must(ctorch.NewModuleOfValues("Any", func(_ *ctorch.Module, args, kwargs *ctorch.Value) (*ctorch.Value, error) {
		return ctorch.ValueOf(ctorch.Tuple{native(args), native(kwargs)})
	}))
	out := must(module.Call(must(ctorch.ValueOf([]any{int64(1)})), must(ctorch.ValueOf(map[string]any{"bias": true}))))
	got := native(out).(ctorch.Tuple)
	equal(t, got[0], ctorch.Tuple{int64(1)})
	bias, _ := got[1].(ctorch.Dict).Get("bias")
	equal(t, bias, true)
	_, err := must(ctorch.NewModuleOfValues("Holder", nil)).Forward(row(1))
	fails(t, ctorch.ErrorNotImplemented, err)
	_, err = ctorch.NewModuleOfValues("", nil)
	fails(t, ctorch.ErrorValue, err)
}

var errToday = errors.New("not today")

func TestItsErrorAndItsPanicComeOut(t *testing.T) {
	failing := must(ctorch.NewModule("Failing", func(*ctorch.Module, *ctorch.Tensor) (*ctorch.Tensor, error) {
		return nil, errToday
	}))
	_, err := failing.Forward(row(1))
	equal(t, errors.Is(err, errToday), true)
	nothing := must(ctorch.NewModule("Nothing", func(*ctorch.Module, *ctorch.Tensor) (*ctorch.Tensor, error) {
		return nil, nil
	}))
	_, err = nothing.Forward(row(1))
	fails(t, ctorch.ErrorCallback, err)
	panicking := must(ctorch.NewModule("Panicking", func(*ctorch.Module, *ctorch.Tensor) (*ctorch.Tensor, error) {
		panic("oh")
	}))
	defer func() { equal(t, recover(), "oh") }()
	_, _ = panicking.Forward(row(1))
}

func TestTextValuesAndState(t *testing.T) {
	module := scaling()
	check(module.SetExtraRepr(func(m *ctorch.Module) (string, error) { return "mine", nil }))
	equal(t, must(module.Repr()), "Scale(mine)")
	check(module.SetResetParameters(func(m *ctorch.Module) error {
		weight := must(m.GetParameter("weight"))
		return ctorch.NoGrad(func() error { return aten.Fill_Scalar(weight, ctorch.Float(7)) })
	}))
	check(module.ResetParameters())
	equal(t, list[float64](must(module.GetParameter("weight"))), []float64{7, 7})
	count := int64(42)
	check(module.SetExtraState(
		func(*ctorch.Module) (*ctorch.Value, error) { return ctorch.ValueOf(count) },
		func(_ *ctorch.Module, state *ctorch.Value) error { count = native(state).(int64) + 1; return nil }))
	state, _, err := module.StateDict(nil, false)
	check(err)
	_, _, err = module.LoadStateDict(state, nil, true, false)
	check(err)
	equal(t, count, int64(43))
}

func TestCopiesHaveTensorsOfTheirOwn(t *testing.T) {
	module := scaling()
	_, err := module.Copy()
	fails(t, ctorch.ErrorNotImplemented, err)
	check(module.SetCopy(func(*ctorch.Module) (*ctorch.Module, error) { return scaling(), nil }))
	made := must(module.Copy())
	check(ctorch.NoGrad(func() error { return aten.Zero_(must(module.GetParameter("weight"))) }))
	equal(t, list[float64](must(made.Forward(row(1, 2)))), []float64{3, 6})
}

func TestModuleHooksSeeAndReplace(t *testing.T) {
	module, log := scaling(), []string{}
	pre := must(module.RegisterForwardPreHook(func(m *ctorch.Module, args, _ *ctorch.Value) (*ctorch.Value, error) {
		log = append(log, m.Name())
		return nil, nil
	}, false, false))
	post := must(module.RegisterForwardHook(func(_ *ctorch.Module, _, _, out *ctorch.Value) (*ctorch.Value, error) {
		doubled := must(aten.MulScalar(native(out).(*ctorch.Tensor), ctorch.Float(2)))
		return ctorch.ValueOf(doubled)
	}, false, false))
	back := must(module.RegisterFullBackwardHook(func(_ *ctorch.Module, in, out []*ctorch.Tensor) ([]*ctorch.Tensor, error) {
		log = append(log, string(rune('0'+len(in)))+string(rune('0'+len(out))))
		return nil, nil
	}, false))
	y := must(module.Forward(leaf(1, 2)))
	equal(t, list[float64](y), []float64{6, 12})
	check(must(aten.Sum(y)).Backward(nil, nil, false))
	for _, hook := range []*ctorch.Hook{pre, post, back} {
		hook.Remove()
	}
	equal(t, list[float64](must(module.Forward(row(1, 2)))), []float64{3, 6})
	var names []string
	check(module.Apply(func(m *ctorch.Module) error { names = append(names, m.Name()); return nil }))
	equal(t, reflect.DeepEqual(log, []string{"Scale", "11"}) && names[0] == "Scale", true)
}

func TestModulesAreValues(t *testing.T) {
	module := scaling()
	args := must(ctorch.ValueOf([]any{module, must(nn.ReLU(nn.ReLUOptions{}))}))
	net := must(ctorch.NnCreate("Sequential", args, nil))
	equal(t, list[float64](must(net.Forward(row(1, -2)))), []float64{3, 0})
	again := native(args).([]any)
	equal(t, again[0].(*ctorch.Module).Name(), "Scale")
}

func TestTextsGoInAsLists(t *testing.T) {
	pair := must(ctorch.NewModuleOfValues("Pair", nil))
	check(pair.RegisterParameter("a", leaf(1, -4, 2, 3)))
	check(pair.RegisterParameter("b", leaf(-5, 0.5)))
	prune := func(names ...string) error {
		return pair.PruneGlobalUnstructured(names, "L1Unstructured", ctorch.Some(ctorch.Int(3)), nil)
	}
	fails(t, ctorch.ErrorValue, prune())
	fails(t, ctorch.ErrorInvalidArgument, prune("a", "\x00b"))
	check(prune("a", "b"))
	equal(t, list[float64](must(pair.GetBuffer("a_mask"))), []float64{0, 1, 0, 1})
	equal(t, list[float64](must(pair.GetBuffer("b_mask"))), []float64{1, 0})
}
