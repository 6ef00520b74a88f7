package consumer

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"

	"ctorch"
	"ctorch/aten"
	"ctorch/data"
	"ctorch/nn"
	"ctorch/optim"
	"ctorch/transforms"
	"ctorch/tvtensors"
)

func numbers(length int64, options ...ctorch.CallbackOptions) *ctorch.Dataset {
	return must(ctorch.NewDataset(length, func(index int64) (any, error) { return index, nil }, options...))
}

func loaderOf(dataset *ctorch.Dataset, batchSize, workers int64) *ctorch.Loader {
	return must(data.DataLoader(dataset, data.DataLoaderOptions{BatchSize: &batchSize, NumWorkers: &workers}))
}

func valuesOf(each func(func(any) error) error) (values []any) {
	check(each(func(value any) error {
		if tensor, ok := value.(*ctorch.Tensor); ok {
			value = list[int64](tensor)
		}
		values = append(values, value)
		return nil
	}))
	return values
}

func batchesOf(batches ...[]int64) (values []any) {
	for _, batch := range batches {
		values = append(values, batch)
	}
	return values
}

var onThisThread = ctorch.CallbackOptions{MayThread: ctorch.Some(false)}

func TestADatasetHasALengthSamplesAndAnOrder(t *testing.T) {
	squares := must(ctorch.NewDataset(4, func(index int64) (any, error) { return index * index, nil }))
	equal(t, []any{squares.Name(), must(squares.Len()), squares.IsIterable()}, []any{"Dataset", int64(4), false})
	equal(t, must(squares.Get(-1)), int64(9))
	_, err := squares.Get(4)
	fails(t, ctorch.ErrorIndex, err)
	equal(t, valuesOf(squares.Each), []any{int64(0), int64(1), int64(4), int64(9)})
	last := must(data.Subset(squares, []int64{3}))
	squares.Close()
	equal(t, must(last.Get(0)), int64(9))
	_, err = last.Attribute("classes")
	fails(t, ctorch.ErrorIndex, err)
	_, err = ctorch.NewDataset(-1, func(int64) (any, error) { return nil, nil })
	fails(t, ctorch.ErrorInvalidArgument, err)
}

func TestWorkersAskADatasetAtOnce(t *testing.T) {
	for _, mayThread := range []bool{true, false} {
		var together, most int32
		var mutex sync.Mutex
		dataset := must(ctorch.NewDataset(12, func(index int64) (any, error) {
			mutex.Lock()
			together++
			if together > most {
				most = together
			}
			mutex.Unlock()
			for i := 0; i < 100; i++ {
				runtime.Gosched()
			}
			row, err := aten.Full([]int64{2}, ctorch.Int(index))
			mutex.Lock()
			together--
			mutex.Unlock()
			return ctorch.Tuple{row, "name"}, err
		}, ctorch.CallbackOptions{MayThread: &mayThread}))
		loader := loaderOf(dataset, 2, 2)
		equal(t, must(loader.Len()), int64(6))
		check(loader.Each(func(batch any) error {
			rows, names, err := ctorch.Pair[*ctorch.Tensor, ctorch.Tuple](batch)
			equal(t, err, nil)
			equal(t, []any{rows.Shape(), names}, []any{[]int64{2, 2}, ctorch.Tuple{"name", "name"}})
			return nil
		}))
		if !mayThread && most != 1 {
			t.Fatalf("%d at once", most)
		}
		if statistics := must(loader.Statistics()); statistics.Batches != 6 || statistics.ConsumerWaited <= 0 {
			t.Fatal(statistics)
		}
	}
}

type noSample struct{ index int64 }

func (e noSample) Error() string { return fmt.Sprint("no ", e.index) }

func TestAnErrorOfASampleComesInItsPlace(t *testing.T) {
	for _, workers := range []int64{0, 2} {
		dataset := must(ctorch.NewDataset(6, func(index int64) (any, error) {
			if index == 3 {
				return nil, noSample{index}
			}
			return index, nil
		}))
		batches := must(loaderOf(dataset, 2, workers).Iterate())
		equal(t, list[int64](must(batches.Next()).(*ctorch.Tensor)), []int64{0, 1})
		_, err := batches.Next()
		var no noSample
		if !errors.As(err, &no) || no.index != 3 || err.Error() != "sample 3: no 3" {
			t.Fatal(err)
		}
		equal(t, list[int64](must(batches.Next()).(*ctorch.Tensor)), []int64{4, 5})
		_, err = batches.Next()
		equal(t, err, io.EOF)
		_, err = dataset.Get(3)
		equal(t, err, noSample{3})
	}
	panics := must(ctorch.NewDataset(4, func(int64) (any, error) { panic("on purpose") }))
	defer func() { equal(t, recover(), "on purpose") }()
	_, _ = must(loaderOf(panics, 1, 2).Iterate()).Next()
}

func TestLeavingEarlyEndsTheWorkers(t *testing.T) {
	for _, persistent := range []bool{false, true} {
		var asked int64
		dataset := must(ctorch.NewDataset(1000, func(index int64) (any, error) {
			atomic.AddInt64(&asked, 1)
			return index, nil
		}))
		loader := must(data.DataLoader(dataset, data.DataLoaderOptions{
			NumWorkers: ctorch.Some[int64](2), PersistentWorkers: &persistent,
		}))
		stop := errors.New("enough")
		equal(t, loader.Each(func(any) error { return stop }), stop)
		loader.Close()
		dataset.Close()
		if asked > 100 {
			t.Fatal(asked)
		}
	}
}

func TestAnIterableDatasetSharesItsSamplesAmongWorkers(t *testing.T) {
	dataset := must(ctorch.NewIterableDataset(ctorch.Some[int64](6), func() (ctorch.Source, error) {
		worker, err := ctorch.LoaderWorkerInfo()
		if err != nil {
			return nil, err
		}
		next, step := int64(0), int64(1)
		if worker != nil {
			next, step = worker.ID, worker.NumWorkers
		}
		return ctorch.SourceFunc(func() (any, error) {
			if next >= 6 {
				return nil, io.EOF
			}
			next += step
			return next - step, nil
		}), nil
	}))
	equal(t, must(ctorch.LoaderWorkerInfo()), (*ctorch.WorkerInfo)(nil))
	equal(t, valuesOf(loaderOf(dataset, 2, 0).Each), batchesOf([]int64{0, 1}, []int64{2, 3}, []int64{4, 5}))
	equal(t, valuesOf(loaderOf(dataset, 2, 2).Each), batchesOf([]int64{0, 2}, []int64{1, 3}, []int64{4}, []int64{5}))
	endless := must(ctorch.NewIterableDataset(nil, func() (ctorch.Source, error) {
		return ctorch.SliceSource([]int64{5}), nil
	}, onThisThread))
	_, err := endless.Len()
	fails(t, ctorch.ErrorType, err)
	equal(t, valuesOf(loaderOf(endless, 1, 1).Each), batchesOf([]int64{5}))
}

func TestASamplerOfOnesOwnGivesTheOrder(t *testing.T) {
	backwards := must(ctorch.NewSampler(ctorch.Some[int64](4), func() (ctorch.Source, error) {
		return ctorch.SliceSource([]int64{3, 2, 1, 0}), nil
	}))
	equal(t, []any{must(backwards.Len()), backwards.Name()}, []any{int64(4), "Sampler"})
	loader := must(data.DataLoader(numbers(4), data.DataLoaderOptions{BatchSize: ctorch.Some[int64](3), Sampler: backwards}))
	equal(t, valuesOf(loader.Each), batchesOf([]int64{3, 2, 1}, []int64{0}))
	batches := must(ctorch.NewSampler(nil, func() (ctorch.Source, error) {
		return ctorch.SliceSource([][]int64{{2}, {0, 1}}), nil
	}))
	loader = must(data.DataLoader(numbers(4), data.DataLoaderOptions{BatchSampler: batches}))
	equal(t, valuesOf(loader.Each), batchesOf([]int64{2}, []int64{0, 1}))
	noOrder := errors.New("no order")
	broken := must(ctorch.NewSampler(nil, func() (ctorch.Source, error) { return nil, noOrder }))
	equal(t, broken.Each(func(any) error { return nil }), noOrder)
}

func TestBatchesAndWorkersAreMadeInOnesOwnWay(t *testing.T) {
	for _, options := range [][]ctorch.CallbackOptions{nil, {onThisThread}} {
		loader := loaderOf(numbers(5), 2, 2)
		var begun int64
		check(loader.SetCollate(func(samples any) (any, error) { return len(samples.([]any)), nil }, options...))
		check(loader.SetWorkerInit(func(worker int64) error {
			info, err := ctorch.LoaderWorkerInfo()
			if err == nil && (info == nil || info.ID != worker || info.NumWorkers != 2) {
				err = fmt.Errorf("worker %d is %v", worker, info)
			}
			atomic.AddInt64(&begun, 1)
			return err
		}, options...))
		equal(t, valuesOf(loader.Each), []any{int64(2), int64(2), int64(1)})
		equal(t, begun, int64(2))
	}
}

func TestAPositionIsSavedAndGoneOnFrom(t *testing.T) {
	check(ctorch.RandomManualSeed(3))
	for _, workers := range []int64{0, 2} {
		dataset := numbers(10)
		begin := func() *ctorch.Loader {
			return must(data.DataLoader(dataset, data.DataLoaderOptions{
				BatchSize: ctorch.Some[int64](2), Shuffle: ctorch.Some(true), NumWorkers: &workers,
			}))
		}
		batches := must(begin().Iterate())
		for i := 0; i < 2; i++ {
			ctorch.CloseAll(must(batches.Next()))
		}
		state := must(batches.StateDict())
		rest := valuesOf(batches.Each)
		equal(t, len(rest), 3)
		equal(t, valuesOf(must(begin().IterateFrom(state)).Each), rest)
		again := must(begin().Iterate())
		check(again.LoadStateDict(state))
		equal(t, valuesOf(again.Each), rest)
	}
	_, err := loaderOf(numbers(2), 1, 0).IterateFrom(must(ctorch.ValueOf(1)))
	fails(t, ctorch.ErrorType, err)
}

type countdown struct{ left int64 }

func (c *countdown) Next() (any, error) {
	if c.left == 0 {
		return nil, io.EOF
	}
	c.left--
	return c.left, nil
}

func (c *countdown) StateDict() (any, error) { return c.left, nil }

func (c *countdown) LoadStateDict(state any) error {
	left, ok := state.(int64)
	if !ok {
		return fmt.Errorf("%v is no place", state)
	}
	c.left = left
	return nil
}

func TestASourceOfOnesOwnKnowsWhereItIs(t *testing.T) {
	loader := must(ctorch.NewLoader(ctorch.Some[int64](4), func() (ctorch.Source, error) { return &countdown{4}, nil }))
	values := must(loader.Iterate())
	equal(t, must(values.Next()), int64(3))
	state := must(values.StateDict())
	equal(t, valuesOf(must(loader.IterateFrom(state)).Each), []any{int64(2), int64(1), int64(0)})
	_, err := must(ctorch.NewIterator(ctorch.SliceSource([]int64{1}))).StateDict()
	fails(t, ctorch.ErrorUnsupported, err)
	err = must(ctorch.NewIterator(&countdown{1})).LoadStateDict(must(ctorch.ValueOf(true)))
	equal(t, err.Error(), "true is no place")
}

func TestATransformIsCalledPrintedAndMadeByName(t *testing.T) {
	flip := must(transforms.RandomHorizontalFlip(transforms.RandomHorizontalFlipOptions{P: ctorch.Some(1.0)}))
	image := floats([]int64{1, 1, 2}, 1, 2)
	equal(t, list[float64](must(flip.CallTensor(image, nil))), []float64{2, 1})
	byName := must(ctorch.TransformByName("RandomHorizontalFlip", nil, map[string]any{"p": 1.0}))
	equal(t, []string{byName.String(), byName.Name()}, []string{"RandomHorizontalFlip(p=1.0)", "RandomHorizontalFlip"})
	both := must(ctorch.TransformByName("Compose", ctorch.Tuple{[]any{flip, byName}}, nil))
	equal(t, list[float64](must(both.CallTensor(image, nil))), []float64{1, 2})
	equal(t, fmt.Sprint(both), "Compose(\n      RandomHorizontalFlip(p=1.0)\n      RandomHorizontalFlip(p=1.0)\n)")
	pixels, label, err := ctorch.Pair[*ctorch.Tensor, int64](must(flip.Call(ctorch.Tuple{image, 3}, nil)))
	equal(t, err, nil)
	equal(t, []any{list[float64](pixels), label}, []any{[]float64{2, 1}, int64(3)})
	boxes := must(tvtensors.BoundingBoxes(floats([]int64{1, 4}, 0, 0, 1, 1), "XYXY", []int64{1, 2}))
	turned := must(flip.CallTensor(boxes, nil))
	equal(t, []any{turned.TvTensorKindOf(), turned.TvTensorFormat()}, []any{ctorch.TvTensorBoundingBoxes, "XYXY"})
	equal(t, list[float64](turned), []float64{1, 0, 2, 1})
	same := must(must(ctorch.ValueOf(flip)).Native()).(*ctorch.Transform)
	equal(t, same.Handle(), flip.Handle())
	_, err = ctorch.TransformByName("Nothing", nil, nil)
	fails(t, ctorch.ErrorIndex, err)
	_, _, err = ctorch.Pair[int64, int64](ctorch.Tuple{int64(1), "x"})
	equal(t, err.Error(), "TYPE: expected int64 and int64, got int64 and string")
}

func TestATransformOfOnesOwnIsOneOfADataset(t *testing.T) {
	pairs := must(ctorch.NewDataset(4, func(index int64) (any, error) {
		row, err := aten.Full([]int64{1}, ctorch.Int(index))
		return ctorch.Tuple{row, index}, err
	}))
	for _, mayThread := range []bool{true, false} {
		double := must(ctorch.NewTransform("Double", func(input any, _ *ctorch.Generator) (any, error) {
			return aten.MulScalar(input.(*ctorch.Tensor), ctorch.Int(2))
		}, ctorch.CallbackOptions{MayThread: &mayThread}))
		equal(t, []any{double.MayThread(), double.String()}, []any{mayThread, "Double()"})
		doubled := must(data.TransformedDataset(pairs, data.TransformedDatasetOptions{Transform: double}))
		check(loaderOf(doubled, 4, 2).Each(func(batch any) error {
			rows, targets, err := ctorch.Pair[*ctorch.Tensor, *ctorch.Tensor](batch)
			equal(t, err, nil)
			equal(t, list[int64](rows), []int64{0, 2, 4, 6})
			equal(t, list[int64](targets), []int64{0, 1, 2, 3})
			return nil
		}))
	}
	broken := must(ctorch.NewTransform("Fails", func(any, *ctorch.Generator) (any, error) { return nil, noSample{1} }))
	_, err := broken.Call(nil, nil)
	equal(t, err, noSample{1})
}

func trainer() (*ctorch.Trainer, *ctorch.Loader) {
	x := must(ctorch.FromSlice([]float32{1, 2, 3, 4}, 4, 1))
	y := must(aten.MulScalar(x, ctorch.Int(2)))
	model := must(nn.Linear(1, 1))
	optimizer := must(optim.SGD(must(model.Parameters(true)), optim.SGDOptions{Lr: ctorch.Some(0.01)}))
	trainer := must(ctorch.NewTrainer(model, optimizer))
	check(trainer.SetLength(3, 0))
	return trainer, loaderOf(must(data.TensorDataset([]*ctorch.Tensor{x, y})), 2, 0)
}

func TestATrainerCallsItsFunctionsAndStops(t *testing.T) {
	trainer, loader := trainer()
	fails(t, ctorch.ErrorValue, trainer.Fit(loader)) // neither a loss nor a step
	check(trainer.SetLoss(must(nn.MSELoss())))
	check(trainer.AddMetric("size", func(output, batch any) (float64, error) {
		_, target, err := ctorch.Pair[*ctorch.Tensor, *ctorch.Tensor](batch)
		return float64(len(list[float32](output.(*ctorch.Tensor))) + len(list[float32](target))), err
	}))
	type moment struct {
		event ctorch.TrainerEvent
		step  int64
	}
	var seen []moment
	for _, event := range []ctorch.TrainerEvent{ctorch.TrainerEventBegin, ctorch.TrainerEventEpochEnd, ctorch.TrainerEventEnd} {
		check(trainer.On(event, func(trainer *ctorch.Trainer, event ctorch.TrainerEvent) error {
			seen = append(seen, moment{event, trainer.Step()})
			if trainer.Epoch() == 2 {
				trainer.Stop()
			}
			return nil
		}))
	}
	check(trainer.Fit(loader))
	equal(t, seen, []moment{
		{ctorch.TrainerEventBegin, 0}, {ctorch.TrainerEventEpochEnd, 2}, {ctorch.TrainerEventEpochEnd, 4},
		{ctorch.TrainerEventEnd, 4},
	})
	equal(t, []any{trainer.Stopped(), trainer.Epoch()}, []any{true, int64(2)})
	history := must(trainer.History())
	equal(t, []float64{history[1]["epoch"], history[1]["step"], history[1]["size"]}, []float64{2, 4, 4})
	if metrics := must(trainer.Evaluate(loader)); metrics["size"] != 4 || metrics["loss"] >= history[0]["loss"] {
		t.Fatal(metrics)
	}
}

func TestAContextEndsTheWaitForAWorker(t *testing.T) {
	begun, gate := make(chan int64, 2), make(chan struct{})
	gated := must(ctorch.NewDataset(2, func(index int64) (any, error) {
		begun <- index
		<-gate
		return index, nil
	}))
	loader := loaderOf(gated, 1, 1)
	batches := must(loader.Iterate())
	ctx, cancel := context.WithCancel(context.Background())
	go func() {
		<-begun
		cancel()
	}()
	err := ctorch.WithContext(ctx, func() error {
		_, err := batches.Next()
		return err
	})
	if !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	close(gate)
	if rest := valuesOf(batches.Each); len(rest) != 2 {
		t.Fatal(rest)
	}
}

func TestAContextEndsTraining(t *testing.T) {
	trainer, loader := trainer()
	check(trainer.SetLoss(must(nn.MSELoss())))
	check(trainer.SetLength(0, 1<<60))
	ctx, cancel := context.WithCancel(context.Background())
	go func() {
		for trainer.Step() == 0 {
			runtime.Gosched()
		}
		cancel()
	}()
	if err := ctorch.WithContext(ctx, func() error { return trainer.Fit(loader) }); !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	before := trainer.Step()
	check(trainer.SetLength(0, before+1))
	check(trainer.Fit(loader))
	if trainer.Step() != before+1 {
		t.Fatal(trainer.Step())
	}
}

func TestCtrlCStopsATrainer(t *testing.T) {
	trainer, loader := trainer()
	check(trainer.SetLoss(must(nn.MSELoss())))
	check(trainer.SetInterruptible(true))
	check(trainer.On(ctorch.TrainerEventStep, func(trainer *ctorch.Trainer, _ ctorch.TrainerEvent) error {
		// To this very thread, which has handled it before it goes on; a second one would end the process.
		pid, thread := uintptr(os.Getpid()), uintptr(syscall.Gettid())
		if _, _, failure := syscall.RawSyscall(syscall.SYS_TGKILL, pid, thread, uintptr(syscall.SIGINT)); failure != 0 {
			return failure
		}
		return nil
	}))
	check(trainer.Fit(loader))
	if !trainer.Stopped() || trainer.Epoch() == 3 {
		t.Fatal(trainer.Step())
	}
}

func TestAnErrorOfATrainersFunctionEndsTheLoop(t *testing.T) {
	trainer, loader := trainer()
	check(trainer.SetStep(func(trainer *ctorch.Trainer, model *ctorch.Module, batch any) (*ctorch.Tensor, error) {
		if trainer.Step() == 3 {
			return nil, noSample{trainer.Step()}
		}
		x, y, err := ctorch.Pair[*ctorch.Tensor, *ctorch.Tensor](batch)
		if err != nil {
			return nil, err
		}
		output, err := model.Forward(x)
		if err != nil {
			return nil, err
		}
		return aten.MseLoss(output, y)
	}))
	equal(t, trainer.Fit(loader), noSample{3})
	equal(t, []any{trainer.Step(), trainer.Stopped()}, []any{int64(3), false})
	check(trainer.SetStep(nil))
	fails(t, ctorch.ErrorValue, trainer.Fit(loader))
}
