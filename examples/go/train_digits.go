// Train a small convolutional network, in the manner of LeNet (LeCun et al. 1998), on handwritten digits: the program of
// examples/train_digits.c in Go. The same options give the same losses, to the last digit.
package main

import (
	"encoding/binary"
	"flag"
	"fmt"
	"log"
	"os"
	"runtime"
	"strconv"

	"ctorch"
	"ctorch/aten"
	"ctorch/nn"
	"ctorch/optim"
)

const (
	classes     = 10
	imageSize   = 8
	momentum    = 0.9
	weightDecay = 1e-3
	distortion  = 0.2
)

type tensor = ctorch.Tensor

// digits are images (N, 1, 8, 8), 0 to 1, and their labels (N).
type digits struct {
	images, labels *tensor
	count          int64
}

// readIDX reads a file of bytes: 00 00 08, the number of dimensions, each as four big-endian bytes, the elements.
func readIDX(path string, ndim int) (*tensor, error) {
	bytes, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	start := 4 + 4*ndim
	if len(bytes) < start || binary.BigEndian.Uint32(bytes) != uint32(0x800+ndim) {
		return nil, fmt.Errorf("%s: no IDX file of bytes with %d dimensions", path, ndim)
	}
	sizes := make([]int64, ndim)
	for i := range sizes {
		sizes[i] = int64(binary.BigEndian.Uint32(bytes[4+4*i:]))
	}
	return ctorch.FromSlice(bytes[start:], sizes...)
}

func readDigits(folder, part string) (digits, error) {
	images, err := readIDX(folder+"/"+part+"-images-idx3-ubyte", 3)
	if err != nil {
		return digits{}, err
	}
	labels, err := readIDX(folder+"/"+part+"-labels-idx1-ubyte", 1)
	if err != nil {
		return digits{}, err
	}
	var c chain
	images = c.add(aten.DivScalar(c.add(aten.Unsqueeze(images, 1)), ctorch.Int(16)))
	labels = c.add(aten.ToDtype(labels, ctorch.DtypeInt64))
	return digits{images, labels, labels.Numel()}, c.err
}

// chain remembers the first error of calls that are written inside each other; after it they get nil, and fail too.
type chain struct{ err error }

func (c *chain) add(t *tensor, err error) *tensor {
	c.check(err)
	return t
}

func (c *chain) check(err error) {
	if c.err == nil {
		c.err = err
	}
}

// newNetwork makes the network: conv1, relu, conv2, relu, pool, fc1, relu, fc2.
func newNetwork() (*ctorch.Module, error) {
	net, err := ctorch.NewModule("Network", forward)
	if err != nil {
		return nil, err
	}
	padded := nn.Conv2dOptions{Padding: []int64{1}}
	for _, layer := range []struct {
		name string
		make func() (*ctorch.Module, error)
	}{
		{"conv1", func() (*ctorch.Module, error) { return nn.Conv2d(1, 32, []int64{3}, padded) }},
		{"conv2", func() (*ctorch.Module, error) { return nn.Conv2d(32, 64, []int64{3}, padded) }},
		{"fc1", func() (*ctorch.Module, error) { return nn.Linear(64*4*4, 128) }},
		{"fc2", func() (*ctorch.Module, error) { return nn.Linear(128, classes) }},
	} {
		module, err := layer.make()
		if err == nil {
			err = net.RegisterModule(layer.name, module)
		}
		if err != nil {
			return nil, err
		}
	}
	return net, nil
}

// forward turns images (N, 1, 8, 8) into a score for each class (N, 10).
func forward(net *ctorch.Module, images *tensor) (*tensor, error) {
	var c chain
	layer := func(name string, x *tensor) *tensor {
		module, err := net.GetSubmodule(name)
		c.check(err)
		return c.add(module.Forward(x))
	}
	x := c.add(aten.Relu(layer("conv1", images)))
	x = c.add(aten.MaxPool2d(c.add(aten.Relu(layer("conv2", x))), []int64{2, 2}))
	x = c.add(aten.FlattenUsingInts(x, aten.FlattenUsingIntsOptions{StartDim: ctorch.Some[int64](1)}))
	x = c.add(aten.Relu(layer("fc1", x)))
	return layer("fc2", x), c.err
}

func uniform(t *tensor, bound float64) error {
	return aten.Uniform_(t, aten.Uniform_Options{From: ctorch.Some(-bound), To: ctorch.Some(bound)})
}

// training is a network, and what changes its parameters: stochastic gradient descent with momentum.
type training struct {
	net       *ctorch.Module
	optimizer *ctorch.Optimizer
}

func newTraining(net *ctorch.Module, lr float64) (*training, error) {
	parameters, err := net.Parameters(true)
	if err != nil {
		return nil, err
	}
	optimizer, err := optim.SGD(parameters, optim.SGDOptions{
		Lr: ctorch.Some(lr), Momentum: ctorch.Some(momentum), WeightDecay: ctorch.Some(weightDecay),
	})
	return &training{net, optimizer}, err
}

// distort turns, shears, stretches and shifts each image a little, anew each time.
func distort(images *tensor) (*tensor, error) {
	const bilinear, zeros = 0, 0
	var c chain
	count := images.Shape()[0]
	identity := c.add(aten.EyeM(2, 3))
	maps := c.add(aten.EmptyMemoryFormat([]int64{count, 2, 3}))
	c.check(uniform(maps, distortion))
	c.check(aten.Add_Tensor(maps, identity))
	grid := c.add(aten.AffineGridGenerator(maps, []int64{count, 1, imageSize, imageSize}, false))
	return c.add(aten.GridSampler(images, grid, bilinear, zeros, false)), c.err
}

func trainStep(t *training, train digits, batch *tensor) (float64, error) {
	var c chain
	images := c.add(distort(c.add(aten.IndexSelect(train.images, 0, batch))))
	labels := c.add(aten.IndexSelect(train.labels, 0, batch))
	loss := c.add(aten.CrossEntropyLoss(c.add(t.net.Forward(images)), labels))
	if c.err != nil {
		return 0, c.err
	}
	c.check(t.optimizer.ZeroGrad(true))
	c.check(loss.Backward(nil, nil, false))
	c.check(t.optimizer.Step())
	value, err := loss.ItemDouble()
	c.check(err)
	return value, c.err
}

// trainEpoch is one pass over the images in a new order; it gives the mean loss.
func trainEpoch(t *training, train digits, batchSize int64) (float64, error) {
	order, err := aten.Randperm(train.count)
	if err != nil {
		return 0, err
	}
	batches, err := aten.SplitTensor(order, batchSize)
	if err != nil {
		return 0, err
	}
	sum := 0.0
	for _, batch := range batches {
		loss, err := trainStep(t, train, batch)
		if err != nil {
			return 0, err
		}
		sum += loss * float64(batch.Numel())
	}
	return sum / float64(train.count), nil
}

func test(net *ctorch.Module, data digits) error {
	return ctorch.NoGrad(func() error {
		var c chain
		scores := c.add(net.Forward(data.images))
		predictions := c.add(aten.Argmax(scores, aten.ArgmaxOptions{Dim: ctorch.Some[int64](1)}))
		right, err := c.add(aten.Sum(c.add(aten.EqTensor(predictions, data.labels)))).ItemInt64()
		if c.check(err); c.err == nil {
			fmt.Printf("test accuracy %.2f %% (%d of %d)\n", 100*float64(right)/float64(data.count), right, data.count)
		}
		return c.err
	})
}

func run() error {
	epochs := flag.Int64("epochs", 30, "passes over the training images")
	batchSize := flag.Int64("batch-size", 32, "images per step")
	lr := flag.Float64("lr", 0.05, "learning rate at the start; it falls linearly to 0")
	seed := flag.Uint64("seed", 0, "seed of weights, order and distortion")
	threads := flag.Int("threads", 1, "threads that LibTorch computes with")
	data := flag.String("data", "examples/data", "folder with the four IDX files")
	losses := flag.String("losses", "", "write the mean loss of each epoch to this file, with all its digits")
	flag.Parse()
	runtime.LockOSThread() // the number of threads is a setting of this one
	if err := ctorch.ThreadsSetNum(int32(*threads)); err != nil {
		return err
	}
	if err := ctorch.RandomManualSeed(*seed); err != nil {
		return err
	}
	testData, err := readDigits(*data, "t10k")
	if err != nil {
		return err
	}
	net, err := newNetwork()
	if err != nil {
		return err
	}
	t, err := newTraining(net, *lr)
	if err != nil {
		return err
	}
	train, err := readDigits(*data, "train")
	if err != nil {
		return err
	}
	text := ""
	for epoch := int64(0); epoch < *epochs; epoch++ {
		if err := t.optimizer.SetLr(*lr * (1 - float64(epoch)/float64(*epochs))); err != nil {
			return err
		}
		loss, err := trainEpoch(t, train, *batchSize)
		if err != nil {
			return err
		}
		fmt.Printf("epoch %2d/%d  loss %.4f\n", epoch+1, *epochs, loss)
		text += strconv.FormatFloat(loss, 'g', 17, 64) + "\n"
	}
	if *losses != "" {
		if err := os.WriteFile(*losses, []byte(text), 0o644); err != nil {
			return err
		}
	}
	return test(net, testData)
}

func main() {
	if err := run(); err != nil {
		log.Fatalln("train_digits:", err)
	}
}
