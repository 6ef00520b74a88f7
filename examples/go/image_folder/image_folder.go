// Train on a folder of images (image_folder FOLDER): FOLDER/train and FOLDER/test have a folder for each class. The program
// of examples/image_folder.c in Go, with the same result.
package main

import (
	"fmt"
	"log"
	"os"
	"runtime"
	"strings"

	"ctorch"
	"ctorch/data"
	"ctorch/datasets"
	"ctorch/nn"
	"ctorch/optim"
	"ctorch/transforms"
)

const (
	size     = 32
	channels = 16
	epochs   = 15
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

// network has convolutions with batch norm, after each the image is halved; the greatest values of what is left; a linear
// layer.
func network(classes int64) *ctorch.Module {
	net := must(nn.Sequential())
	for from, to := int64(3), int64(channels); to <= 4*channels; from, to = to, 2*to {
		check(net.Append(must(nn.Conv2d(from, to, []int64{3}, nn.Conv2dOptions{Padding: []int64{1}}))))
		check(net.Append(must(nn.BatchNorm2d(to))))
		check(net.Append(must(nn.ReLU(nn.ReLUOptions{Inplace: ctorch.Some(true)}))))
		check(net.Append(must(nn.MaxPool2d([]int64{2}))))
	}
	check(net.Append(must(nn.AdaptiveMaxPool2d([]int64{1}))))
	check(net.Append(must(nn.Flatten())))
	check(net.Append(must(nn.Linear(4*channels, classes))))
	return net
}

// batches are images as numbers from -1 to 1; in training a part of each, of another size, flipped or not, in other colours.
// Worker threads read, decode and transform them; the result does not depend on their number.
func batches(folder string, training bool) (*ctorch.Dataset, *ctorch.Loader) {
	var parts []*ctorch.Transform
	if training {
		parts = append(parts,
			must(transforms.RandomResizedCrop([]int64{size, size}, transforms.RandomResizedCropOptions{
				Scale: []float64{0.8, 1},
			})),
			must(transforms.RandomHorizontalFlip()),
			must(transforms.ColorJitter(transforms.ColorJitterOptions{
				Brightness: []float64{0.2}, Contrast: []float64{0.2}, Hue: []float64{0.5},
			})))
	}
	half := []float64{0.5, 0.5, 0.5}
	parts = append(parts,
		must(transforms.ToDtype(ctorch.DtypeFloat32, transforms.ToDtypeOptions{Scale: ctorch.Some(true)})),
		must(transforms.Normalize(half, half)))
	images := must(datasets.ImageFolder(folder, datasets.ImageFolderOptions{
		Transform: must(transforms.Compose(parts)),
	}))
	return images, must(data.DataLoader(images, data.DataLoaderOptions{
		BatchSize: ctorch.Some[int64](20), Shuffle: &training, NumWorkers: ctorch.Some[int64](2),
	}))
}

func main() {
	folder := "examples/data/shapes"
	if len(os.Args) > 1 {
		folder = os.Args[1]
	}
	runtime.LockOSThread()         // the number of threads is a setting of this one
	check(ctorch.ThreadsSetNum(1)) // the tensors are too small for more
	check(ctorch.RandomManualSeed(0))
	images, train := batches(folder+"/train", true)
	_, test := batches(folder+"/test", false)
	var classes []string
	for _, name := range must(images.Attribute("classes")).([]any) {
		classes = append(classes, name.(string))
	}
	fmt.Printf("classes ['%s']\n", strings.Join(classes, "', '"))

	model := network(int64(len(classes)))
	optimizer := must(optim.AdamW(must(model.Parameters(true)), optim.AdamWOptions{Lr: ctorch.Some(3e-3)}))
	trainer := must(ctorch.NewTrainer(model, optimizer))
	check(trainer.SetLoss(must(nn.CrossEntropyLoss())))
	check(trainer.AddMetric("accuracy", nil))
	check(trainer.SetLength(epochs, 0))
	check(trainer.SetValidation(test, 0))
	check(trainer.Fit(train))
	for i, epoch := range must(trainer.History()) {
		fmt.Printf("epoch %2d  loss %.4f  val_loss %.4f  val_accuracy %.4f\n",
			i+1, epoch["loss"], epoch["val_loss"], epoch["val_accuracy"])
	}
}
