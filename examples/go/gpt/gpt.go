// A GPT, small: it learns a text byte by byte (gpt TEXT STEPS, or some sonnets), and then writes one: the program of
// examples/gpt.c in Go. The same arguments give the same losses and the same text.
package main

import (
	"fmt"
	"io"
	"log"
	"math"
	"os"
	"runtime"
	"strconv"

	"ctorch"
	"ctorch/aten"
	"ctorch/optim"
)

const (
	byteValues  = 256
	context     = 64
	width       = 64
	heads       = 4
	blocks      = 2
	blockLen    = 4 // the parameters of a block
	batchSize   = 16
	sampleLen   = 200
	mostBytes   = 1 << 20 // of the text
	temperature = 0.8
	topK        = 40
)

type tensor = ctorch.Tensor

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

// readText gives the bytes of a file as int64.
func readText(path string) (*tensor, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	bytes, err := io.ReadAll(io.LimitReader(file, mostBytes))
	if err != nil {
		return nil, err
	}
	text := make([]int64, len(bytes))
	for i, b := range bytes {
		text[i] = int64(b)
	}
	return ctorch.FromSlice(text, int64(len(text)))
}

// sample gives rows of bytes, (rows, length), from random places of a text.
func sample(text *tensor, rows, length int64) (*tensor, error) {
	var c chain
	places := c.add(aten.Randint(text.Numel()-length+1, []int64{rows, 1}))
	places = c.add(aten.AddTensor(places, c.add(aten.Arange(ctorch.Int(length)))))
	return c.add(aten.Take(text, places)), c.err
}

// draw gives one of the classes, (1, 1), by their scores, (1, classes): of the best ones alone, a little sharpened.
func draw(scores *tensor) (*tensor, error) {
	var c chain
	x := c.add(aten.DivScalar(scores, ctorch.Float(temperature)))
	best, _, err := aten.Topk(x, topK)
	c.check(err)
	worse := c.add(aten.LtTensor(x, c.add(aten.Narrow(best, 1, topK-1, 1))))
	x = c.add(aten.MaskedFillScalar(x, worse, ctorch.Float(math.Inf(-1))))
	return c.add(aten.Multinomial(c.add(aten.SoftmaxInt(x, -1)), 1)), c.err
}

// gpt has in each block qkv, projection, widen and narrow; then the embedding of bytes and that of places.
type gpt struct {
	parameters []*tensor
	optimizer  *ctorch.Optimizer
}

func newGPT() (*gpt, error) {
	var c chain
	var shapes [][]int64
	for i := 0; i < blocks; i++ {
		shapes = append(shapes, [][]int64{{3 * width, width}, {width, width}, {4 * width, width}, {width, 4 * width}}...)
	}
	var parameters []*tensor
	for _, shape := range append(shapes, []int64{byteValues, width}, []int64{context, width}) {
		parameter := c.add(aten.Randn(shape))
		c.check(aten.Mul_Scalar(parameter, ctorch.Float(0.08)))
		if c.err == nil {
			c.check(parameter.SetRequiresGrad(true))
		}
		parameters = append(parameters, parameter)
	}
	if c.err != nil {
		return nil, c.err
	}
	optimizer, err := optim.AdamW(parameters, optim.AdamWOptions{
		Lr: ctorch.Some(3e-3), Betas: []float64{0.9, 0.95}, Eps: ctorch.Some(1e-8), WeightDecay: ctorch.Some(0.1),
	})
	return &gpt{parameters, optimizer}, err
}

// forward gives the scores of the byte after each place: of a batch of texts, (batch, len, byteValues).
func (g *gpt) forward(bytes *tensor) (*tensor, error) {
	var c chain
	norm := func(x *tensor) *tensor { return c.add(aten.LayerNorm(x, []int64{width})) }
	linear := func(x, weight *tensor) *tensor { return c.add(aten.Linear(x, weight)) }
	batch, length := bytes.Shape()[0], bytes.Shape()[1]
	embedding, places := g.parameters[blocks*blockLen], g.parameters[blocks*blockLen+1]
	x := c.add(aten.Embedding(embedding, bytes))
	x = c.add(aten.AddTensor(x, c.add(aten.Narrow(places, 0, 0, length))))
	for i := 0; i < blocks; i++ {
		block := g.parameters[i*blockLen:]
		y := linear(norm(x), block[0])
		y = c.add(aten.View(y, []int64{batch, length, 3, heads, width / heads}))
		qkv, err := aten.UnbindInt(c.add(aten.Permute(y, []int64{2, 0, 3, 1, 4})))
		if c.check(err); c.err != nil {
			return nil, c.err
		}
		causal := aten.ScaledDotProductAttentionOptions{IsCausal: ctorch.Some(true)}
		y = c.add(aten.ScaledDotProductAttention(qkv[0], qkv[1], qkv[2], causal))
		y = c.add(aten.Reshape(c.add(aten.TransposeInt(y, 1, 2)), []int64{batch, length, width}))
		x = c.add(aten.AddTensor(x, linear(y, block[1])))
		y = c.add(aten.Gelu(linear(norm(x), block[2])))
		x = c.add(aten.AddTensor(x, linear(y, block[3])))
	}
	return linear(norm(x), embedding), c.err
}

func (g *gpt) trainStep(text *tensor) (float64, error) {
	var c chain
	bytes := c.add(sample(text, batchSize, context+1))
	targets := c.add(aten.Narrow(bytes, 1, 1, context))
	bytes = c.add(aten.Narrow(bytes, 1, 0, context))
	if c.err != nil {
		return 0, c.err
	}
	scores := c.add(aten.TransposeInt(c.add(g.forward(bytes)), 1, 2)) // the classes come second
	loss := c.add(aten.CrossEntropyLoss(scores, targets))
	if c.err != nil {
		return 0, c.err
	}
	c.check(g.optimizer.ZeroGrad(true))
	c.check(loss.Backward(nil, nil, false))
	c.check(g.optimizer.Step())
	value, err := loss.ItemDouble()
	c.check(err)
	return value, c.err
}

// writeOn lets the model go on after "\n", a byte at a time.
func (g *gpt) writeOn() error {
	text, err := ctorch.FromSlice([]int64{'\n'}, 1, 1)
	if err != nil {
		return err
	}
	var written []byte
	for i := 0; i < sampleLen; i++ {
		var c chain
		seen, err := text.IndexText(":, -64:", nil, nil)
		if err != nil {
			return err
		}
		next := c.add(draw(c.add(aten.SelectInt(c.add(g.forward(seen)), 1, -1))))
		text = c.add(aten.Cat([]*tensor{text, next}, aten.CatOptions{Dim: ctorch.Some[int64](1)}))
		if c.err != nil {
			return c.err
		}
		value, err := next.ItemInt64()
		if err != nil {
			return err
		}
		written = append(written, byte(value))
	}
	_, err = os.Stdout.Write(written)
	return err
}

func run() error {
	path, steps := "examples/data/sonnets.txt", 200
	if len(os.Args) > 1 {
		path = os.Args[1]
	}
	if len(os.Args) > 2 {
		var err error
		if steps, err = strconv.Atoi(os.Args[2]); err != nil {
			return err
		}
	}
	runtime.LockOSThread()                          // the number of threads is a setting of this one
	if err := ctorch.ThreadsSetNum(1); err != nil { // the tensors are too small for more
		return err
	}
	if err := ctorch.RandomManualSeed(1); err != nil {
		return err
	}
	text, err := readText(path)
	if err != nil {
		return err
	}
	model, err := newGPT()
	if err != nil {
		return err
	}
	for step := 1; step <= steps; step++ {
		loss, err := model.trainStep(text)
		if err != nil {
			return err
		}
		if step%50 == 0 || steps < 50 {
			fmt.Printf("step %d: loss %.3f\n", step, loss)
		}
	}
	return ctorch.NoGrad(model.writeOn)
}

func main() {
	if err := run(); err != nil {
		log.Fatalln("gpt:", err)
	}
}
