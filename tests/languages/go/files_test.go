package consumer

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"ctorch"
	"ctorch/aten"
	"ctorch/lrscheduler"
	"ctorch/nn"
	"ctorch/npy"
	"ctorch/npz"
	"ctorch/optim"
	"ctorch/safetensors"
	"ctorch/sharded"
)

// Files that Python wrote are in one folder, and those that it reads go to the other one; file_exchange.py tells what is in
// them.

func given(name string) string { return filepath.Join(os.Getenv("CTORCH_TEST_GIVEN"), name) }
func made(name string) string  { return filepath.Join(os.Getenv("CTORCH_TEST_MADE"), name) }

func sample() map[string]*ctorch.Tensor {
	return map[string]*ctorch.Tensor{
		"weight": must(ctorch.FromSlice([]float32{0, 0.25, 0.5, 0.75, 1, 1.25}, 2, 3)),
		"half":   must(aten.ToDtype(must(ctorch.FromSlice([]float32{1, -0.5}, 2)), ctorch.DtypeBfloat16)),
		"count":  must(ctorch.FromSlice([]int64{7})),
	}
}

func state() ctorch.Dict {
	return ctorch.Dict{
		{Key: "weight", Value: sample()["weight"]}, {Key: "step", Value: int64(7)}, {Key: "rate", Value: 0.5},
		{Key: "name", Value: "net"}, {Key: "flags", Value: []any{true, nil}},
		{Key: "pair", Value: ctorch.Tuple{int64(1), "x"}},
	}
}

func same(t *testing.T, a, b *ctorch.Tensor) {
	t.Helper()
	equal(t, a.Dtype(), b.Dtype())
	equal(t, must(aten.Equal(a, b)), true)
}

func isState(t *testing.T, found any) {
	t.Helper()
	read, expected := found.(ctorch.Dict), state()
	same(t, read[0].Value.(*ctorch.Tensor), expected[0].Value.(*ctorch.Tensor))
	equal(t, read[0].Key, "weight")
	equal(t, read[1:], expected[1:])
}

func isSample(t *testing.T, tensors map[string]*ctorch.Tensor) {
	t.Helper()
	equal(t, len(tensors), 3)
	for name, tensor := range sample() {
		same(t, tensors[name], tensor)
	}
}

func TestANamedTupleKeepsItsNames(t *testing.T) {
	names := strings.Split(string(must(os.ReadFile(given("named.txt")))), "\n")
	model := must(ctorch.JitLoadFile(given("named.pt"), nil))
	input := must(ctorch.ValuesOf(must(ctorch.FromSlice([]float32{1, 2}, 2))))
	value := must(model.Call(nil, input, nil))
	found := must(value.Native()).(ctorch.NamedTuple)
	equal(t, append([]string{found.Name}, found.Fields...), names)
	logits, ok := found.Get("logits")
	equal(t, ok && logits == found.Tuple[0], true)
	same(t, logits.(*ctorch.Tensor), must(ctorch.FromSlice([]float32{2, 4}, 2)))
	equal(t, found.Tuple[1].(int64), int64(3))
	equal(t, must(must(value.Field("count")).ToInt()), int64(3))
	_, ok = found.Get("x")
	equal(t, ok, false)
	_, count, err := ctorch.Pair[*ctorch.Tensor, int64](found)
	equal(t, err == nil && count == 3, true)
	again := must(must(ctorch.ValueOf(found)).Native())
	equal(t, again.(ctorch.Tuple)[1].(int64), int64(3))
	ctorch.CloseAll(again)
	ctorch.CloseAll(found)
}

func TestLoadReadsWhatPythonSaved(t *testing.T) {
	for _, name := range []string{"state.pt", "legacy.pt"} {
		path := given(name)
		isState(t, must(ctorch.Load(path)))
		isState(t, must(ctorch.Load(path, ctorch.LoadOptions{Mmap: true, MapLocation: &ctorch.CPU})))
		data := must(os.ReadFile(path))
		isState(t, must(ctorch.LoadBytes(data)))
		isState(t, must(ctorch.LoadFrom(bytes.NewReader(data), int64(len(data)))))
		var places []any
		isState(t, must(ctorch.Load(path, ctorch.LoadOptions{
			MapLocationFunc: func(location string, device *ctorch.Device) (*ctorch.Device, error) {
				places = append(places, location, *device)
				return nil, nil
			},
		})))
		equal(t, places, []any{"cpu", ctorch.CPU})
		moved := must(ctorch.Load(path, ctorch.LoadOptions{
			MapLocationFunc: func(string, *ctorch.Device) (*ctorch.Device, error) { return &ctorch.Meta, nil },
		})).(ctorch.Dict)
		equal(t, must(moved[0].Value.(*ctorch.Tensor).Device()), ctorch.Meta)
	}
}

func TestAFunctionAllowsClasses(t *testing.T) {
	path := given("unknown.pt")
	_, err := ctorch.Load(path)
	equal(t, strings.Contains(fails(t, ctorch.ErrorFormat, err).Message, "fractions.Fraction"), true)
	var asked []string
	loaded := must(ctorch.Load(path, ctorch.LoadOptions{
		MapLocation: &ctorch.CPU,
		Allow: func(module, name string) (bool, error) {
			asked = append(asked, module, name)
			return true, nil
		},
	})).(ctorch.Dict)
	equal(t, asked, []string{"fractions", "Fraction"})
	object := loaded[0].Value.(*ctorch.PythonObject)
	equal(t, []string{object.Module, object.Name}, asked)
	never := errors.New("never")
	_, err = ctorch.Load(path, ctorch.LoadOptions{Allow: func(string, string) (bool, error) { return true, never }})
	equal(t, err, never)
	_, err = ctorch.Load(path, ctorch.LoadOptions{Allow: func(string, string) (bool, error) { return false, nil }})
	fails(t, ctorch.ErrorFormat, err)
}

func TestWeightsOfAnyFormatAreRead(t *testing.T) {
	path := given("model.safetensors")
	data := must(os.ReadFile(path))
	for _, weights := range []*ctorch.Weights{must(ctorch.OpenWeights(path, true)), must(ctorch.WeightsOf(data))} {
		equal(t, []any{weights.Format(), weights.Len()}, []any{"safetensors", 3})
		place := must(weights.Find("weight"))
		equal(t, must(weights.Shape(place)), []int64{2, 3})
		equal(t, must(weights.Dtype(place)), ctorch.DtypeFloat32)
		equal(t, must(must(weights.Metadata()).Native()), ctorch.Dict{{Key: "by", Value: "python"}})
		same(t, must(weights.Tensor("half")), sample()["half"])
		equal(t, list[float32](must(weights.Slice("weight", []int64{1, -2}, []int64{2, 3}))), []float32{1, 1.25})
		equal(t, len(weights.Names()), 3)
		isSample(t, must(weights.Tensors()))
		_, err := weights.Tensor("bias")
		fails(t, ctorch.ErrorIndex, err)
		_, err = weights.Shape(3)
		fails(t, ctorch.ErrorIndex, err)
		weights.Close()
		_, err = weights.Tensors()
		equal(t, err, nil)
		_, err = weights.Shape(0)
		fails(t, ctorch.ErrorInvalidHandle, err)
	}
	isSample(t, must(safetensors.LoadFile(path)))
	isSample(t, must(safetensors.Load(data)))
	isSample(t, must(sharded.Load(given("sharded"))))
	same(t, must(npy.LoadFile(given("x.npy"))), sample()["weight"])
	same(t, must(npy.Load(must(os.ReadFile(given("x.npy"))))), sample()["weight"])
	arrays := must(npz.LoadFile(given("sample.npz")))
	same(t, arrays["count"], sample()["count"])
	same(t, must(npz.Load(must(os.ReadFile(given("sample.npz")))))["weight"], sample()["weight"])
	equal(t, must(ctorch.OpenWeights(given("state.pt"), false)).Names(), []string{"weight"})
}

func TestFailuresOfFilesAreErrors(t *testing.T) {
	for _, name := range []string{"damaged.pt", "damaged.safetensors", "damaged.npz"} {
		_, err := ctorch.Load(given(name))
		fails(t, ctorch.ErrorFormat, err)
		_, err = ctorch.LoadBytes(must(os.ReadFile(given(name))))
		fails(t, ctorch.ErrorFormat, err)
		_, err = safetensors.LoadFile(given(name))
		fails(t, ctorch.ErrorFormat, err)
		_, err = npz.Load(must(os.ReadFile(given(name))))
		fails(t, ctorch.ErrorFormat, err)
	}
	nowhere := filepath.Join(t.TempDir(), "nowhere", "x.pt")
	_, err := ctorch.Load(nowhere)
	fails(t, ctorch.ErrorIo, err)
	fails(t, ctorch.ErrorIo, ctorch.Save(1, nowhere))
	_, err = ctorch.OpenWeights(nowhere, true)
	fails(t, ctorch.ErrorIo, err)
	fails(t, ctorch.ErrorInvalidArgument, ctorch.Save(1, "a\x00b"))
	fails(t, ctorch.ErrorType, ctorch.Save(struct{}{}, filepath.Join(t.TempDir(), "x.pt")))
	x := sample()["weight"]
	_, err = safetensors.Save(map[string]*ctorch.Tensor{"a": x, "b": x}, nil)
	fails(t, ctorch.ErrorRuntime, err)
	equal(t, ctorch.SaveTo(failing{}, state()), errFull)
	_, err = ctorch.LoadFrom(failing{}, 100)
	equal(t, err, errFull)
	_, err = ctorch.LoadFrom(bytes.NewReader(make([]byte, 10)), 100)
	equal(t, err, io.ErrUnexpectedEOF)
	reader := must(ctorch.ReaderAt(bytes.NewReader(must(os.ReadFile(given("state.pt")))), 1000))
	check(reader.SetProgress(func(int) error { return errFull }))
	_, err = ctorch.LoadValue(reader)
	equal(t, err, errFull)
	reader.Close()
	_, err = ctorch.LoadValue(reader)
	fails(t, ctorch.ErrorInvalidHandle, err)
	_, err = reader.ReadAt(nil, 0)
	fails(t, ctorch.ErrorInvalidHandle, err)
}

var errFull = errors.New("full")

type failing struct{}

func (failing) Write([]byte) (int, error)         { return 0, errFull }
func (failing) ReadAt([]byte, int64) (int, error) { return 0, errFull }

func TestReadersAndWritersAreGosOwn(t *testing.T) {
	reader := must(ctorch.ReaderOf([]byte("0123456789")))
	data := make([]byte, 4)
	n, err := reader.ReadAt(data, 3)
	equal(t, []any{n, err, string(data)}, []any{4, nil, "3456"})
	n, err = reader.ReadAt(data, 8)
	equal(t, []any{n, err, string(data[:n])}, []any{2, io.EOF, "89"})
	_, err = reader.ReadAt(data, 11)
	equal(t, err, io.EOF)
	_, err = reader.ReadAt(data, -1)
	fails(t, ctorch.ErrorIndex, err)
	equal(t, string(must(io.ReadAll(io.NewSectionReader(reader, 0, 10)))), "0123456789")
	writer := must(ctorch.NewWriter())
	equal(t, len(writer.Bytes()), 0)
	must(io.Copy(writer, strings.NewReader("abc")))
	equal(t, must(writer.Write(nil)), 0)
	check(writer.Finish())
	equal(t, string(writer.Bytes()), "abc")
	_, err = writer.Write([]byte("d"))
	fails(t, ctorch.ErrorRuntime, err)
	empty := must(ctorch.ReaderOf(nil))
	_, err = ctorch.LoadValue(empty)
	fails(t, ctorch.ErrorFormat, err)
}

func TestPythonReadsWhatIsWritten(t *testing.T) {
	check(ctorch.Save(state(), made("state.pt")))
	data := must(ctorch.SaveBytes(state()))
	check(os.WriteFile(made("bytes.pt"), data, 0o600))
	var stream bytes.Buffer
	check(ctorch.SaveTo(&stream, state()))
	equal(t, stream.Bytes(), data)
	told := 0
	writer := must(ctorch.WriterTo(io.Discard))
	check(writer.SetProgress(func(nbytes int) error { told = nbytes; return nil }))
	by := map[string]string{"by": "consumer"}
	check(safetensors.SaveTo(writer, sample(), by))
	check(writer.Finish())
	equal(t, writer.Bytes() == nil, true)
	check(safetensors.SaveFile(sample(), made("model.safetensors"), by))
	data = must(safetensors.Save(sample(), by))
	equal(t, told, len(data))
	check(os.WriteFile(made("bytes.safetensors"), data, 0o600))
	linear := must(nn.Linear(3, 2))
	for _, parameter := range must(linear.Parameters(true)) {
		check(ctorch.NoGrad(func() error { return aten.Zero_(parameter) }))
	}
	check(safetensors.SaveModel(linear, made("linear.safetensors"), nil))
	other := must(nn.Linear(3, 2))
	missing, unexpected, err := safetensors.LoadModel(other, made("linear.safetensors"), true)
	equal(t, []any{missing, unexpected, err}, []any{[]string{}, []string{}, nil})
	equal(t, list[float32](must(other.GetParameter("weight"))), make([]float32, 6))
	_, unexpected, err = safetensors.LoadModel(must(nn.ReLU()), made("linear.safetensors"), false)
	equal(t, []any{unexpected, err}, []any{[]string{"bias", "weight"}, nil})
	_, _, err = safetensors.LoadModel(must(nn.ReLU()), made("linear.safetensors"), true)
	fails(t, ctorch.ErrorRuntime, err)
	tensors := sample()
	check(npy.SaveFile(tensors["weight"], made("x.npy")))
	check(os.WriteFile(made("bytes.npy"), must(npy.Save(tensors["weight"])), 0o600))
	check(os.Mkdir(made("sharded"), 0o700))
	check(sharded.Save(tensors, made("sharded"), sharded.Options{MaxShardNbytes: 24}))
	delete(tensors, "half") // NumPy has no bfloat16
	check(npz.SaveFile(tensors, true, made("sample.npz")))
	check(os.WriteFile(made("bytes.npz"), must(npz.Save(tensors, true)), 0o600))
}

type training struct {
	model     *ctorch.Module
	optimizer *ctorch.Optimizer
	scheduler *ctorch.LrScheduler
	snapshots *ctorch.Snapshots
	place     *int64
}

func start() training {
	model := must(nn.Linear(3, 2))
	optimizer := must(optim.AdamW(must(model.Parameters(true)), optim.AdamWOptions{Lr: ctorch.Some(0.1)}))
	run := training{model, optimizer, must(lrscheduler.StepLR(optimizer, 2)), must(ctorch.SnapshotsOpen(made("run"))), new(int64)}
	place := run.place
	check(run.snapshots.AddModule("model", model))
	check(run.snapshots.AddOptimizer("optimizer", optimizer))
	check(run.snapshots.AddLrScheduler("scheduler", run.scheduler))
	load := func(state any) error {
		*place = state.(ctorch.Dict)[0].Value.(int64)
		return nil
	}
	check(run.snapshots.AddCallback("loader", func() (any, error) { return map[string]int64{"place": *place}, nil }, load))
	check(run.snapshots.SetKeep(1, 1, false))
	return run
}

func (run training) steps(count int) {
	for i := 0; i < count; i++ {
		x := must(aten.Randn([]int64{4, 3})) // the generator is part of a snapshot
		check(run.optimizer.ZeroGrad(true))
		loss := must(aten.Sum(must(aten.Square(must(run.model.Forward(x))))))
		check(loss.Backward(nil, nil, false))
		check(run.optimizer.Step())
		check(run.scheduler.Step())
		*run.place++
	}
}

func TestARunGoesOnWhereASnapshotWasTaken(t *testing.T) {
	check(ctorch.ManualSeed(5))
	first := start()
	found, _, _, err := first.snapshots.Resume(nil)
	equal(t, []any{found, err}, []any{false, nil})
	first.steps(3)
	check(first.snapshots.Save(1, 3, ctorch.Some(0.25)))
	first.steps(3)
	second := start()
	found, epoch, step, err := second.snapshots.Resume(ctorch.Some("best"))
	equal(t, []any{found, epoch, step, err}, []any{true, int64(1), int64(3), nil})
	equal(t, []any{*second.place, must(second.scheduler.LastEpoch())}, []any{int64(3), int64(3)})
	second.steps(3)
	others := must(second.model.Parameters(true))
	for i, parameter := range must(first.model.Parameters(true)) {
		same(t, parameter, others[i])
	}
	damaged := made("run/snapshot-000000000009.pt")
	check(os.WriteFile(damaged, []byte("no snapshot"), 0o600))
	_, _, _, err = start().snapshots.Resume(nil)
	fails(t, ctorch.ErrorFormat, err)
	check(os.Remove(damaged))
	saving := func() (any, error) { return nil, errFull }
	check(second.snapshots.AddCallback("failing", saving, func(any) error { return nil }))
	_, _, _, err = second.snapshots.Resume(nil)
	fails(t, ctorch.ErrorIndex, err)
	equal(t, second.snapshots.Save(1, 10, nil), errFull)
	third := start().snapshots
	fails(t, ctorch.ErrorValue, third.AddCallback("model", saving, nil))
	third.Close()
	fails(t, ctorch.ErrorInvalidHandle, third.Save(0, 0, nil))
}
