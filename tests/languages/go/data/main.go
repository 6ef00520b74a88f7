// What data_program.py has in Python: a line of numbers for each case.
package main

import (
	"fmt"
	"log"
	"os"

	"ctorch"
	"ctorch/aten"
	"ctorch/data"
	"ctorch/datasets"
	"ctorch/nn"
	"ctorch/optim"
	"ctorch/transforms"
)

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

func show(name string, numbers []float64) {
	fmt.Print(name, ":")
	for _, n := range numbers {
		fmt.Printf(" %.17g", n)
	}
	fmt.Println()
}

func floats(x *tensor) []float64 {
	return must(ctorch.ToSlice[float64](must(x.To(ctorch.Some(ctorch.DtypeFloat64), nil, false, false, nil))))
}

func ints(x *ctorch.Sampler) (numbers []float64) {
	check(x.Each(func(index any) error {
		numbers = append(numbers, float64(index.(int64)))
		return nil
	}))
	return numbers
}

func generator(seed uint64) *ctorch.Generator {
	made := must(ctorch.NewGenerator(nil))
	check(made.ManualSeed(seed))
	return made
}

func arange(end int64, dtype ctorch.Dtype, sizes ...int64) *tensor {
	numbers := must(aten.Arange(ctorch.Int(end), aten.ArangeOptions{Dtype: &dtype}))
	return must(aten.Reshape(numbers, sizes))
}

func inputs() *tensor {
	return must(aten.DivScalar(arange(40, ctorch.DtypeFloat32, 10, 4), ctorch.Int(8)))
}

func pairs() *ctorch.Dataset {
	return must(data.TensorDataset([]*tensor{inputs(), arange(10, ctorch.DtypeInt64, 10)}))
}

func labels(loader *ctorch.Loader) (all []float64) {
	check(loader.Each(func(batch any) error {
		_, labels, err := ctorch.Pair[*tensor, *tensor](batch)
		if err == nil {
			all = append(append(all, floats(labels)...), -1)
		}
		return err
	}))
	return all
}

func orders() {
	pairs := pairs()
	for _, workers := range []int64{0, 2} {
		check(ctorch.RandomManualSeed(5))
		options := data.DataLoaderOptions{BatchSize: ctorch.Some[int64](3), Shuffle: ctorch.Some(true), NumWorkers: &workers}
		loader := must(data.DataLoader(pairs, options))
		show(fmt.Sprint("shuffled ", workers), append(labels(loader), labels(loader)...))
	}
	random := must(data.RandomSampler(pairs, data.RandomSamplerOptions{Generator: generator(1)}))
	show("random", append(ints(random), ints(random)...))
	options := data.RandomSamplerOptions{
		Replacement: ctorch.Some(true), NumSamples: ctorch.Some[int64](7), Generator: generator(2),
	}
	show("replaced", ints(must(data.RandomSampler(pairs, options))))
	weights := []float64{0.1, 0.2, 0.3, 0.4}
	drawn := data.WeightedRandomSamplerOptions{Generator: generator(3)}
	show("weighted", ints(must(data.WeightedRandomSampler(weights, 6, drawn))))
	some := data.SubsetRandomSamplerOptions{Generator: generator(4)}
	show("subset", ints(must(data.SubsetRandomSampler([]int64{4, 6, 8, 9}, some))))
	seeded := data.DistributedSamplerOptions{Seed: ctorch.Some[int64](6)}
	distributed := must(data.DistributedSampler(pairs, 3, 1, seeded))
	batches := must(data.BatchSampler(distributed, 3, false))
	check(batches.SetEpoch(2))
	var all []float64
	check(batches.Each(func(batch any) error {
		for _, index := range batch.([]any) {
			all = append(all, float64(index.(int64)))
		}
		all = append(all, -1)
		return nil
	}))
	show("distributed", all)
	parts := must(data.RandomSplit(pairs, []int64{7, 3}, data.RandomSplitOptions{Generator: generator(7)}))
	show("split", append(floats(parts[0]), floats(parts[1])...))
}

func callbacks() {
	squares := must(ctorch.NewDataset(7, func(index int64) (any, error) {
		pair, err := aten.Full([]int64{2}, ctorch.Float(float64(index)))
		return ctorch.Tuple{pair, index * index}, err
	}))
	for _, workers := range []int64{0, 2} {
		var all []float64
		options := data.DataLoaderOptions{BatchSize: ctorch.Some[int64](3), NumWorkers: &workers}
		check(must(data.DataLoader(squares, options)).Each(func(batch any) error {
			a, b, err := ctorch.Pair[*tensor, *tensor](batch)
			if err == nil {
				all = append(append(all, floats(a)...), floats(b)...)
			}
			return err
		}))
		show(fmt.Sprint("callback ", workers), all)
	}
}

func images(folder string) {
	image := arange(3*8*8, ctorch.DtypeUint8, 3, 8, 8)
	both := must(transforms.Compose([]*ctorch.Transform{
		must(transforms.RandomCrop([]int64{4, 4})),
		must(transforms.RandomHorizontalFlip()),
		must(transforms.ToDtype(ctorch.DtypeFloat32, transforms.ToDtypeOptions{Scale: ctorch.Some(true)})),
	}))
	var all []float64
	drawn := generator(8)
	for i := 0; i < 3; i++ {
		all = append(all, floats(must(both.CallTensor(image, drawn)))...)
	}
	show("transformed", all)

	noisy := must(ctorch.NewTransform("Noisy", func(input any, generator *ctorch.Generator) (any, error) {
		noise, err := aten.RandGenerator([]int64{3}, aten.RandGeneratorOptions{Generator: generator})
		if err != nil {
			return nil, err
		}
		return aten.AddTensor(input.(*tensor), noise)
	}))
	row := must(aten.SliceTensor(must(aten.Reshape(image, []int64{3 * 8 * 8})), aten.SliceTensorOptions{End: ctorch.Some[int64](3)}))
	all, drawn = nil, generator(9)
	for i := 0; i < 3; i++ {
		all = append(all, floats(must(noisy.Call(row, drawn)).(*tensor))...)
	}
	show("noisy", all)

	all = nil
	check(must(datasets.ImageFolder(folder + "/images")).Each(func(sample any) error {
		pixels, label, err := ctorch.Pair[*tensor, int64](sample)
		if err == nil {
			all = append(append(all, floats(pixels)...), float64(label))
		}
		return err
	}))
	show("folder", all)
}

type run struct {
	epochs    int64
	snapshots string
	ownStep   bool
}

// train gives the losses, and the history as numbers.
func train(run run) (losses, history []float64) {
	check(ctorch.RandomManualSeed(1))
	linear, output := must(nn.Linear(4, 8)), must(nn.Linear(8, 3))
	model := must(nn.Sequential())
	for _, part := range []*ctorch.Module{linear, must(nn.Tanh()), output} {
		check(model.Append(part))
	}
	optimizer := must(optim.SGD(must(model.Parameters(true)), optim.SGDOptions{
		Lr: ctorch.Some(0.1), Momentum: ctorch.Some(0.9), Foreach: ctorch.Some(false),
	}))
	x, y := inputs(), must(aten.RemainderScalar(arange(10, ctorch.DtypeInt64, 10), ctorch.Int(3)))
	loader := must(data.DataLoader(
		must(data.TensorDataset([]*tensor{x, y})),
		data.DataLoaderOptions{BatchSize: ctorch.Some[int64](3), Shuffle: ctorch.Some(true)}))
	four := aten.SliceTensorOptions{End: ctorch.Some[int64](4)}
	some := must(data.TensorDataset([]*tensor{must(aten.SliceTensor(x, four)), must(aten.SliceTensor(y, four))}))
	validation := must(data.DataLoader(some, data.DataLoaderOptions{BatchSize: ctorch.Some[int64](2)}))

	trainer := must(ctorch.NewTrainer(model, optimizer))
	check(trainer.SetLength(run.epochs, 0))
	check(trainer.SetValidation(validation, 0))
	if run.ownStep {
		check(trainer.SetStep(func(_ *ctorch.Trainer, model *ctorch.Module, batch any) (*tensor, error) {
			inputs, targets, err := ctorch.Pair[*tensor, *tensor](batch)
			if err != nil {
				return nil, err
			}
			output, err := model.Forward(inputs)
			if err != nil {
				return nil, err
			}
			return aten.CrossEntropyLoss(output, targets)
		}))
	} else {
		check(trainer.SetLoss(must(nn.CrossEntropyLoss())))
		check(trainer.AddMetric("accuracy", func(output, batch any) (float64, error) {
			_, targets, err := ctorch.Pair[*tensor, *tensor](batch)
			if err != nil {
				return 0, err
			}
			found, err := aten.Argmax(output.(*tensor), aten.ArgmaxOptions{Dim: ctorch.Some[int64](1)})
			if err != nil {
				return 0, err
			}
			hits := floats(must(aten.EqTensor(found, targets)))
			sum := 0.0
			for _, hit := range hits {
				sum += hit
			}
			return sum / float64(len(hits)), nil
		}))
	}
	if run.snapshots != "" {
		check(trainer.SetSnapshots(must(ctorch.SnapshotsOpen(run.snapshots)), 0, nil))
	}
	check(trainer.On(ctorch.TrainerEventBatchEnd, func(trainer *ctorch.Trainer, _ ctorch.TrainerEvent) error {
		loss, err := trainer.Loss()
		losses = append(losses, loss)
		return err
	}))
	check(trainer.Fit(loader))
	if !run.ownStep {
		for _, epoch := range must(trainer.History()) {
			history = append(history, epoch["loss"], epoch["accuracy"], epoch["val_loss"], epoch["val_accuracy"])
		}
	}
	return losses, history
}

func trained(folder string) {
	losses, history := train(run{epochs: 2})
	show("losses", losses)
	show("history", history)
	snapshots := folder + "/snapshots"
	train(run{epochs: 1, snapshots: snapshots})
	resumed, _ := train(run{epochs: 2, snapshots: snapshots})
	show("resumed", resumed)
	own, _ := train(run{epochs: 2, ownStep: true})
	show("step", own)
}

func main() {
	orders()
	callbacks()
	images(os.Args[1])
	trained(os.Args[1])
	for i := 0; i < 3; i++ {
		ctorch.Collect()
	}
	fmt.Println(ctorch.DebugLiveHandles(), "live handles")
}
