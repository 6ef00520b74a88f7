package ctorch

// #include <stdlib.h>
// #include "bridge.h"
import "C"

import (
	"errors"
	"runtime"
	"runtime/cgo"
	"unsafe"
)

// Differentiable is a function with a derivative of its own; NewFunction makes something to apply of it. The tensors that
// it is given are closed when it returns; what it keeps it retains; an input may be returned as it is.
type Differentiable interface {
	// Forward computes the outputs. What backward needs is saved with context.SaveForBackward.
	Forward(context *AutogradContext, inputs []*Tensor) ([]*Tensor, error)
	// Backward computes the gradient of each input, nil for none, from those of the outputs.
	Backward(context *AutogradContext, grads []*Tensor) ([]*Tensor, error)
}

// ForwardMode is a Differentiable that has tangents too: Jvp computes those of the outputs from those of the inputs.
type ForwardMode interface {
	Differentiable
	Jvp(context *AutogradContext, tangents []*Tensor) ([]*Tensor, error)
}

// OnceDifferentiable is a Differentiable whose Backward does not record what it does: differentiating its result is an
// error.
type OnceDifferentiable interface {
	Differentiable
	OnceDifferentiable()
}

// NewFunction makes something to apply; its node in the graph is called <name>Backward.
//
// C: ctorch_autograd_function_new
func NewFunction(name string, definition Differentiable) (*AutogradFunction, error) {
	text := C.CString(name)
	defer C.free(unsafe.Pointer(text))
	var c uint64
	_, forwardMode := definition.(ForwardMode)
	_, once := definition.(OnceDifferentiable)
	payload := cgo.NewHandle(definition)
	e := C.ctorch_go_function_new((*C.uint64_t)(&c), text, C.int(bit(forwardMode)), C.int(bit(once)), C.uintptr_t(payload))
	if e != 0 {
		payload.Delete()
		return nil, failure(uintptr(e))
	}
	return AutogradFunctionFromHandle(uintptr(c)), nil
}

// Apply calls the function. The call is recorded if grad mode is on and an input requires grad.
//
// C: ctorch_autograd_function_apply
func (x *AutogradFunction) Apply(inputs ...*Tensor) ([]*Tensor, error) {
	f := NewFrame(autogradFunctionApply, 7)
	defer f.Done()
	f.Handle(2, x)
	PutHandles(f, 3, inputs)
	f.SetInt(4, int64(len(inputs)))
	if err := f.Try(); err != nil {
		return nil, err
	}
	runtime.KeepAlive(x)
	runtime.KeepAlive(inputs)
	return f.Tensors(1), nil
}

var autogradFunctionApply = FunctionNumber("ctorch_autograd_function_apply")

// RegisterHook calls a function each time the gradient of this tensor was computed; it may return another gradient, nil
// to keep it. The hook stays until Hook.Remove, or until the tensor is gone.
//
// C: ctorch_tensor_register_hook
func (x *Tensor) RegisterHook(hook func(grad *Tensor) (*Tensor, error)) (*Hook, error) {
	return x.register(hook, func(out *C.uint64_t, payload C.uintptr_t) C.uint64_t {
		return C.ctorch_go_register_hook(out, C.uint64_t(x.Handle()), payload)
	})
}

// RegisterPostAccumulateGradHook calls a function each time a gradient was accumulated into this leaf.
//
// C: ctorch_tensor_register_post_accumulate_grad_hook
func (x *Tensor) RegisterPostAccumulateGradHook(hook func(leaf *Tensor) error) (*Hook, error) {
	call := func(leaf *Tensor) (*Tensor, error) { return nil, hook(leaf) }
	return x.register(call, func(out *C.uint64_t, payload C.uintptr_t) C.uint64_t {
		return C.ctorch_go_register_post_hook(out, C.uint64_t(x.Handle()), payload)
	})
}

func (x *Tensor) register(
	hook func(*Tensor) (*Tensor, error), register func(*C.uint64_t, C.uintptr_t) C.uint64_t,
) (*Hook, error) {
	if x.isClosed() {
		return nil, NewError(ErrorInvalidHandle, "used after Close")
	}
	var c uint64
	payload := cgo.NewHandle(hook)
	e := register((*C.uint64_t)(&c), C.uintptr_t(payload))
	runtime.KeepAlive(x)
	if e != 0 {
		payload.Delete()
		return nil, failure(uintptr(e))
	}
	return HookFromHandle(uintptr(c)), nil
}

// TensorsFunction is a function of tensors, for transforms.
type TensorsFunction func(inputs []*Tensor) ([]*Tensor, error)

// Checkpoint runs a function without keeping what its backward needs: that is computed again.
//
// C: ctorch_checkpoint
func Checkpoint(function TensorsFunction, inputs ...*Tensor) ([]*Tensor, error) {
	handles, err := handlesOf(inputs)
	if err != nil {
		return nil, err
	}
	var c uint64
	payload := cgo.NewHandle(function)
	e := C.ctorch_go_checkpoint((*C.uint64_t)(&c), (*C.uint64_t)(&handles[0]), C.size_t(len(inputs)), C.uintptr_t(payload))
	runtime.KeepAlive(inputs)
	if e != 0 {
		payload.Delete()
	}
	return listOr(e, c)
}

// Vmap maps a function over a dimension of its inputs (torch.func.vmap); inDims nil is 0 of each.
//
// C: ctorch_func_vmap
func Vmap(function TensorsFunction, inputs []*Tensor, inDims []int64, randomness Randomness) ([]*Tensor, error) {
	return transform(0, function, inputs, inDims, randomness)
}

// FuncGrad computes the gradient of a function by some of its inputs; argnums nil is the first (torch.func.grad).
//
// C: ctorch_func_grad
func FuncGrad(function TensorsFunction, inputs []*Tensor, argnums []int64) ([]*Tensor, error) {
	return transform(1, function, inputs, argnums, 0)
}

// Jacrev computes the Jacobian of a function (torch.func.jacrev).
//
// C: ctorch_func_jacrev
func Jacrev(function TensorsFunction, inputs []*Tensor, argnums []int64) ([]*Tensor, error) {
	return transform(2, function, inputs, argnums, 0)
}

// Hessian computes the second derivatives of a function (torch.func.hessian).
//
// C: ctorch_func_hessian
func Hessian(function TensorsFunction, inputs []*Tensor, argnums []int64) ([]*Tensor, error) {
	return transform(3, function, inputs, argnums, 0)
}

func transform(
	which int, function TensorsFunction, inputs []*Tensor, dims []int64, randomness Randomness,
) ([]*Tensor, error) {
	// The transforms keep their state with the thread, and the function may come back on no other.
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	handles, err := handlesOf(inputs)
	if err != nil {
		return nil, err
	}
	payload := cgo.NewHandle(function)
	defer payload.Delete()
	var c uint64
	var first *C.int64_t
	if dims != nil {
		first = (*C.int64_t)(&append(dims[:len(dims):len(dims)], 0)[0])
	}
	e := C.ctorch_go_transform(C.int(which), (*C.uint64_t)(&c), (*C.uint64_t)(&handles[0]), C.size_t(len(inputs)), first,
		C.size_t(len(dims)), C.int32_t(randomness), C.uintptr_t(payload))
	runtime.KeepAlive(inputs)
	return listOr(e, c)
}

func handlesOf(tensors []*Tensor) ([]uint64, error) {
	handles := make([]uint64, len(tensors)+1)
	for i, t := range tensors {
		if t.isClosed() {
			return nil, NewError(ErrorInvalidHandle, "used after Close")
		}
		handles[i] = uint64(t.Handle())
	}
	return handles, nil
}

func listOr(e C.uint64_t, list uint64) ([]*Tensor, error) {
	if e != 0 {
		return nil, failure(uintptr(e))
	}
	f := NewFrame(0, 2)
	defer f.Done()
	f.words[1] = list
	return f.Tensors(1), nil
}

// Kernel computes an operator of your own: the arguments in the order of the schema, as many results as it has.
type Kernel func(args []*Value) ([]*Value, error)

// Implement gives a defined operator a kernel for a dispatch key ("CPU", "CompositeImplicitAutograd", …).
//
// C: ctorch_library_implement
func (x *Library) Implement(name, dispatchKey string, kernel Kernel) error {
	cName, cKey := C.CString(name), C.CString(dispatchKey)
	defer C.free(unsafe.Pointer(cName))
	defer C.free(unsafe.Pointer(cKey))
	payload := cgo.NewHandle(kernel)
	e := C.ctorch_go_implement(C.uint64_t(x.Handle()), cName, cKey, C.uintptr_t(payload))
	runtime.KeepAlive(x)
	if e != 0 {
		payload.Delete()
		return failure(uintptr(e))
	}
	return nil
}

// What C calls. Each answers an error object, or 0; a panic becomes one too, and goes on in the outer call.

//export ctorch_go_destroy
func ctorch_go_destroy(payload C.uintptr_t) { cgo.Handle(payload).Delete() }

//export ctorch_go_forward
func ctorch_go_forward(payload C.uintptr_t, out *C.uint64_t, context C.uint64_t, inputs *C.uint64_t, length C.size_t) C.uint64_t {
	d := cgo.Handle(payload).Value().(Differentiable)
	return handOverList(out, inputs, length, func(tensors []*Tensor) ([]*Tensor, error) {
		borrowed := &AutogradContext{handle{c: uintptr(context)}}
		defer borrowed.forget()
		return d.Forward(borrowed, tensors)
	})
}

//export ctorch_go_backward
func ctorch_go_backward(payload C.uintptr_t, out *C.uint64_t, context C.uint64_t, grads *C.uint64_t, length C.size_t) C.uint64_t {
	d := cgo.Handle(payload).Value().(Differentiable)
	return handOverList(out, grads, length, func(tensors []*Tensor) ([]*Tensor, error) {
		borrowed := &AutogradContext{handle{c: uintptr(context)}}
		defer borrowed.forget()
		return d.Backward(borrowed, tensors)
	})
}

//export ctorch_go_jvp
func ctorch_go_jvp(payload C.uintptr_t, out *C.uint64_t, context C.uint64_t, tangents *C.uint64_t, length C.size_t) C.uint64_t {
	d := cgo.Handle(payload).Value().(ForwardMode)
	return handOverList(out, tangents, length, func(tensors []*Tensor) ([]*Tensor, error) {
		borrowed := &AutogradContext{handle{c: uintptr(context)}}
		defer borrowed.forget()
		return d.Jvp(borrowed, tensors)
	})
}

//export ctorch_go_tensors
func ctorch_go_tensors(payload C.uintptr_t, out *C.uint64_t, inputs *C.uint64_t, length C.size_t) C.uint64_t {
	return handOverList(out, inputs, length, cgo.Handle(payload).Value().(TensorsFunction))
}

//export ctorch_go_hook
func ctorch_go_hook(payload C.uintptr_t, out *C.uint64_t, grad C.uint64_t) (e C.uint64_t) {
	defer recoverInto(&e)
	borrowed := borrowTensors([]uint64{uint64(grad)})
	defer closeAll(borrowed)
	replacement, err := cgo.Handle(payload).Value().(func(*Tensor) (*Tensor, error))(borrowed[0])
	if err != nil {
		return C.uint64_t(handOver(err, false))
	}
	if out != nil && replacement != nil {
		*out = C.uint64_t(replacement.giveAway())
	}
	return 0
}

//export ctorch_go_kernel
func ctorch_go_kernel(payload C.uintptr_t, results *C.uint64_t, resultsLength C.size_t, args *C.uint64_t, length C.size_t) (e C.uint64_t) {
	defer recoverInto(&e)
	given := make([]*Value, int(length))
	for i, c := range words(args, length) {
		if c != 0 {
			apply(valueRetain, uintptr(c))
		}
		given[i] = ValueFromHandle(uintptr(c))
		defer given[i].Close()
	}
	values, err := cgo.Handle(payload).Value().(Kernel)(given)
	if err == nil && len(values) != int(resultsLength) {
		err = errors.New("the kernel returned another number of results than its schema has")
	}
	if err != nil {
		return C.uint64_t(handOver(err, false))
	}
	for i, v := range values {
		words(results, resultsLength)[i] = uint64(v.giveAway())
	}
	return 0
}

var (
	valueRetain  = FunctionNumber("ctorch_value_retain")
	tensorRetain = FunctionNumber("ctorch_tensor_retain")
)

func handOverList(out, inputs *C.uint64_t, length C.size_t, run func([]*Tensor) ([]*Tensor, error)) (e C.uint64_t) {
	defer recoverInto(&e)
	borrowed := borrowTensors(words(inputs, length))
	defer closeAll(borrowed)
	tensors, err := run(borrowed)
	if err == nil {
		var handles []uint64
		if handles, err = handlesOf(tensors); err == nil {
			e = C.ctorch_go_list_new(out, (*C.uint64_t)(&handles[0]), C.size_t(len(tensors)))
			runtime.KeepAlive(tensors)
			return e
		}
	}
	return C.uint64_t(handOver(err, false))
}

func recoverInto(e *C.uint64_t) {
	if value := recover(); value != nil {
		*e = C.uint64_t(handOver(value, true))
	}
}

// borrowTensors makes handles of their own of borrowed ones, so that a callback may keep them.
func borrowTensors(handles []uint64) []*Tensor {
	tensors := make([]*Tensor, len(handles))
	for i, c := range handles {
		if c != 0 {
			apply(tensorRetain, uintptr(c))
		}
		tensors[i] = TensorFromHandle(uintptr(c))
	}
	return tensors
}

// closeAll gives back what a callback was lent. A callback that keeps a tensor retains it.
func closeAll(tensors []*Tensor) {
	for _, t := range tensors {
		t.Close()
	}
}

func words(first *C.uint64_t, length C.size_t) []uint64 {
	if length == 0 {
		return nil
	}
	return unsafe.Slice((*uint64)(unsafe.Pointer(first)), int(length))
}

// giveAway is a reference for C. The object keeps its own.
func (x *Tensor) giveAway() uintptr {
	c := x.Handle()
	if c != 0 {
		apply(tensorRetain, c)
	}
	runtime.KeepAlive(x)
	return c
}

func (x *Value) giveAway() uintptr {
	c := x.Handle()
	if c != 0 {
		apply(valueRetain, c)
	}
	runtime.KeepAlive(x)
	return c
}

// forget ends a borrowed handle without giving anything back.
func (h *handle) forget() { h.c = 0 }
