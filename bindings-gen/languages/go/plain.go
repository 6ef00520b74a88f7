package ctorch

import (
	"fmt"
	"math"
	"strconv"
)

// Scalar is a Python-like number: Int, Float, Bool, Complex or Uint make one.
type Scalar struct {
	Kind      ScalarKind
	Integer   int64 // of Int; 0 or 1 of Bool; the bits of Uint
	Real      float64
	Imaginary float64
}

func Int(x int64) Scalar     { return Scalar{Kind: ScalarInt, Integer: x} }
func Float(x float64) Scalar { return Scalar{Kind: ScalarFloat, Real: x} }
func Bool(x bool) Scalar     { return Scalar{Kind: ScalarBool, Integer: int64(bit(x))} }
func Complex(x complex128) Scalar {
	return Scalar{Kind: ScalarComplex, Real: real(x), Imaginary: imag(x)}
}

// Uint is a whole number that may be 2^63 or more.
func Uint(x uint64) Scalar {
	if x <= math.MaxInt64 {
		return Int(int64(x))
	}
	return Scalar{Kind: ScalarUint, Integer: int64(x)}
}

func (s Scalar) String() string {
	switch s.Kind {
	case ScalarInt:
		return strconv.FormatInt(s.Integer, 10)
	case ScalarUint:
		return strconv.FormatUint(uint64(s.Integer), 10)
	case ScalarBool:
		return strconv.FormatBool(s.Integer != 0)
	case ScalarComplex:
		return fmt.Sprint(complex(s.Real, s.Imaginary))
	}
	return strconv.FormatFloat(s.Real, 'g', -1, 64)
}

func (s Scalar) words() [4]uint64 {
	return [4]uint64{uint64(uint32(s.Kind)), uint64(s.Integer), math.Float64bits(s.Real), math.Float64bits(s.Imaginary)}
}

func scalarOf(w []uint64) Scalar {
	return Scalar{ScalarKind(int32(w[0])), int64(w[1]), math.Float64frombits(w[2]), math.Float64frombits(w[3])}
}

// Device is a kind of device and which one; -1 is the current one of its kind.
type Device struct {
	Type  DeviceType
	Index int32
}

// CPU and Meta are devices of which there is one; tensors on Meta have a shape and no data.
var (
	CPU  = Device{DeviceTypeCpu, -1}
	Meta = Device{DeviceTypeMeta, -1}
)

// CUDA is a graphics processor.
func CUDA(index int32) Device { return Device{DeviceTypeCuda, index} }

// String is the device as PyTorch spells it: "cuda:0".
func (d Device) String() string {
	if d.Index < 0 {
		return d.Type.Name()
	}
	return d.Type.Name() + ":" + strconv.Itoa(int(d.Index))
}

func (d Device) word() uint64 { return uint64(uint32(d.Type)) | uint64(uint32(d.Index))<<32 }

func deviceOf(w uint64) Device { return Device{DeviceType(int32(w)), int32(w >> 32)} }

// Stream is a queue of work on a device: plain data that owns nothing.
type Stream struct {
	ID     int64
	Device Device
}

func (s Stream) words() [2]uint64 { return [2]uint64{uint64(s.ID), s.Device.word()} }

func streamOf(w []uint64) Stream { return Stream{int64(w[0]), deviceOf(w[1])} }
