// Package ctorch binds PyTorch's tensors, operators and automatic differentiation, through the C ABI of ctorch.
//
//	a, err := ctorch.FromSlice([]float32{1, 2, 3, 4}, 2, 2)
//	b, err := aten.AddTensor(a, a, aten.AddTensorOptions{Alpha: ctorch.Some(ctorch.Int(2))})
//	values, err := ctorch.ToSlice[float32](b) // [3 6 9 12]
//
// Every operator of PyTorch is a function of ctorch/aten; the other functions of ctorch are methods of the types they
// are about, and functions of this package. A pointer or slice that is nil is not given: the default, or None.
//
// A failed call returns an *Error: errors.Is(err, ctorch.ErrorShapeMismatch), errors.As for the details. An error that
// a callback of yours returned comes out of the outer call as that very error, or wrapped where C tells its place, as
// "sample 5: "; a panic goes on.
//
// Close gives memory back at once. What is not closed the garbage collector gives back, which does not know how large
// it is: CollectUnderPressure tells it. A nil *Tensor is the undefined tensor, None in Python.
//
// ValueOf makes a value of any type of what Go has for it, and Native reads one: []byte, *big.Int, Set, Dict, Dtype, …
//
// Modes such as grad mode belong to a thread of the operating system: NoGrad and its kind run a function on one.
package ctorch

// #cgo pkg-config: ctorch
// #cgo CFLAGS: -O1 -g0
// #include "bridge.h"
import "C"

import (
	"math"
	"sync"
	"sync/atomic"
	"unsafe"
)

// Some is a pointer to a value, for what may be left out.
func Some[T any](value T) *T { return &value }

// Frame is one call of a C function: what every function of this module is made of, and the way to those that it does
// not have. Word 0 is the C result, the others are the parameters in their order; what a parameter points at lies
// behind them. No Go pointer crosses to C.
//
// A frame keeps what it is given until Done: closing that meanwhile, on another goroutine or in a callback, is late.
type Frame struct {
	function int
	words    []uint64
	used     []*handle
	err      error
}

var frames = sync.Pool{New: func() any { return &Frame{words: make([]uint64, 0, 64)} }}

// FunctionNumber tells the number of a C function, for NewFrame; -1 if there is none of that name.
func FunctionNumber(name string) int {
	numbersOnce.Do(func() {
		for i, f := range functions {
			numbers[f] = i
		}
	})
	if i, ok := numbers[name]; ok {
		return i
	}
	return -1
}

var (
	numbersOnce sync.Once
	numbers     = make(map[string]int, len(functions))
)

// NewFrame prepares a call; words counts word 0 and the parameters. Call Done when the results are read.
func NewFrame(function, words int) *Frame {
	f := frames.Get().(*Frame)
	f.function, f.err = function, nil
	f.words = f.words[:words]
	for i := range f.words {
		f.words[i] = 0
	}
	return f
}

// Done ends the use of a frame.
func (f *Frame) Done() {
	for i, h := range f.used {
		h.end()
		f.used[i] = nil
	}
	f.used = f.used[:0]
	frames.Put(f)
}

// Call calls a function that cannot fail.
func (f *Frame) Call() {
	C.ctorch_go_call(C.int(f.function), (*C.uint64_t)(&f.words[0]))
}

// Try calls a function that answers an error object, and returns it as a Go error.
func (f *Frame) Try() error {
	if f.err != nil {
		return f.err
	}
	C.ctorch_go_call(C.int(f.function), (*C.uint64_t)(&f.words[0]))
	if f.words[0] != 0 {
		return failure(uintptr(f.words[0]))
	}
	return nil
}

func (f *Frame) put(place int, words ...uint64) {
	f.words[place] = uint64(len(f.words))
	f.words = append(f.words, words...)
}

// room reserves memory that a parameter points at, also if it is empty: that is not NULL.
func (f *Frame) room(place, nbytes int) unsafe.Pointer {
	start := len(f.words)
	f.words[place] = uint64(start)
	for i := 0; i <= nbytes/8; i++ {
		f.words = append(f.words, 0)
	}
	return unsafe.Pointer(&f.words[start])
}

// Room is memory that the function fills; read it before Done.
func (f *Frame) Room(place, nbytes int) { f.room(place, nbytes) }

// Filled is what the function has put in the memory of Room.
func (f *Frame) Filled(place, nbytes int) []byte {
	return append([]byte{}, unsafe.Slice((*byte)(unsafe.Pointer(&f.words[f.words[place]])), nbytes)...)
}

// The parameters of a call: numbers, handles, and pointers to what follows.

func (f *Frame) SetInt(place int, x int64)     { f.words[place] = uint64(x) }
func (f *Frame) SetFloat(place int, x float64) { f.words[place] = math.Float64bits(x) }
func (f *Frame) SetBool(place int, x bool)     { f.words[place] = bit(x) }
func (f *Frame) PutInt(place int, x int64)     { f.put(place, uint64(x)) }
func (f *Frame) PutInt32(place int, x int32)   { f.put(place, uint64(uint32(x))) }
func (f *Frame) PutFloat(place int, x float64) { f.put(place, math.Float64bits(x)) }
func (f *Frame) PutBool(place int, x bool)     { f.put(place, bit(x)) }
func (f *Frame) PutDevice(place int, x Device) { f.put(place, x.word()) }
func (f *Frame) PutScalar(place int, x Scalar) { w := x.words(); f.put(place, w[:]...) }
func (f *Frame) PutStream(place int, x Stream) { w := x.words(); f.put(place, w[:]...) }

func (f *Frame) PutString(place int, x string) {
	for i := 0; i < len(x); i++ {
		if x[i] == 0 {
			f.err = NewError(ErrorInvalidArgument, "a text for C cannot have a NUL inside")
			return
		}
	}
	copy(unsafe.Slice((*byte)(f.room(place, len(x)+1)), len(x)), x)
}

// PutStrings gives a list of texts: a list of places, which the call turns into addresses.
func (f *Frame) PutStrings(place int, list []string) {
	f.room(place, 8*len(list)) // and a word more, which stays 0
	start := int(f.words[place])
	for i, x := range list {
		f.PutString(start+i, x)
	}
}

func (f *Frame) PutInts(place int, list []int64)     { PutPlain(f, place, list) }
func (f *Frame) PutFloats(place int, list []float64) { PutPlain(f, place, list) }
func (f *Frame) PutBools(place int, list []bool)     { PutPlain(f, place, list) }

func (f *Frame) PutScalars(place int, list []Scalar) {
	room := unsafe.Slice((*[4]uint64)(f.room(place, 32*len(list))), len(list))
	for i, x := range list {
		room[i] = x.words()
	}
}

// PutPlain gives a list of numbers, devices or enumerations.
func PutPlain[T any](f *Frame, place int, list []T) {
	var one T
	copy(unsafe.Slice((*T)(f.room(place, len(list)*int(unsafe.Sizeof(one)))), len(list)), list)
}

type owner interface {
	reference() *handle // nil of a nil pointer
}

func (f *Frame) handleOf(x owner) uint64 {
	h := x.reference()
	if h == nil {
		return 0
	}
	if !h.begin() {
		f.err = errClosed()
		return 0
	}
	f.used = append(f.used, h)
	return uint64(h.c)
}

func errClosed() *Error { return NewError(ErrorInvalidHandle, "used after Close") }

// Handle gives an object.
func (f *Frame) Handle(place int, x owner) { f.words[place] = f.handleOf(x) }

// PutHandles gives a list of objects; nil elements are None.
func PutHandles[T owner](f *Frame, place int, list []T) {
	f.room(place, 8*len(list))
	start := f.words[place]
	for i, x := range list {
		f.words[start+uint64(i)] = f.handleOf(x)
	}
}

// The results of a call.

func (f *Frame) Int(place int) int64       { return int64(f.words[place]) }
func (f *Frame) Float(place int) float64   { return math.Float64frombits(f.words[place]) }
func (f *Frame) Bool(place int) bool       { return f.words[place]&0xff != 0 }
func (f *Frame) Pointer(place int) uintptr { return uintptr(f.words[place]) }
func (f *Frame) Device(place int) Device   { return deviceOf(f.words[place]) }
func (f *Frame) Scalar(place int) Scalar   { return scalarOf(f.words[place : place+4]) }
func (f *Frame) Stream(place int) Stream   { return streamOf(f.words[place : place+2]) }
func (f *Frame) String(place int) string   { return text(f.words[place]) }

// OwnedString is the text of a ctorch_string, which is released.
func (f *Frame) OwnedString(place int) string {
	c := f.words[place]
	s := C.GoStringN((*C.char)(pointer(uint64(uintptr(unsafe.Pointer(C.ctorch_go_string(C.uint64_t(c))))))), C.int(C.ctorch_go_string_len(C.uint64_t(c))))
	C.ctorch_go_string_release(C.uint64_t(c))
	return s
}

// Tensors are those of a ctorch_tensor_list, which is released.
func (f *Frame) Tensors(place int) []*Tensor {
	list := C.uint64_t(f.words[place])
	handles := make([]uint64, int(C.ctorch_go_list_len(list))+1)
	C.ctorch_go_list_take(list, (*C.uint64_t)(&handles[0]))
	tensors := make([]*Tensor, len(handles)-1)
	for i := range tensors {
		tensors[i] = TensorFromHandle(uintptr(handles[i]))
	}
	return tensors
}

func bit(x bool) uint64 {
	if x {
		return 1
	}
	return 0
}

// pointer is the C address in a word.
func pointer(word uint64) unsafe.Pointer { return *(*unsafe.Pointer)(unsafe.Pointer(&word)) }

func text(word uint64) string {
	if word == 0 {
		return ""
	}
	return C.GoString((*C.char)(pointer(word)))
}

// handle is a reference to a C object, given back once: when it is closed and no call uses it any more.
type handle struct {
	state   int64 // how many calls use it; negative when it is closed
	c       uintptr
	release int
}

// closed is added to the state: what is left above it are the calls in flight.
const closed = math.MinInt64

func (h *handle) isClosed() bool { return atomic.LoadInt64(&h.state) < 0 }

// begin begins a use, which end ends; false if the handle is closed.
func (h *handle) begin() bool {
	if atomic.AddInt64(&h.state, 1) > 0 {
		return true
	}
	h.end()
	return false
}

func (h *handle) end() {
	if atomic.AddInt64(&h.state, -1) == closed {
		h.giveBack()
	}
}

func (h *handle) close() bool {
	for {
		calls := atomic.LoadInt64(&h.state)
		if calls < 0 {
			return false
		}
		if atomic.CompareAndSwapInt64(&h.state, calls, calls+closed) {
			if calls == 0 {
				h.giveBack()
			}
			return true
		}
	}
}

func (h *handle) giveBack() {
	if c := atomic.SwapUintptr(&h.c, 0); c != 0 {
		apply(h.release, c)
	}
}

// retained is one more reference to the object; 0 if the handle is closed.
func (h *handle) retained(retain int) uintptr {
	if !h.begin() {
		return 0
	}
	defer h.end()
	apply(retain, h.c)
	return h.c
}

// forget ends a borrowed handle without giving anything back.
func (h *handle) forget() uintptr {
	c := atomic.SwapUintptr(&h.c, 0)
	h.close()
	return c
}

// use begins a use by a call that no frame makes; done ends it.
func use(x owner) (c uint64, done func(), err error) {
	h := x.reference()
	if h == nil {
		return 0, func() {}, nil
	}
	if !h.begin() {
		return 0, nil, errClosed()
	}
	return uint64(h.c), h.end, nil
}

// apply calls a release or retain.
func apply(function int, c uintptr) { C.ctorch_go_apply(C.int(function), C.uint64_t(c)) }
