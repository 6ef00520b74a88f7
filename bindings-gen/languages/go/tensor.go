package ctorch

// #include "bridge.h"
import "C"

import (
	"unsafe"
)

// Element is a Go type that is the element of a tensor.
type Element interface {
	~uint8 | ~uint16 | ~uint32 | ~uint64 | ~int8 | ~int16 | ~int32 | ~int64 | ~float32 | ~float64 | ~bool |
		~complex64 | ~complex128
}

// DtypeOf is the dtype of the elements of a slice.
func DtypeOf[T Element]() Dtype {
	var x T
	switch any(x).(type) {
	case uint8:
		return DtypeUint8
	case uint16:
		return DtypeUint16
	case uint32:
		return DtypeUint32
	case uint64:
		return DtypeUint64
	case int8:
		return DtypeInt8
	case int16:
		return DtypeInt16
	case int32:
		return DtypeInt32
	case int64:
		return DtypeInt64
	case float32:
		return DtypeFloat32
	case float64:
		return DtypeFloat64
	case bool:
		return DtypeBool
	case complex64:
		return DtypeComplex64
	case complex128:
		return DtypeComplex128
	}
	return Dtype(-1) // a type that is merely made of one: no tensor accepts it
}

// FromSlice makes a tensor with a copy of row-major data; no size makes a tensor without dimensions.
func FromSlice[T Element](data []T, shape ...int64) (*Tensor, error) {
	var x T
	var c uint64
	room := append(data[:len(data):len(data)], x) // has an address, also if it is empty
	sizes := append(append([]int64{}, shape...), 0)
	e := C.ctorch_go_from_data((*C.uint64_t)(&c), unsafe.Pointer(&room[0]), C.size_t(len(data)*int(unsafe.Sizeof(x))),
		(*C.int64_t)(&sizes[0]), C.size_t(len(shape)), C.int32_t(DtypeOf[T]()))
	if e != 0 {
		return nil, failure(uintptr(e))
	}
	return TensorFromHandle(uintptr(c)), nil
}

// ToSlice copies all elements in row-major order, from any device. T must be the tensor's dtype.
func ToSlice[T Element](t *Tensor) ([]T, error) {
	var x T
	self, done, err := use(t)
	if err != nil {
		return nil, err
	}
	defer done()
	room := make([]T, t.Numel()+1)
	count := len(room) - 1
	e := C.ctorch_go_copy_to_buffer(C.uint64_t(self), unsafe.Pointer(&room[0]),
		C.size_t(count*int(unsafe.Sizeof(x))), C.int32_t(DtypeOf[T]()))
	if e != 0 {
		return nil, failure(uintptr(e))
	}
	return room[:count:count], nil
}

// Shape is the size of each dimension; of a nested tensor -1.
func (x *Tensor) Shape() []int64 {
	sizes, _ := x.numbers()
	return sizes
}

// Strides are in elements; of a tensor that has none -1.
func (x *Tensor) Strides() []int64 {
	_, strides := x.numbers()
	return strides
}

func (x *Tensor) numbers() (sizes, strides []int64) {
	self, done, err := use(x)
	if err != nil {
		return []int64{}, []int64{}
	}
	defer done()
	n := int(x.Ndim())
	room := make([]int64, 2*n+2)
	C.ctorch_go_numbers(C.uint64_t(self), (*C.int64_t)(&room[0]), (*C.int64_t)(&room[n+1]))
	return room[:n:n], room[n+1 : 2*n+1]
}

// String is the tensor as Python prints it.
func (x *Tensor) String() string {
	if !x.Defined() {
		return "None"
	}
	text, err := x.Repr(nil, nil, nil, nil, nil)
	if err != nil {
		return "<tensor that cannot be printed: " + err.Error() + ">"
	}
	return text
}

// Text is the text in a value.
func (x *Value) Text() (string, error) {
	f := NewFrame(valueToString, 4)
	defer f.Done()
	f.Handle(3, x)
	if err := f.Try(); err != nil {
		return "", err
	}
	s := C.GoStringN((*C.char)(pointer(f.words[1])), C.int(f.words[2]))
	return s, nil
}

// ValueFromBytes makes Python's bytes.
func ValueFromBytes(data []byte) (*Value, error) { return valueFromData(valueFromBytes, data) }

// ValueFromStringData makes a text of any bytes, NUL among them.
func ValueFromStringData(data []byte) (*Value, error) {
	return valueFromData(valueFromStringData, data)
}

// ValueFromIntBytes makes an int of any size, from two's complement with the lowest byte first.
func ValueFromIntBytes(data []byte) (*Value, error) { return valueFromData(valueFromIntBytes, data) }

func valueFromData(function int, data []byte) (*Value, error) {
	f := NewFrame(function, 4)
	defer f.Done()
	PutPlain(f, 2, data)
	f.SetInt(3, int64(len(data)))
	if err := f.Try(); err != nil {
		return nil, err
	}
	return ValueFromHandle(f.Pointer(1)), nil
}

// Bytes is a copy of Python's bytes.
func (x *Value) Bytes() ([]byte, error) {
	self, done, err := use(x)
	if err != nil {
		return nil, err
	}
	defer done()
	room := make([]byte, x.Len()+1)
	count := len(room) - 1
	e := C.ctorch_go_read_bytes(C.uint64_t(self), unsafe.Pointer(&room[0]), C.size_t(count))
	if e != 0 {
		return nil, failure(uintptr(e))
	}
	return room[:count:count], nil
}

var (
	valueToString       = FunctionNumber("ctorch_value_to_string")
	valueFromBytes      = FunctionNumber("ctorch_value_from_bytes")
	valueFromStringData = FunctionNumber("ctorch_value_from_string_data")
	valueFromIntBytes   = FunctionNumber("ctorch_value_from_int_bytes")
)
