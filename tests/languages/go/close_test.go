// What is closed while a call uses it: the call goes on, and the object ends with it.
package consumer

import (
	"errors"
	"sync"
	"testing"

	"ctorch"
	"ctorch/aten"
)

// stillThere fails if closing, in the middle of a call that uses it, gives an object back.
func stillThere(t *testing.T, what string, close func()) {
	t.Helper()
	before := ctorch.DebugLiveHandles()
	close()
	if after := ctorch.DebugLiveHandles(); after != before {
		t.Errorf("%s: %d handles before it was closed, %d after", what, before, after)
	}
}

func TestACallKeepsWhatIsClosedMeanwhile(t *testing.T) {
	x := leaf(3)
	y := must(aten.MulTensor(x, x))
	hook := must(y.RegisterHook(func(*ctorch.Tensor) (*ctorch.Tensor, error) {
		stillThere(t, "tensor", y.Close)
		return nil, nil
	}))
	defer hook.Close()
	check(y.Backward(nil, nil, false))
	equal(t, list[float64](must(x.Grad())), []float64{6})
	fails(t, ctorch.ErrorInvalidHandle, y.Backward(nil, nil, false))

	var dataset *ctorch.Dataset
	dataset = must(ctorch.NewDataset(2, func(index int64) (any, error) {
		stillThere(t, "dataset", dataset.Close)
		return index, nil
	}))
	equal(t, must(dataset.Get(1)), int64(1))
	_, err := dataset.Get(1)
	fails(t, ctorch.ErrorInvalidHandle, err)

	var module *ctorch.Module
	module = must(ctorch.NewModule("Twice", func(*ctorch.Module, *ctorch.Tensor) (*ctorch.Tensor, error) {
		stillThere(t, "module", module.Close)
		return must(aten.MulScalar(x, ctorch.Int(2))), nil
	}))
	equal(t, list[float64](must(module.Forward(x))), []float64{6})
	_, err = module.Forward(x)
	fails(t, ctorch.ErrorInvalidHandle, err)

	list := []*ctorch.Tensor{leaf(1), leaf(2)}
	_, err = ctorch.Checkpoint(func([]*ctorch.Tensor) ([]*ctorch.Tensor, error) {
		for _, tensor := range list {
			stillThere(t, "list", tensor.Close)
		}
		return nil, errors.New("enough")
	}, list...)
	equal(t, err.Error(), "enough")
}

// Every call that began before the other goroutine closed the tensor has the right answer, every later one an error.
func TestGoroutinesCloseWhatOthersUse(t *testing.T) {
	for round := 0; round < 2000; round++ {
		x := row(1, 2)
		var both sync.WaitGroup
		both.Add(2)
		go func() {
			defer both.Done()
			for {
				y, err := aten.AddTensor(x, x)
				if err != nil {
					fails(t, ctorch.ErrorInvalidHandle, err)
					return
				}
				equal(t, list[float64](y), []float64{2, 4})
				y.Close()
				if copied := x.Retain(); copied != nil {
					equal(t, copied.Shape(), []int64{2})
					copied.Close()
				}
			}
		}()
		go func() {
			defer both.Done()
			x.Close()
			x.Close()
		}()
		both.Wait()
	}
}
