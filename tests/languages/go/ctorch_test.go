// The Go package against values in closed form; test_go.py runs it.
package consumer

import (
	"errors"
	"fmt"
	"math"
	"os"
	"os/exec"
	"reflect"
	"runtime"
	"strings"
	"sync"
	"testing"

	"ctorch"
	"ctorch/aten"
	"ctorch/nn"
	"ctorch/nninit"
)

func must[T any](x T, err error) T {
	if err != nil {
		panic(err)
	}
	return x
}

func floats(shape []int64, data ...float64) *ctorch.Tensor {
	return must(ctorch.FromSlice(data, shape...))
}
func row(data ...float64) *ctorch.Tensor          { return floats([]int64{int64(len(data))}, data...) }
func list[T ctorch.Element](t *ctorch.Tensor) []T { return must(ctorch.ToSlice[T](t)) }

func leaf(data ...float64) *ctorch.Tensor {
	x := row(data...)
	if err := x.SetRequiresGrad(true); err != nil {
		panic(err)
	}
	return x
}

func equal(t *testing.T, got, want any) {
	t.Helper()
	if !reflect.DeepEqual(got, want) {
		t.Fatalf("got %v, want %v", got, want)
	}
}

func fails(t *testing.T, kind ctorch.ErrorKind, err error) *ctorch.Error {
	t.Helper()
	if !errors.Is(err, kind) {
		t.Fatalf("got %v, want %v", err, kind)
	}
	var e *ctorch.Error
	if !errors.As(err, &e) || e.Message == "" || e.Error() != kind.Name()+": "+e.Message {
		t.Fatalf("%#v", err)
	}
	return e
}

// At the end every handle is closed, by hand or by the collector.
func TestMain(m *testing.M) {
	if os.Getenv("CTORCH_TEST_FORGET") != "" {
		fmt.Println("highest", forget(200)>>20)
		os.Exit(0)
	}
	status := m.Run()
	for i := 0; i < 3; i++ {
		ctorch.Collect()
	}
	if live := ctorch.DebugLiveHandles(); live != 0 {
		fmt.Println("live handles:", live)
		fmt.Println(must(ctorch.DebugReport()))
		status = 1
	}
	os.Exit(status)
}

func TestDefaultsAndOptions(t *testing.T) {
	a, b := row(1, 2), row(10, 20)
	equal(t, list[float64](must(aten.AddTensor(a, b))), []float64{11, 22})
	equal(t, list[float64](must(aten.AddTensor(a, b, aten.AddTensorOptions{Alpha: ctorch.Some(ctorch.Int(2))}))), []float64{21, 42})
	equal(t, list[float64](must(aten.AddTensor(a, b, aten.AddTensorOptions{Alpha: ctorch.Some(ctorch.Float(0.5))}))), []float64{6, 12})
	x := floats([]int64{2, 3}, 3, 1, 2, 6, 5, 4)
	equal(t, list[int64](must(aten.Argsort(x))), []int64{1, 2, 0, 2, 1, 0})
	equal(t, list[int64](must(aten.Argsort(x, aten.ArgsortOptions{Dim: ctorch.Some[int64](0), Descending: ctorch.Some(true)}))), []int64{1, 1, 1, 0, 0, 0})
	near := must(aten.AddScalar(x, ctorch.Float(1e-12)))
	equal(t, must(aten.Allclose(x, near)), true)
	equal(t, must(aten.Allclose(x, near, aten.AllcloseOptions{Rtol: ctorch.Some(0.0), Atol: ctorch.Some(1e-13)})), false)
}

// What Python draws and computes from the same seed.
func TestModulesOfSchemaFiles(t *testing.T) {
	ones := must(ctorch.FromSlice(make([]float32, 16), 1, 1, 4, 4))
	if err := aten.Fill_Scalar(ones, ctorch.Float(1)); err != nil {
		t.Fatal(err)
	}
	defer ones.Close()
	ctorch.ManualSeed(0)
	conv := must(nn.Conv2d(1, 2, []int64{3, 2}, nn.Conv2dOptions{Stride: []int64{2}, Padding: []int64{1}}))
	defer conv.Close()
	y := must(conv.Forward(ones))
	defer y.Close()
	equal(t, y.Shape(), []int64{1, 2, 2, 3})
	equal(t, math.Round(float64(list[float32](y)[11])*1e6), -438072.0) // the last digits are the processor's
	parameters := must(conv.Parameters(true))
	equal(t, len(parameters), 2)
	for _, p := range parameters {
		p.Close()
	}
	same, no := "same", false
	ctorch.ManualSeed(0)
	named := must(nn.Conv2dPadding(1, 2, []int64{3}, nn.Conv2dPaddingOptions{Padding: &same, Bias: &no}))
	defer named.Close()
	z := must(named.Forward(ones))
	defer z.Close()
	equal(t, list[float32](z)[0], float32(0.19571614265441895))
	relu := "relu"
	weight := must(ctorch.FromSlice(make([]float32, 4), 2, 2))
	defer weight.Close()
	ctorch.ManualSeed(0)
	if err := nninit.KaimingUniform_(weight, nninit.KaimingUniform_Options{Nonlinearity: &relu}); err != nil {
		t.Fatal(err)
	}
	equal(t, list[float32](weight)[2], float32(-1.425555944442749))
	none := int64(0)
	_, err := nn.Conv2d(1, 1, []int64{1}, nn.Conv2dOptions{Groups: &none})
	equal(t, fails(t, ctorch.ErrorValue, err).Message, "groups must be positive, got 0")
}

func TestLists(t *testing.T) {
	x := floats([]int64{2, 2}, 1, 2, 3, 4)
	equal(t, list[float64](must(aten.Amax(x))), []float64{4})
	equal(t, list[float64](must(aten.Amax(x, aten.AmaxOptions{Dim: []int64{}}))), []float64{4})
	equal(t, list[float64](must(aten.Amax(x, aten.AmaxOptions{Dim: []int64{0}}))), []float64{3, 4})
	equal(t, must(aten.Zeros(nil)).Shape(), []int64{})
	equal(t, must(aten.Zeros([]int64{0, 3})).Shape(), []int64{0, 3})
	a, b := row(1), row(2)
	equal(t, list[float64](must(aten.Cat([]*ctorch.Tensor{a, b}))), []float64{1, 2})
	_, err := aten.Cat(nil)
	fails(t, ctorch.ErrorValue, err)
	parts := must(aten.SplitTensor(must(aten.Arange(ctorch.Int(10))), 4))
	equal(t, []int64{parts[0].Numel(), parts[1].Numel(), parts[2].Numel()}, []int64{4, 4, 2})
	column := must(ctorch.FromSlice([]int64{1}, 1))
	equal(t, list[float64](must(aten.IndexTensor(x, []*ctorch.Tensor{nil, column}))), []float64{2, 4})
	if err := aten.PrivateForeachAdd_Scalar([]*ctorch.Tensor{a, b}, ctorch.Int(10)); err != nil {
		t.Fatal(err)
	}
	equal(t, list[float64](must(aten.Cat([]*ctorch.Tensor{a, b}))), []float64{11, 12})
	spacing, err := aten.GradientScalarrayarray(row(1, 4, 9), []ctorch.Scalar{ctorch.Float(2)}, []int64{0})
	equal(t, list[float64](must(spacing[0], err)), []float64{1.5, 2, 2.5})
}

// What an operator changes is the caller's already: Go returns the error alone, as C does.
func TestArgumentsThatAnOperatorWritesTo(t *testing.T) {
	x, values, indices := row(2, 1), row(), must(ctorch.FromSlice([]int64{}, 0))
	if err := aten.SortValues(x, values, indices); err != nil {
		t.Fatal(err)
	}
	equal(t, list[float64](values), []float64{1, 2})
	equal(t, list[int64](indices), []int64{1, 0})
}

func TestAListOfStridesHasALengthOfItsOwn(t *testing.T) {
	storage := must(ctorch.StorageFromTensor(row(0, 1, 2, 3, 4, 5)))
	x := must(ctorch.TensorFromStorage(storage, 0, []int64{2, 3}, []int64{1, 2}, ctorch.DtypeFloat64))
	equal(t, list[float64](x), []float64{0, 2, 4, 1, 3, 5})
	equal(t, must(ctorch.TensorFromStorage(storage, 0, []int64{2, 3}, nil, ctorch.DtypeFloat64)).Strides(), []int64{3, 1})
	for _, strides := range [][]int64{{}, {1}, {1, 2, 1}} {
		_, err := ctorch.TensorFromStorage(storage, 0, []int64{2, 3}, strides, ctorch.DtypeFloat64)
		message := fails(t, ctorch.ErrorInvalidArgument, err).Message
		equal(t, strings.Contains(message, fmt.Sprintf("%d strides for 2 sizes", len(strides))), true)
	}
}

func TestPlainTypes(t *testing.T) {
	x := must(aten.Zeros([]int64{1, 2, 2, 2}, aten.ZerosOptions{Dtype: ctorch.Some(ctorch.DtypeInt16), Device: &ctorch.CPU}))
	equal(t, []any{x.Dtype(), x.Layout(), must(x.Device())}, []any{ctorch.DtypeInt16, ctorch.LayoutStrided, ctorch.CPU})
	meta := must(aten.EmptyMemoryFormat([]int64{1, 2, 2, 2}, aten.EmptyMemoryFormatOptions{
		Device: &ctorch.Meta, MemoryFormat: ctorch.Some(ctorch.MemoryFormatChannelsLast),
	}))
	equal(t, meta.Strides(), []int64{8, 1, 4, 2})
	equal(t, must(meta.Device()).String()+" "+ctorch.CUDA(1).String(), "meta cuda:1")
	equal(t, must(aten.PromoteTypes(ctorch.DtypeInt64, ctorch.DtypeFloat16)), ctorch.DtypeFloat16)
	equal(t, ctorch.DtypeBfloat16.Name()+" "+ctorch.DtypeBfloat16.String(), "bfloat16 DtypeBfloat16")
	_, err := aten.Zeros([]int64{1}, aten.ZerosOptions{Dtype: ctorch.Some(ctorch.Dtype(999))})
	fails(t, ctorch.ErrorInvalidArgument, err)
}

func TestTexts(t *testing.T) {
	x := row(7, -7)
	floor := aten.DivTensorModeOptions{RoundingMode: ctorch.Some("floor")}
	equal(t, list[float64](must(aten.DivTensorMode(x, row(2), floor))), []float64{3, -4})
	equal(t, list[float64](must(aten.DivTensorMode(x, row(2)))), []float64{3.5, -3.5})
	m := floats([]int64{2, 2}, 1, 2, 3, 4)
	equal(t, list[float64](must(aten.Einsum("ij,jk->ik", []*ctorch.Tensor{m, m}))), []float64{7, 10, 15, 22})
	_, err := aten.Einsum("i\x00j", []*ctorch.Tensor{m})
	fails(t, ctorch.ErrorInvalidArgument, err)
	equal(t, must(must(ctorch.ValueFromString("grüße")).Text()), "grüße")
	equal(t, string(must(must(ctorch.ValueFromBytes([]byte("a\x00\xff"))).Bytes())), "a\x00\xff")
	equal(t, string(must(must(ctorch.ValueFromBytes(nil)).Bytes())), "")
	equal(t, must(must(ctorch.ValueFromStringData([]byte("a\x00b"))).Text()), "a\x00b")
	equal(t, must(must(ctorch.ValueFromIntBytes([]byte{0, 0, 0, 0, 0, 0, 0, 0, 1})).ToDecimal()), "18446744073709551616")
}

func TestResults(t *testing.T) {
	values, indices, err := aten.Sort(row(3, 1, 2))
	equal(t, err, nil)
	equal(t, list[float64](values), []float64{1, 2, 3})
	equal(t, list[int64](indices), []int64{1, 2, 0})
	ones := func(shape ...int64) *ctorch.Tensor {
		return must(aten.Ones(shape, aten.OnesOptions{Dtype: ctorch.Some(ctorch.DtypeFloat64)}))
	}
	input, weight, bias, err := aten.ConvolutionBackward(ones(1, 1, 2, 2), ones(1, 1, 3, 3), ones(1, 1, 2, 2),
		[]int64{1, 1}, []int64{0, 0}, []int64{1, 1}, false, []int64{0, 0}, 1, []bool{false, true, false})
	equal(t, err, nil)
	equal(t, []bool{input.Defined(), weight.Defined(), bias.Defined()}, []bool{false, true, false})
	equal(t, list[float64](weight), []float64{4, 4, 4, 4})
}

func TestNumbersAreExact(t *testing.T) {
	for _, n := range []int64{math.MinInt64, math.MaxInt64, 1<<53 + 1, -1} {
		equal(t, must(must(ctorch.FromSlice([]int64{n})).ItemInt64()), n)
		equal(t, must(must(ctorch.TensorFromScalar(ctorch.Int(n), nil)).Item()), ctorch.Int(n))
		equal(t, must(must(ctorch.ValueFromInt(n)).ToInt()), n)
	}
	equal(t, must(must(ctorch.FromSlice([]uint64{math.MaxUint64})).Item()), ctorch.Uint(math.MaxUint64))
	special := list[float64](row(math.NaN(), math.Inf(1), math.Inf(-1), math.Copysign(0, -1)))
	equal(t, []bool{math.IsNaN(special[0]), math.IsInf(special[1], 1), math.IsInf(special[2], -1), math.Signbit(special[3])},
		[]bool{true, true, true, true})
	z := must(aten.Full([]int64{1}, ctorch.Complex(1-2i), aten.FullOptions{Dtype: ctorch.Some(ctorch.DtypeComplex128)}))
	equal(t, list[complex128](z), []complex128{1 - 2i})
	equal(t, must(z.Item()).String(), "(1-2i)")
	equal(t, list[bool](must(aten.GtScalar(row(1, 3), ctorch.Int(2)))), []bool{false, true})
}

func TestGenerator(t *testing.T) {
	generator := must(ctorch.NewGenerator(nil))
	random := func() []float32 {
		equal(t, generator.ManualSeed(42), nil)
		return list[float32](must(aten.RandGenerator([]int64{5}, aten.RandGeneratorOptions{Generator: generator})))
	}
	equal(t, random(), random())
}

func TestSlices(t *testing.T) {
	x := must(ctorch.FromSlice([]int32{1, 2, 3, 4, 5, 6}, 2, 3))
	equal(t, []any{x.Shape(), x.Strides(), x.Dtype(), x.Numel()}, []any{[]int64{2, 3}, []int64{3, 1}, ctorch.DtypeInt32, int64(6)})
	equal(t, list[int32](must(aten.T(x))), []int32{1, 4, 2, 5, 3, 6})
	_, err := ctorch.ToSlice[float32](x)
	fails(t, ctorch.ErrorDtypeMismatch, err)
	_, err = ctorch.FromSlice([]int32{1}, 2)
	fails(t, ctorch.ErrorInvalidArgument, err)
	equal(t, list[float32](must(ctorch.FromSlice([]float32{}, 0))), []float32{})
	equal(t, must(ctorch.FromSlice([]float32{1, 2.5}, 2)).String(), "tensor([1.0000, 2.5000])")
	equal(t, list[int32](must(x.IndexText("%d, ::2", []int64{1}, nil))), []int32{4, 6})
}

func TestClose(t *testing.T) {
	x := row(1)
	y := x.Retain()
	x.Close()
	x.Close()
	_, err := aten.Relu(x)
	fails(t, ctorch.ErrorInvalidHandle, err)
	_, err = aten.Linear(y, y, aten.LinearOptions{Bias: x})
	fails(t, ctorch.ErrorInvalidHandle, err)
	_, err = aten.Cat([]*ctorch.Tensor{y, x})
	fails(t, ctorch.ErrorInvalidHandle, err)
	_, err = ctorch.ToSlice[float64](x)
	fails(t, ctorch.ErrorInvalidHandle, err)
	equal(t, list[float64](y), []float64{1})
	var none *ctorch.Tensor
	none.Close()
	equal(t, none.Defined(), false)
	equal(t, none.String(), "None")
}

func TestKindsOfErrors(t *testing.T) {
	x := must(aten.Zeros([]int64{2, 2}))
	meta := must(x.To(nil, &ctorch.Meta, false, false, nil))
	_, err := x.Size(5)
	fails(t, ctorch.ErrorIndex, err)
	fails(t, ctorch.ErrorRuntime, x.Backward(nil, nil, false))
	_, err = must(ctorch.ValueFromString("x")).ToInt()
	fails(t, ctorch.ErrorType, err)
	_, err = meta.To(nil, &ctorch.CPU, false, false, nil)
	fails(t, ctorch.ErrorNotImplemented, err)
	_, err = aten.LinalgInv(x)
	fails(t, ctorch.ErrorLinalg, err)
	library := must(ctorch.NewLibrary("go_errors"))
	fails(t, ctorch.ErrorSyntax, library.Define("not a schema"))
	library.Close()
	_, err = aten.Relu(nil)
	fails(t, ctorch.ErrorNullArgument, err)
	_, err = ctorch.OpFind("aten::no_such_operator", nil)
	fails(t, ctorch.ErrorUnsupported, err)

	_, err = aten.Mm(must(aten.Zeros([]int64{2, 3})), must(aten.Zeros([]int64{4, 5})))
	e := fails(t, ctorch.ErrorShapeMismatch, err)
	equal(t, []any{e.ExpectedShape, e.GotShape, e.Function}, []any{[]int64{3, 5}, []int64{4, 5}, "ctorch_aten_mm"})
	equal(t, e.ExpectedDevice == nil && e.ExpectedDtype == nil && e.RequestedBytes == nil, true)
	e = fails(t, ctorch.ErrorDeviceMismatch, aten.Set_SourceTensor(x, meta))
	equal(t, []string{e.ExpectedDevice.String(), e.GotDevice.String()}, []string{"cpu", "meta"})
	_, err = aten.Mm(x, must(x.To(ctorch.Some(ctorch.DtypeFloat64), nil, false, false, nil)))
	e = fails(t, ctorch.ErrorDtypeMismatch, err)
	equal(t, *e.ExpectedDtype != *e.GotDtype, true)
	_, err = aten.EmptyMemoryFormat([]int64{1 << 50}, aten.EmptyMemoryFormatOptions{Dtype: ctorch.Some(ctorch.DtypeUint8)})
	equal(t, *fails(t, ctorch.ErrorOutOfMemory, err).RequestedBytes, uint64(1<<50))
}

type cube struct{ fail func() error }

func (c cube) Forward(context *ctorch.AutogradContext, inputs []*ctorch.Tensor) ([]*ctorch.Tensor, error) {
	if err := context.SaveForBackward(inputs); err != nil {
		return nil, err
	}
	y, err := aten.PowTensorScalar(inputs[0], ctorch.Int(3))
	return []*ctorch.Tensor{y}, err
}

func (c cube) Backward(context *ctorch.AutogradContext, grads []*ctorch.Tensor) ([]*ctorch.Tensor, error) {
	if c.fail != nil {
		return nil, c.fail()
	}
	saved, err := context.SavedTensors()
	if err != nil {
		return nil, err
	}
	square := must(aten.MulTensor(saved[0], saved[0]))
	scaled := must(aten.MulScalar(square, ctorch.Int(3)))
	return []*ctorch.Tensor{must(aten.MulTensor(grads[0], scaled))}, nil
}

func TestFunction(t *testing.T) {
	x := leaf(2)
	function := must(ctorch.NewFunction("Cube", cube{}))
	defer function.Close()
	y := must(function.Apply(x))[0]
	node := must(y.GradFn())
	equal(t, must(node.Name()), "CubeBackward")
	node.Close()
	equal(t, y.Backward(nil, nil, false), nil)
	equal(t, list[float64](must(x.Grad())), []float64{12})
}

func (c cube) Jvp(_ *ctorch.AutogradContext, tangents []*ctorch.Tensor) ([]*ctorch.Tensor, error) {
	y, err := aten.MulScalar(tangents[0], ctorch.Int(12))
	return []*ctorch.Tensor{y}, err
}

func TestForwardMode(t *testing.T) {
	function := must(ctorch.NewFunction("Cube", cube{}))
	defer function.Close()
	equal(t, ctorch.WithDualLevel(func() error {
		dual := must(row(2).MakeDual(row(1), nil))
		_, tangent, err := must(function.Apply(dual))[0].UnpackDual(nil)
		equal(t, list[float64](tangent), []float64{12})
		return err
	}), nil)
}

func TestDLPackSharesMemory(t *testing.T) {
	x := row(1, 2)
	y := must(ctorch.FromDLPack(must(x.ToDLPack())))
	equal(t, aten.Fill_Scalar(y, ctorch.Int(7)), nil)
	equal(t, list[float64](x), []float64{7, 7})
	ctorch.ReleaseDLPack(must(x.ToDLPack()))
	_, err := leaf(1).ToDLPack()
	fails(t, ctorch.ErrorBuffer, err)
}

var errMine = errors.New("mine")

func TestFailuresOfCallbacksComeOutAsThemselves(t *testing.T) {
	run := func(fail func() error) error {
		x := leaf(1)
		function := must(ctorch.NewFunction("Fails", cube{fail}))
		defer function.Close()
		err := must(function.Apply(x))[0].Backward(nil, nil, false)
		equal(t, must(x.Grad()) == nil, true)
		return err
	}
	if err := run(func() error { return errMine }); err != errMine {
		t.Fatalf("got %#v", err)
	}
	own := ctorch.NewError(ctorch.ErrorIo, "of my own")
	if err := run(func() error { return own }); err != error(own) {
		t.Fatalf("got %#v", err)
	}
	e := fails(t, ctorch.ErrorShapeMismatch, run(func() error {
		_, err := aten.Mm(must(aten.Zeros([]int64{2, 3})), must(aten.Zeros([]int64{4, 5})))
		return err
	}))
	equal(t, e.GotShape, []int64{4, 5})
	func() {
		defer func() { equal(t, recover(), 42) }()
		_ = run(func() error { panic(42) })
		t.Fatal("the panic is lost")
	}()
	var fault error
	func() {
		defer func() { fault = recover().(error) }()
		_ = run(func() error { var none []int; _ = none[len(os.Args)]; return nil })
	}()
	if !strings.Contains(fault.Error(), "index out of range") {
		t.Fatal(fault)
	}
}

func TestHooks(t *testing.T) {
	x := leaf(1, 2)
	calls := 0
	hook := must(x.RegisterHook(func(grad *ctorch.Tensor) (*ctorch.Tensor, error) {
		calls++
		return aten.MulScalar(grad, ctorch.Int(10))
	}))
	backward := func() error { return must(aten.Sum(x)).Backward(nil, nil, false) }
	equal(t, backward(), nil)
	equal(t, list[float64](must(x.Grad())), []float64{10, 10})
	hook.Remove()
	hook.Close()
	equal(t, backward(), nil)
	equal(t, []any{list[float64](must(x.Grad())), calls}, []any{[]float64{11, 11}, 1})
	post := must(x.RegisterPostAccumulateGradHook(func(leaf *ctorch.Tensor) error { return leaf.SetGrad(nil) }))
	equal(t, backward(), nil)
	equal(t, must(x.Grad()) == nil, true)
	post.Remove()
	failing := must(x.RegisterHook(func(*ctorch.Tensor) (*ctorch.Tensor, error) { return nil, errMine }))
	if err := backward(); err != errMine {
		t.Fatal(err)
	}
	failing.Remove()
	_, err := row(1).RegisterHook(func(*ctorch.Tensor) (*ctorch.Tensor, error) { return nil, nil })
	fails(t, ctorch.ErrorRuntime, err)
}

func TestTransforms(t *testing.T) {
	squares := func(inputs []*ctorch.Tensor) ([]*ctorch.Tensor, error) {
		y, err := aten.Sum(must(aten.MulTensor(inputs[0], inputs[0])))
		return []*ctorch.Tensor{y}, err
	}
	equal(t, list[float64](must(ctorch.FuncGrad(squares, []*ctorch.Tensor{row(1, 2)}, nil))[0]), []float64{2, 4})
	rows := []*ctorch.Tensor{floats([]int64{2, 2}, 1, 2, 3, 4)}
	equal(t, list[float64](must(ctorch.Vmap(squares, rows, nil, ctorch.RandomnessError))[0]), []float64{5, 25})
	equal(t, list[float64](must(ctorch.Hessian(squares, []*ctorch.Tensor{row(1, 2)}, nil))[0]), []float64{2, 0, 0, 2})
	_, err := ctorch.Vmap(func([]*ctorch.Tensor) ([]*ctorch.Tensor, error) { return nil, errMine }, rows, nil, 0)
	equal(t, err, errMine)
	x := leaf(3)
	equal(t, must(ctorch.Checkpoint(squares, x))[0].Backward(nil, nil, false), nil)
	equal(t, list[float64](must(x.Grad())), []float64{6})
}

func TestOperatorOfOnesOwn(t *testing.T) {
	library := must(ctorch.NewLibrary("go_consumer"))
	defer library.Close()
	equal(t, library.Define("scale(Tensor x, float by=2.0) -> Tensor"), nil)
	equal(t, library.Implement("scale", "CPU", func(args []*ctorch.Value) ([]*ctorch.Value, error) {
		by := must(args[1].ToDouble())
		if by < 0 {
			return nil, errMine
		}
		y, err := aten.MulScalar(must(args[0].ToTensor()), ctorch.Float(by))
		return []*ctorch.Value{must(ctorch.ValueFromTensor(y))}, err
	}), nil)
	op := must(ctorch.OpFind("go_consumer::scale", nil))
	defer op.Close()
	x := must(ctorch.ValueFromTensor(row(1.5)))
	equal(t, list[float64](must(must(op.Call([]*ctorch.Value{x})).ToTensor())), []float64{3})
	_, err := op.Call([]*ctorch.Value{x, must(ctorch.ValueFromDouble(-1))})
	equal(t, err, errMine)
}

func TestModesBelongToAThread(t *testing.T) {
	x := leaf(1)
	err := ctorch.NoGrad(func() error {
		equal(t, must(aten.MulScalar(x, ctorch.Int(2))).RequiresGrad(), false)
		return ctorch.GradMode(true, func() error {
			equal(t, must(aten.MulScalar(x, ctorch.Int(2))).RequiresGrad(), true)
			return errMine
		})
	})
	equal(t, err, errMine)
	equal(t, ctorch.GradModeEnabled(), true)
	func() {
		defer func() { recover() }()
		_ = ctorch.NoGrad(func() error { panic("on purpose") })
	}()
	equal(t, ctorch.GradModeEnabled(), true)
	equal(t, ctorch.WithDefaultDevice(ctorch.Meta, func() error {
		equal(t, must(must(aten.Zeros(nil)).Device()), ctorch.Meta)
		return nil
	}), nil)
	warnings, err := ctorch.CollectWarnings(func() error { return ctorch.WarningEmit(ctorch.WarningUser, "take care") })
	equal(t, []any{err, warnings.Len(), warnings.Message(0)}, []any{nil, 1, "take care"})
}

// Each of 64 goroutines sees its own errors while the scheduler moves them between threads.
func TestEachGoroutineGetsItsOwnError(t *testing.T) {
	const goroutines, rounds = 64, 1000
	var wait sync.WaitGroup
	wrong := make(chan string, goroutines)
	shared := must(aten.Ones([]int64{3}))
	for g := 0; g < goroutines; g++ {
		wait.Add(1)
		go func(g int) {
			defer wait.Done()
			for round := 0; round < rounds; round++ {
				size := int64(1000*(g+1) + round)
				other := must(aten.EmptyMemoryFormat([]int64{size}, aten.EmptyMemoryFormatOptions{Device: &ctorch.CPU}))
				_, err := aten.AddTensor(shared, other)
				runtime.Gosched()
				var e *ctorch.Error
				if !errors.As(err, &e) || !strings.Contains(e.Message, fmt.Sprintf("(%d)", size)) {
					wrong <- fmt.Sprint(size, " got ", err)
					return
				}
				other.Close()
			}
		}(g)
	}
	wait.Wait()
	close(wrong)
	for text := range wrong {
		t.Error(text)
	}
}

// Finalizers keep up with temporaries that nobody closes.
func TestPressure(t *testing.T) {
	if os.Getenv("CTORCH_DEBUG_HANDLES") == "" {
		t.Log("live handles are not counted")
	}
	const megabyte = 1 << 20
	equal(t, ctorch.CollectUnderPressure(256*megabyte), nil)
	defer ctorch.IgnorePressure()
	highest := forget(10000)
	t.Logf("at most %d MB held", highest/megabyte)
	if highest > 600*megabyte {
		t.Fatalf("%d bytes held", highest)
	}
}

func TestEveryFunctionHasANumber(t *testing.T) {
	f := ctorch.NewFrame(ctorch.FunctionNumber("ctorch_version"), 1)
	defer f.Done()
	f.Call()
	equal(t, f.String(0), ctorch.Version())
	equal(t, ctorch.FunctionNumber("ctorch_no_such_function"), -1)
}

// forget makes tensors of 10 MB and closes none; the most that they held.
func forget(count int) (highest uint64) {
	for i := 0; i < count; i++ {
		must(aten.EmptyMemoryFormat([]int64{10 << 20}, aten.EmptyMemoryFormatOptions{Dtype: ctorch.Some(ctorch.DtypeUint8)}))
		if held := ctorch.MemoryPressureHeldBytes(); held > highest {
			highest = held
		}
	}
	return highest
}

// A process that asks for nothing collects under pressure; CTORCH_COLLECT says otherwise.
func TestPressureIsHeededByDefault(t *testing.T) {
	for setting, most := range map[string]int{"": 300, "500000000": 1100, "off": 0} {
		command := exec.Command(os.Args[0])
		command.Env = append(os.Environ(), "CTORCH_TEST_FORGET=1", "CTORCH_DEBUG_HANDLES=0", "CTORCH_COLLECT="+setting)
		output := string(must(command.Output()))
		highest := -1
		fmt.Sscanf(output, "highest %d", &highest)
		if highest < 0 || highest > most || (setting != "off" && highest < 10) {
			t.Errorf("CTORCH_COLLECT=%q: %s", setting, output)
		}
	}
}

// The collector may not take what a call still uses: neither a handle nor a list of them that nobody else refers to.
func TestArgumentsOutliveTheirLastUse(t *testing.T) {
	stop, stopped := make(chan bool), make(chan bool)
	go func() {
		defer close(stopped)
		for {
			select {
			case <-stop:
				return
			default:
				ctorch.Collect()
			}
		}
	}()
	defer func() { close(stop); <-stopped }()
	const size = 1 << 17
	full := func(value int64) *ctorch.Tensor {
		return must(aten.Full([]int64{size}, ctorch.Int(value), aten.FullOptions{Dtype: ctorch.Some(ctorch.DtypeInt64)}))
	}
	sum := func(x *ctorch.Tensor) int64 { return must(must(aten.Sum(x)).ItemInt64()) }
	same := func(inputs []*ctorch.Tensor) ([]*ctorch.Tensor, error) {
		x, err := aten.MulTensor(inputs[0], inputs[1])
		return []*ctorch.Tensor{x}, err
	}
	for round := int64(1); round <= 60; round++ {
		equal(t, sum(must(aten.Cat([]*ctorch.Tensor{full(round), full(2), full(3), full(4)}))), size*(round+9))
		equal(t, sum(must(aten.Stack([]*ctorch.Tensor{full(round), full(7)}))), size*(round+7))
		equal(t, sum(must(aten.AddTensor(full(round), full(1)))), size*(round+1))
		equal(t, sum(must(ctorch.Checkpoint(same, full(round), full(3)))[0]), size*round*3)
		equal(t, sum(must(ctorch.Vmap(same, []*ctorch.Tensor{full(round), full(5)}, nil, ctorch.RandomnessError))[0]), size*round*5)
		equal(t, sum(must(must(ctorch.ValueFromTensors([]*ctorch.Tensor{full(round), full(8)})).ToTensors())[0]), size*round)
	}
}

// The same without luck: a hook collects in the middle of a call whose lists nobody else refers to.
func TestListsOutliveTheirLastUse(t *testing.T) {
	if ctorch.DebugLiveHandles() < 0 {
		t.Fatal("set CTORCH_DEBUG_HANDLES=1")
	}
	x := leaf(1, 2)
	y := must(aten.MulScalar(x, ctorch.Int(3)))
	var before, after int64
	hook := must(y.RegisterHook(func(*ctorch.Tensor) (*ctorch.Tensor, error) {
		before = ctorch.DebugLiveHandles()
		ctorch.Collect()
		after = ctorch.DebugLiveHandles()
		return nil, nil
	}))
	ctorch.Collect()
	grads := must(ctorch.AutogradGrad([]*ctorch.Tensor{must(aten.Sum(y))}, []*ctorch.Tensor{x.Retain()},
		[]*ctorch.Tensor{floats(nil, 5)}, nil, false, nil, false, false))
	equal(t, list[float64](grads[0]), []float64{15, 15})
	equal(t, after, before)
	runtime.KeepAlive([]any{x, y, hook})
}

func TestNodeHooks(t *testing.T) {
	x := leaf(1, 2)
	y := must(aten.MulScalar(x, ctorch.Int(3)))
	node := must(y.GradFn())
	before := must(node.RegisterPrehook(func(grads []*ctorch.Tensor) ([]*ctorch.Tensor, error) {
		return []*ctorch.Tensor{must(aten.MulScalar(grads[0], ctorch.Int(10)))}, nil
	}))
	var seen []float64
	after := must(node.RegisterHook(func(inputs, outputs []*ctorch.Tensor) ([]*ctorch.Tensor, error) {
		seen = append(list[float64](inputs[0]), list[float64](outputs[0])...)
		seen = append(seen, float64(len(inputs)))
		return append([]*ctorch.Tensor{must(aten.AddScalar(inputs[0], ctorch.Int(1)))}, inputs[1:]...), nil
	}))
	keep := ctorch.Some(true)
	equal(t, must(aten.Sum(y)).Backward(nil, keep, false), nil)
	equal(t, list[float64](must(x.Grad())), []float64{31, 31})
	equal(t, seen[:4], []float64{30, 30, 10, 10})
	before.Remove()
	after.Remove()
	sad := errors.New("sad")
	must(node.RegisterPrehook(func([]*ctorch.Tensor) ([]*ctorch.Tensor, error) { return nil, nil }))
	must(node.RegisterHook(func(_, _ []*ctorch.Tensor) ([]*ctorch.Tensor, error) { return nil, sad }))
	if err := must(aten.Sum(y)).Backward(nil, nil, false); err != sad {
		t.Fatal(err)
	}
	node.Close()
	_, err := node.RegisterPrehook(nil)
	fails(t, ctorch.ErrorInvalidHandle, err)
}

func TestSavedTensorsHooks(t *testing.T) {
	x := leaf(3)
	packed, sad := 0, errors.New("sad")
	var y *ctorch.Tensor
	equal(t, ctorch.WithSavedTensorsHooks(func(tensor *ctorch.Tensor) (any, error) {
		packed++
		return list[float64](tensor)[0], nil
	}, func(value any) (*ctorch.Tensor, error) {
		return row(2 * value.(float64)), nil
	}, func() (err error) {
		y, err = aten.MulTensor(x, x)
		return err
	}), nil)
	equal(t, packed, 2)
	equal(t, y.Backward(nil, nil, false), nil)
	equal(t, list[float64](must(x.Grad())), []float64{12}) // both factors come back doubled
	err := ctorch.WithSavedTensorsHooks(func(*ctorch.Tensor) (any, error) { return nil, sad },
		func(any) (*ctorch.Tensor, error) { return nil, nil },
		func() error { _, err := aten.Exp(x); return err })
	equal(t, err, sad)
}

func TestAllTransforms(t *testing.T) {
	cubes := func(inputs []*ctorch.Tensor) ([]*ctorch.Tensor, error) {
		x, err := aten.PowTensorScalar(inputs[0], ctorch.Int(3))
		return []*ctorch.Tensor{x}, err
	}
	total := func(inputs []*ctorch.Tensor) ([]*ctorch.Tensor, error) {
		x := must(cubes(inputs))
		sum, err := aten.Sum(x[0])
		return []*ctorch.Tensor{sum}, err
	}
	x, one := []*ctorch.Tensor{row(1, 2)}, []*ctorch.Tensor{row(1, 10)}
	grads, value, err := ctorch.FuncGradAndValue(total, x, nil)
	equal(t, []any{list[float64](grads[0]), must(value.ItemDouble()), err}, []any{[]float64{3, 12}, 9.0, nil})
	out, vjp, err := ctorch.Vjp(cubes, x)
	equal(t, []any{list[float64](out[0]), err}, []any{[]float64{1, 8}, nil})
	equal(t, list[float64](must(vjp.Call(one, nil, nil))[0]), []float64{3, 120})
	out, tangents, err := ctorch.Jvp(cubes, x, one)
	equal(t, []any{list[float64](out[0]), list[float64](tangents[0]), err}, []any{[]float64{1, 8}, []float64{3, 120}, nil})
	out, jvp, err := ctorch.Linearize(cubes, x)
	equal(t, []any{list[float64](out[0]), err}, []any{[]float64{1, 8}, nil})
	equal(t, list[float64](must(jvp.Call(one))[0]), []float64{3, 120})
	jacobian := []float64{3, 0, 0, 12}
	equal(t, list[float64](must(ctorch.Jacrev(cubes, x, nil))[0]), jacobian)
	equal(t, list[float64](must(ctorch.Jacfwd(cubes, x, nil, ctorch.RandomnessError))[0]), jacobian)
	equal(t, list[float64](must(ctorch.Hessian(total, x, nil))[0]), []float64{6, 0, 0, 12})
	sad := errors.New("sad")
	fail := func([]*ctorch.Tensor) ([]*ctorch.Tensor, error) { return nil, sad }
	_, _, err = ctorch.FuncGradAndValue(fail, x, nil)
	equal(t, err, sad)
	x[0].Close()
	_, _, err = ctorch.Vjp(cubes, x)
	fails(t, ctorch.ErrorInvalidHandle, err)
}
