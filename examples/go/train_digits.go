// Train a small convolutional network, in the manner of LeNet (LeCun et al. 1998), on handwritten digits: the program of
// examples/train_digits.c in Go. The same options give the same losses, to the last digit.
package main

import (
	"flag"
	"fmt"
	"log"
	"os"
	"runtime"
	"strconv"

	"ctorch"
	"ctorch/data"
	"ctorch/datasets"
	"ctorch/lrscheduler"
	"ctorch/nn"
	"ctorch/optim"
	"ctorch/transforms"
)

const classes = 10

var (
	epochs    = flag.Int64("epochs", 30, "passes over the training images")
	batchSize = flag.Int64("batch-size", 32, "images per step")
	lr        = flag.Float64("lr", 0.05, "learning rate at the start; it falls linearly to 0")
	seed      = flag.Uint64("seed", 0, "seed of weights, order and transforms")
	threads   = flag.Int("threads", 1, "threads that LibTorch computes with")
	workers   = flag.Int64("workers", 0, "further threads that load batches; the result is the same")
	folder    = flag.String("data", "examples/data", "folder with the four IDX files")
	losses    = flag.String("losses", "", "write the mean loss of each epoch to this file")
)

// must gives the result of a call; what fails ends the program.
func must[T any](x T, err error) T {
	check(err)
	return x
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}

// network takes images (N, 1, 8, 8) and gives a score for each class (N, 10).
func network() *ctorch.Module {
	padded := nn.Conv2dOptions{Padding: []int64{1}}
	relu := must(nn.ReLU(nn.ReLUOptions{Inplace: ctorch.Some(true)})) // one for all three places: it has no parameters
	layers := []struct {
		name   string
		module *ctorch.Module
	}{
		{"conv1", must(nn.Conv2d(1, 32, []int64{3}, padded))},
		{"relu1", relu},
		{"conv2", must(nn.Conv2d(32, 64, []int64{3}, padded))},
		{"relu2", relu},
		{"pool", must(nn.MaxPool2d([]int64{2}))},
		{"flatten", must(nn.Flatten())},
		{"fc1", must(nn.Linear(64*4*4, 128))},
		{"relu3", relu},
		{"fc2", must(nn.Linear(128, classes))},
	}
	net := must(nn.Sequential())
	for _, layer := range layers {
		check(net.RegisterModule(layer.name, layer.module))
	}
	return net
}

// batches are those of a part of the data, with pixels from 0 to 1; in training each image is turned, shifted, stretched and
// sheared a little, anew each time.
func batches(part string) *ctorch.Loader {
	training := part == "train"
	parts := []*ctorch.Transform{
		must(transforms.ToDtype(ctorch.DtypeFloat32)),
		must(transforms.Normalize([]float64{0}, []float64{16})),
	}
	if training {
		parts = append(parts, must(transforms.RandomAffine([]float64{10}, transforms.RandomAffineOptions{
			Translate: []float64{0.1, 0.1}, Scale: []float64{0.85, 1.15}, Shear: []float64{10},
			Interpolation: ctorch.Some("bilinear"),
		})))
	}
	file := func(kind string) string { return fmt.Sprintf("%s/%s-%s-ubyte", *folder, part, kind) }
	all := datasets.IDXFileOptions{Transform: must(transforms.Compose(parts))}
	digits := must(datasets.IDXFile(file("images-idx3"), file("labels-idx1"), all))
	return must(data.DataLoader(digits, data.DataLoaderOptions{
		BatchSize: batchSize, Shuffle: &training, NumWorkers: workers,
	}))
}

func main() {
	flag.Parse()
	runtime.LockOSThread() // the number of threads is a setting of this one
	check(ctorch.ThreadsSetNum(int32(*threads)))
	check(ctorch.RandomManualSeed(*seed))
	net := network()
	optimizer := must(optim.SGD(must(net.Parameters(true)), optim.SGDOptions{
		Lr: lr, Momentum: ctorch.Some(0.9), WeightDecay: ctorch.Some(1e-3),
	}))
	scheduler := must(lrscheduler.LinearLR(optimizer, lrscheduler.LinearLROptions{
		StartFactor: ctorch.Some(1.0), EndFactor: ctorch.Some(0.0), TotalIters: epochs,
	}))

	trainer := must(ctorch.NewTrainer(net, optimizer))
	check(trainer.SetLoss(must(nn.CrossEntropyLoss())))
	check(trainer.AddMetric("accuracy", nil))
	check(trainer.SetLrScheduler(scheduler, false, nil))
	check(trainer.SetLength(*epochs, 0))
	check(trainer.SetProgress(ctorch.TrainerProgressAuto))
	check(trainer.Fit(batches("train")))

	metrics := must(trainer.Evaluate(batches("t10k")))
	fmt.Printf("test loss %.4f, accuracy %.2f %%\n", metrics["loss"], 100*metrics["accuracy"])
	if *losses != "" {
		file := must(os.Create(*losses))
		for _, epoch := range must(trainer.History()) {
			must(file.WriteString(strconv.FormatFloat(epoch["loss"], 'g', 17, 64) + "\n"))
		}
		check(file.Close())
	}
}
