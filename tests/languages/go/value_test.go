// Go's values as values of the C API and back: each kind, and what is refused.
package consumer

import (
	"math"
	"math/big"
	"strings"
	"testing"

	"ctorch"
	"ctorch/aten"
)

func integer(digits string) *big.Int {
	x, ok := new(big.Int).SetString(digits, 10)
	if !ok {
		panic(digits)
	}
	return x
}

// dict is the dict of keys and values in turn.
func dict(pairs ...any) ctorch.Dict {
	made := make(ctorch.Dict, len(pairs)/2)
	for i := range made {
		made[i] = ctorch.Entry{Key: pairs[2*i], Value: pairs[2*i+1]}
	}
	return made
}

func repr(x any) string { return must(must(ctorch.ValueOf(x)).Repr()) }

func TestRoundTripsGiveEqualValues(t *testing.T) {
	for _, c := range []struct {
		x    any
		text string
	}{
		{nil, "None"}, {true, "True"}, {int64(-7), "-7"},
		{int64(math.MaxInt64), "9223372036854775807"}, {int64(math.MinInt64), "-9223372036854775808"},
		{integer("9223372036854775808"), "9223372036854775808"},
		{integer("-9223372036854775809"), "-9223372036854775809"},
		{integer("18446744073709551615"), "18446744073709551615"},
		{integer("1606938044258990275541962092341162602522202993782792835301376"),
			"1606938044258990275541962092341162602522202993782792835301376"},
		{integer("-1606938044258990275541962092341162602522202993782792835301376"),
			"-1606938044258990275541962092341162602522202993782792835301376"},
		{integer("-36893488147419103232"), "-36893488147419103232"},
		{0.5, "0.5"}, {2.0, "2.0"}, {math.Inf(1), "inf"}, {complex(1, -2), "(1-2j)"},
		{"", "''"}, {"é 🙂", "'é 🙂'"}, {[]byte{}, "b''"}, {[]byte("a\x00b\xff"), `b'a\x00b\xff'`},
		{ctorch.DtypeFloat32, "torch.float32"}, {ctorch.LayoutSparseCsr, "torch.sparse_csr"},
		{ctorch.MemoryFormatChannelsLast, "torch.channels_last"}, {ctorch.CUDA(1), "device(type='cuda', index=1)"},
		{[]any{}, "[]"}, {ctorch.Tuple{}, "()"}, {ctorch.Dict{}, "{}"}, {ctorch.Set{}, "set()"},
		{[]any{int64(1), []any{2.5, ctorch.Tuple{"x", nil}}}, "[1, [2.5, ('x', None)]]"},
		{dict(
			"a", ctorch.Set{int64(1), int64(2)}, ctorch.Tuple{int64(1), "b"}, []any{[]byte{0}}, nil, true,
		), `{'a': {1, 2}, (1, 'b'): [b'\x00'], None: True}`},
	} {
		equal(t, repr(c.x), c.text)
		equal(t, must(must(ctorch.ValueOf(c.x)).Native()), c.x)
	}
	equal(t, must(must(ctorch.ValueOf("a\x00b")).Native()), "a\x00b")
	equal(t, math.Signbit(must(must(ctorch.ValueOf(math.Copysign(0, -1))).Native()).(float64)), true)
	stream := ctorch.Stream{ID: 3, Device: ctorch.Device{Type: ctorch.DeviceTypeCpu}}
	equal(t, must(must(ctorch.ValueOf(stream)).Native()), stream)
}

func TestWhatGoHasSeveralTypesForComesBackAsOne(t *testing.T) {
	number, text := 3, "x"
	for _, c := range []struct{ x, want any }{
		{number, int64(3)}, {uint8(3), int64(3)}, {uint64(math.MaxUint64), integer("18446744073709551615")},
		{big.NewInt(-128), int64(-128)}, {big.NewInt(255), int64(255)}, {big.NewInt(0), int64(0)},
		{float32(0.5), 0.5}, {ctorch.Uint(math.MaxUint64), integer("18446744073709551615")},
		{[]int64{1, 2}, []any{int64(1), int64(2)}}, {[2]string{"a", "b"}, []any{"a", "b"}}, {[2]byte{0, 1}, []byte{0, 1}},
		{map[string]any{"b": 1, "a": []byte{0}}, dict("a", []byte{0}, "b", int64(1))},
		{&number, int64(3)}, {&text, "x"}, {(*int)(nil), nil}, {(*ctorch.Value)(nil), nil}, {(*ctorch.Tensor)(nil), nil},
		{(*big.Int)(nil), nil}, {(*ctorch.PythonObject)(nil), nil},
	} {
		equal(t, must(must(ctorch.ValueOf(c.x)).Native()), c.want)
	}
}

func TestTensorsGeneratorsAndStoragesAreShared(t *testing.T) {
	x := row(1, 2)
	value := must(ctorch.ValueOf(dict(
		"x", []*ctorch.Tensor{x}, "g", must(ctorch.GeneratorDefault(nil)), "s", must(ctorch.StorageFromTensor(x)),
	)))
	found := must(value.Native()).(ctorch.Dict)
	tensors, _ := found.Get("x")
	if err := aten.Fill_Scalar(tensors.([]any)[0].(*ctorch.Tensor), ctorch.Float(7)); err != nil {
		t.Fatal(err)
	}
	equal(t, list[float64](x), []float64{7, 7})
	storage, _ := found.Get("s")
	equal(t, storage.(*ctorch.Storage).Nbytes(), int(16))
	_, ok := found.Get("none")
	equal(t, ok, false)
}

func TestPythonObjectsAreReadable(t *testing.T) {
	size := &ctorch.PythonObject{Module: "torch", Name: "Size", Args: ctorch.Tuple{ctorch.Tuple{int64(2), int64(3)}}}
	equal(t, repr(size), "torch.Size([2, 3])")
	net := &ctorch.PythonObject{
		Module: "nets", Name: "Net.Inner", Args: ctorch.Tuple{}, Items: []any{int64(2)},
		State: dict("weight", integer("1180591620717411303424")),
	}
	class := &ctorch.PythonObject{Module: "builtins", Name: "print"}
	for _, x := range []*ctorch.PythonObject{size, net, class} {
		equal(t, must(must(ctorch.ValueOf(x)).Native()), any(x))
	}
	weight, ok := net.Attribute("weight")
	equal(t, []any{weight, ok}, []any{integer("1180591620717411303424"), true})
	_, ok = size.Attribute("weight")
	equal(t, []any{ok, size.String(), class.String()}, []any{false, "torch.Size(1 arguments)", "builtins.print"})
}

func TestOperatorsTakeValuesOfAll(t *testing.T) {
	op := must(ctorch.OpFind("aten::add", ctorch.Some("Tensor")))
	result := must(op.Call(must(ctorch.ValuesOf(row(1, 2), row(10, 20), 2))))
	equal(t, list[float64](must(result.Native()).(*ctorch.Tensor)), []float64{21, 42})
	set := must(ctorch.ValueOf(ctorch.Set{"a", int64(1)}))
	equal(t, must(set.SetContains(must(ctorch.ValueOf("a")))), true)
	equal(t, must(set.Native()).(ctorch.Set).Contains(int64(1)), true)
	equal(t, must(set.Native()).(ctorch.Set).Contains(int64(2)), false)
}

func TestMemoryThatCFillsIsAsLongAsAsked(t *testing.T) {
	data := strings.Repeat("0123456789\x00", 1000)
	value := must(ctorch.ValueOf([]byte(data)))
	f := ctorch.NewFrame(ctorch.FunctionNumber("ctorch_value_read_bytes"), 4)
	defer f.Done()
	f.Handle(1, value)
	f.SetInt(3, int64(len(data)))
	fails(t, ctorch.ErrorNullArgument, f.Try()) // without Room there is no memory: nothing of the frame is written over
	f.Room(2, len(data))
	if err := f.Try(); err != nil {
		t.Fatal(err)
	}
	equal(t, string(f.Filled(2, len(data))), data)
}

func TestWhatNoValueCanHoldIsToldByFunctionAndArgument(t *testing.T) {
	for _, x := range []any{func() {}, struct{}{}, make(chan int), &struct{ a int }{}, must(ctorch.NewIndex())} {
		for _, nested := range []any{x, []any{1, map[string]any{"k": x}}, ctorch.Set{x}, dict(x, 1)} {
			_, err := ctorch.ValueOf(nested)
			e := fails(t, ctorch.ErrorType, err)
			if !strings.HasPrefix(e.Message, "ValueOf: x: no value can hold a ") {
				t.Fatal(e)
			}
		}
		_, err := ctorch.ValuesOf(1, x)
		fails(t, ctorch.ErrorType, err)
	}
}

func TestOtherValuesThatAreErrors(t *testing.T) {
	_, err := ctorch.ValueOf(ctorch.Set{[]any{1}}) // a list is no entry of a set
	fails(t, ctorch.ErrorType, err)
	_, err = ctorch.ValueOf(dict(ctorch.Dict{}, 1))
	fails(t, ctorch.ErrorType, err)
	loop := []any{nil}
	loop[0] = loop
	_, err = ctorch.ValueOf(loop)
	fails(t, ctorch.ErrorValue, err)
	value := must(ctorch.ValueOf([]any{}))
	if err := value.ListAppend(value); err != nil {
		t.Fatal(err)
	}
	_, err = value.Native()
	fails(t, ctorch.ErrorRuntime, err)
	if err := value.Clear(); err != nil {
		t.Fatal(err)
	}
	value.Close()
	_, err = value.Native()
	fails(t, ctorch.ErrorInvalidHandle, err)
	_, err = ctorch.ValueOf([]any{value})
	fails(t, ctorch.ErrorInvalidHandle, err)
	_, err = ctorch.ValueOf(ctorch.Dtype(99))
	fails(t, ctorch.ErrorInvalidArgument, err)
	closed := row(1)
	closed.Close()
	_, err = ctorch.ValueOf(closed)
	fails(t, ctorch.ErrorInvalidHandle, err)
}

func TestSeedsThreadsAndModesHaveTheNamesOfPyTorch(t *testing.T) {
	draw := func() []float64 {
		return list[float64](must(aten.Rand([]int64{3}, aten.RandOptions{Dtype: ctorch.Some(ctorch.DtypeFloat64)})))
	}
	if err := ctorch.ManualSeed(1234); err != nil {
		t.Fatal(err)
	}
	first := draw()
	equal(t, must(ctorch.InitialSeed()), uint64(1234))
	if err := ctorch.ManualSeed(1234); err != nil {
		t.Fatal(err)
	}
	equal(t, draw(), first)
	before := ctorch.GetNumThreads()
	if err := ctorch.SetNumThreads(1); err != nil {
		t.Fatal(err)
	}
	equal(t, ctorch.GetNumThreads(), int32(1))
	if err := ctorch.SetNumThreads(before); err != nil {
		t.Fatal(err)
	}
	var seen []bool
	err := ctorch.NoGrad(func() error {
		seen = append(seen, ctorch.IsGradEnabled())
		return ctorch.EnableGrad(func() error {
			seen = append(seen, ctorch.IsGradEnabled())
			return nil
		})
	})
	equal(t, []any{err, seen}, []any{nil, []bool{false, true}})
}
