package ctorch

import (
	"fmt"
	"math/big"
	"reflect"
	"sort"
)

// Go's values as values of the C API, and back: what operators called by name and custom operators exchange.
//
//	nil                     None                   Dtype, Layout, MemoryFormat    torch.float32, torch.strided, …
//	bool, string            bool, str              Device, Stream                 device, stream
//	int64, *big.Int         int of any size        []any, Tuple                   list, tuple
//	float64, complex128     float, complex         Dict, Set                      dict, set
//	[]byte                  bytes                  *PythonObject                  an object of a class of Python's
//	NamedTuple              NamedTuple
//
// and *Tensor, *Generator, *Storage, *Module, *Transform. That is what Native gives. ValueOf takes more: every kind of number, slices and
// arrays of any type as lists, maps as dicts in the order of their printed keys, pointers to numbers and texts.

// Tuple is Python's tuple.
type Tuple []any

// NamedTuple is a NamedTuple of TorchScript: a tuple whose fields have names too. As a value it is a plain tuple.
type NamedTuple struct {
	Name   string
	Fields []string // as many as entries
	Tuple
}

// Get is the value of a field.
func (t NamedTuple) Get(field string) (any, bool) {
	for i, name := range t.Fields {
		if name == field {
			return t.Tuple[i], true
		}
	}
	return nil, false
}

// Set is Python's set in its order.
type Set []any

// Dict is Python's dict in its order.
type Dict []Entry

// Entry is a key of a Dict and its value.
type Entry struct{ Key, Value any }

// Get is the value of a key.
func (d Dict) Get(key any) (any, bool) {
	for _, e := range d {
		if reflect.DeepEqual(e.Key, key) {
			return e.Value, true
		}
	}
	return nil, false
}

// Contains tells whether a set has an entry.
func (s Set) Contains(value any) bool {
	for _, x := range s {
		if reflect.DeepEqual(x, value) {
			return true
		}
	}
	return false
}

// PythonObject is an object of a class of Python's as a file describes it: Module.Name(Args...), then its items, then its
// state. Nothing is imported or called. With nil Args it stands for the class or function itself.
type PythonObject struct {
	Module, Name string
	Args         Tuple
	Items        any // []any, Dict, Set, or nil for none
	State        any // mostly a Dict of attributes
}

// Attribute is an entry of a state that is a Dict.
func (p *PythonObject) Attribute(name string) (any, bool) {
	state, _ := p.State.(Dict)
	return state.Get(name)
}

func (p *PythonObject) String() string {
	if p.Args == nil {
		return p.Module + "." + p.Name
	}
	return fmt.Sprintf("%s.%s(%d arguments)", p.Module, p.Name, len(p.Args))
}

const deepestValue = 1000

// ValueOf makes a value that holds what x does.
func ValueOf(x any) (*Value, error) { return valueOf(x, 0) }

// ValuesOf makes a value of each, as arguments of Op.Call.
func ValuesOf(list ...any) ([]*Value, error) { return valuesOf(list, 0) }

func valuesOf(list []any, depth int) ([]*Value, error) {
	values := make([]*Value, len(list))
	for i, x := range list {
		var err error
		if values[i], err = valueOf(x, depth); err != nil {
			closeValues(values)
			return nil, err
		}
	}
	return values, nil
}

func closeValues(values []*Value) {
	for _, v := range values {
		v.Close()
	}
}

func valueOf(x any, depth int) (*Value, error) {
	if depth > deepestValue {
		return nil, NewError(ErrorValue, fmt.Sprintf("ValueOf: x: nested more than %d deep, or contains itself", deepestValue))
	}
	switch x := x.(type) {
	case nil:
		return ValueFromNone()
	case *Value:
		if x.isClosed() {
			return nil, NewError(ErrorInvalidHandle, "ValueOf: x: a value used after Close")
		}
		if x == nil {
			return ValueFromNone()
		}
		return x.Retain(), nil
	case *Tensor:
		return ValueFromTensor(x)
	case *Generator:
		return ValueFromGenerator(x)
	case *Storage:
		return ValueFromStorage(x)
	case *Module:
		return ValueFromModule(x)
	case *Transform:
		return ValueFromTransform(x)
	case Dtype:
		return ValueFromDtype(x)
	case Layout:
		return ValueFromLayout(x)
	case MemoryFormat:
		return ValueFromMemoryFormat(x)
	case Device:
		return ValueFromDevice(x)
	case Stream:
		return ValueFromStream(x)
	case Scalar:
		return ValueFromScalar(x)
	case *big.Int:
		if x == nil {
			return ValueFromNone()
		}
		return valueFromBig(x)
	case Tuple:
		return collect(x, depth, ValueFromTuple)
	case NamedTuple:
		return collect(x.Tuple, depth, ValueFromTuple)
	case Set:
		return collect(x, depth, ValueFromSet)
	case Dict:
		return valueFromDict(x, depth)
	case *PythonObject:
		if x == nil {
			return ValueFromNone()
		}
		return valueFromPython(x, depth)
	}
	return valueByReflection(reflect.ValueOf(x), depth)
}

func valueByReflection(x reflect.Value, depth int) (*Value, error) {
	switch x.Kind() {
	case reflect.Bool:
		return ValueFromBool(x.Bool())
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return ValueFromInt(x.Int())
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		return ValueFromScalar(Uint(x.Uint()))
	case reflect.Float32, reflect.Float64:
		return ValueFromDouble(x.Float())
	case reflect.Complex64, reflect.Complex128:
		return ValueFromComplex(real(x.Complex()), imag(x.Complex()))
	case reflect.String:
		return ValueFromStringData([]byte(x.String()))
	case reflect.Slice, reflect.Array:
		if x.Type().Elem().Kind() == reflect.Uint8 {
			data := make([]byte, x.Len())
			reflect.Copy(reflect.ValueOf(data), x)
			return ValueFromBytes(data)
		}
		list := make([]any, x.Len())
		for i := range list {
			list[i] = x.Index(i).Interface()
		}
		return collect(list, depth, ValueFromList)
	case reflect.Map:
		keys := x.MapKeys() // Go's order is another each time
		sort.Slice(keys, func(i, j int) bool { return fmt.Sprint(keys[i]) < fmt.Sprint(keys[j]) })
		dict := make(Dict, len(keys))
		for i, key := range keys {
			dict[i] = Entry{key.Interface(), x.MapIndex(key).Interface()}
		}
		return valueFromDict(dict, depth)
	case reflect.Pointer:
		switch x.Type().Elem().Kind() {
		case reflect.Struct, reflect.Pointer:
		default:
			if x.IsNil() {
				return ValueFromNone()
			}
			return valueOf(x.Elem().Interface(), depth+1)
		}
	}
	return nil, NewError(ErrorType, fmt.Sprintf("ValueOf: x: no value can hold a %s", x.Type()))
}

func collect(list []any, depth int, make func([]*Value) (*Value, error)) (*Value, error) {
	values, err := valuesOf(list, depth+1)
	if err != nil {
		return nil, err
	}
	defer closeValues(values)
	return make(values)
}

func valueFromDict(dict Dict, depth int) (*Value, error) {
	list := make([]any, len(dict))
	for i, e := range dict {
		list[i] = e.Value
	}
	return collect(list, depth, func(values []*Value) (*Value, error) {
		for i, e := range dict {
			list[i] = e.Key
		}
		return collect(list, depth, func(keys []*Value) (*Value, error) { return ValueFromDict(keys, values) })
	})
}

func valueFromPython(x *PythonObject, depth int) (*Value, error) {
	parts := []any{nil, x.Items, x.State}
	if x.Args != nil {
		parts[0] = x.Args
	}
	return collect(parts, depth, func(values []*Value) (*Value, error) {
		for i, part := range parts {
			if part == nil {
				values[i].Close()
				values[i] = nil
			}
		}
		return ValueFromPythonObject(x.Module, x.Name, values[0], values[1], values[2])
	})
}

// valueFromBig writes two's complement with the lowest byte first; the last byte has the sign.
func valueFromBig(x *big.Int) (*Value, error) {
	magnitude := x
	if x.Sign() < 0 {
		magnitude = new(big.Int).Not(x)
	}
	data := make([]byte, magnitude.BitLen()/8+1)
	for i, b := range magnitude.Bytes() {
		place := (magnitude.BitLen()+7)/8 - 1 - i
		data[place] = b
	}
	if x.Sign() < 0 {
		for i := range data {
			data[i] = ^data[i]
		}
	}
	return ValueFromIntBytes(data)
}

// Native is what a value holds, in Go; the *Value itself, with a reference of its own, for what has no form there, as an
// object of TorchScript. Lists, dicts and sets are copied, tensors shared.
func (x *Value) Native() (any, error) { return x.native(0) }

func (x *Value) native(depth int) (any, error) {
	if x == nil {
		return nil, nil
	}
	if x.isClosed() {
		return nil, NewError(ErrorInvalidHandle, "Native: a value used after Close")
	}
	if depth > deepestValue {
		return nil, NewError(ErrorRuntime, fmt.Sprintf("Native: nested more than %d deep, or contains itself", deepestValue))
	}
	switch x.KindOf() {
	case ValueNone:
		return nil, nil
	case ValueTensor:
		return found(x.ToTensor())
	case ValueInt:
		return x.toInteger()
	case ValueDouble:
		return found(x.ToDouble())
	case ValueBool:
		return found(x.ToBool())
	case ValueComplex:
		re, im, err := x.ToComplex()
		return found(complex(re, im), err)
	case ValueString:
		return found(x.Text())
	case ValueList:
		return found(x.entries(depth))
	case ValueTuple:
		return x.tuple(depth)
	case ValueDict:
		return found(x.dict(depth))
	case ValueSet:
		list, err := entriesOf(x.SetValues, depth)
		return found(Set(list), err)
	case ValueDevice:
		return found(x.ToDevice())
	case ValueStream:
		return found(x.ToStream())
	case ValueGenerator:
		return found(x.ToGenerator())
	case ValueStorage:
		return found(x.ToStorage())
	case ValueModule:
		return found(x.ToModule())
	case ValueTransform:
		return found(x.ToTransform())
	case ValueBytes:
		return found(x.Bytes())
	case ValueDtype:
		return found(x.ToDtype())
	case ValueLayout:
		return found(x.ToLayout())
	case ValueMemoryFormat:
		return found(x.ToMemoryFormat())
	case ValuePythonObject:
		return found(x.python(depth))
	}
	return x.Retain(), nil
}

// found keeps what came with an error out of the result.
func found[T any](x T, err error) (any, error) {
	if err != nil {
		return nil, err
	}
	return x, nil
}

// toInteger is an int64, or a *big.Int beyond that.
func (x *Value) toInteger() (any, error) {
	n, err := x.ToInt()
	if err == nil {
		return n, nil
	}
	made, err := x.ToIntBytes() // more than 64 bits, or what this says as well
	if err != nil {
		return nil, err
	}
	defer made.Close()
	data, err := made.Bytes()
	if err != nil {
		return nil, err
	}
	negative := data[len(data)-1] > 127
	for i, j := 0, len(data)-1; i <= j; i, j = i+1, j-1 {
		data[i], data[j] = data[j], data[i]
	}
	if negative {
		for i := range data {
			data[i] = ^data[i]
		}
		return new(big.Int).Not(new(big.Int).SetBytes(data)), nil
	}
	return new(big.Int).SetBytes(data), nil
}

func (x *Value) entries(depth int) ([]any, error) {
	list := make([]any, x.Len())
	for i := range list {
		entry, err := x.Get(i)
		if err != nil {
			return nil, err
		}
		list[i], err = entry.native(depth + 1)
		entry.Close()
		if err != nil {
			return nil, err
		}
	}
	return list, nil
}

func (x *Value) tuple(depth int) (any, error) {
	list, err := x.entries(depth)
	name := x.TupleName()
	if err != nil || name == "" {
		return found(Tuple(list), err)
	}
	fields := make([]string, len(list))
	for i := range fields {
		fields[i] = x.FieldName(i)
	}
	return NamedTuple{name, fields, list}, nil
}

func entriesOf(of func() (*Value, error), depth int) ([]any, error) {
	made, err := of()
	if err != nil {
		return nil, err
	}
	defer made.Close()
	return made.entries(depth)
}

func (x *Value) dict(depth int) (Dict, error) {
	keys, err := entriesOf(x.DictKeys, depth)
	if err != nil {
		return nil, err
	}
	values, err := entriesOf(x.DictValues, depth)
	if err != nil {
		return nil, err
	}
	dict := make(Dict, len(keys))
	for i := range dict {
		dict[i] = Entry{keys[i], values[i]}
	}
	return dict, nil
}

func (x *Value) python(depth int) (*PythonObject, error) {
	object := &PythonObject{Module: x.PythonModule(), Name: x.PythonName()}
	var parts [3]any
	for i, of := range []func() (*Value, error){x.PythonArgs, x.PythonItems, x.PythonState} {
		made, err := of()
		if err != nil {
			return nil, err
		}
		parts[i], err = made.native(depth + 1)
		made.Close()
		if err != nil {
			return nil, err
		}
	}
	object.Args, _ = parts[0].(Tuple)
	object.Items, object.State = parts[1], parts[2]
	return object, nil
}
