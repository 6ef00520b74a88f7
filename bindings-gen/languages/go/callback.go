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
	return f.Tensors(1), nil
}

var autogradFunctionApply = FunctionNumber("ctorch_autograd_function_apply")

// RegisterHook calls a function each time the gradient of this tensor was computed; it may return another gradient, nil
// to keep it. The hook stays until Hook.Remove, or until the tensor is gone.
//
// C: ctorch_tensor_register_hook
func (x *Tensor) RegisterHook(hook func(grad *Tensor) (*Tensor, error)) (*Hook, error) {
	return x.register(hook, func(out *C.uint64_t, c C.uint64_t, payload C.uintptr_t) C.uint64_t {
		return C.ctorch_go_register_hook(out, c, payload)
	})
}

// RegisterPostAccumulateGradHook calls a function each time a gradient was accumulated into this leaf.
//
// C: ctorch_tensor_register_post_accumulate_grad_hook
func (x *Tensor) RegisterPostAccumulateGradHook(hook func(leaf *Tensor) error) (*Hook, error) {
	call := func(leaf *Tensor) (*Tensor, error) { return nil, hook(leaf) }
	return x.register(call, func(out *C.uint64_t, c C.uint64_t, payload C.uintptr_t) C.uint64_t {
		return C.ctorch_go_register_post_hook(out, c, payload)
	})
}

func (x *Tensor) register(
	hook func(*Tensor) (*Tensor, error), register func(out *C.uint64_t, c C.uint64_t, payload C.uintptr_t) C.uint64_t,
) (*Hook, error) {
	self, done, err := use(x)
	if err != nil {
		return nil, err
	}
	defer done()
	var c uint64
	payload := cgo.NewHandle(hook)
	e := register((*C.uint64_t)(&c), C.uint64_t(self), C.uintptr_t(payload))
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
	f := NewFrame(0, 1)
	defer f.Done()
	handles := f.handlesOf(inputs)
	if f.err != nil {
		return nil, f.err
	}
	var c uint64
	payload := cgo.NewHandle(function)
	e := C.ctorch_go_checkpoint((*C.uint64_t)(&c), (*C.uint64_t)(&handles[0]), C.size_t(len(inputs)), C.uintptr_t(payload))
	if e != 0 {
		payload.Delete()
	}
	return listOr(e, c)
}

// Node hooks.

type nodeHook func(gradInputs, gradOutputs []*Tensor) ([]*Tensor, error)

// RegisterPrehook calls a function with the gradients that go into this node, before it runs; it may return others, as
// many, and nil to keep them. A nil gradient is undefined. What the function keeps it retains.
//
// C: ctorch_node_register_prehook
func (x *Node) RegisterPrehook(hook func(gradOutputs []*Tensor) ([]*Tensor, error)) (*Hook, error) {
	call := func(_, gradOutputs []*Tensor) ([]*Tensor, error) { return hook(gradOutputs) }
	return x.register(nodeRegisterPrehook, C.CTORCH_GO_PREHOOK, call)
}

// RegisterHook calls a function with the gradients that came out of this node and those that went in; it may return
// others in place of those that came out, as many, and nil to keep them. A nil gradient is undefined. What the function
// keeps it retains.
//
// C: ctorch_node_register_hook
func (x *Node) RegisterHook(hook func(gradInputs, gradOutputs []*Tensor) ([]*Tensor, error)) (*Hook, error) {
	return x.register(nodeRegisterHook, C.CTORCH_GO_NODE_HOOK, hook)
}

func (x *Node) register(function int, callback C.int, hook nodeHook) (*Hook, error) {
	f := NewFrame(function, 6)
	defer f.Done()
	payload := cgo.NewHandle(hook)
	f.Handle(2, x)
	f.words[3] = uint64(C.ctorch_go_callback(callback))
	f.words[4] = uint64(C.ctorch_go_callback(C.CTORCH_GO_DESTROY))
	f.words[5] = uint64(payload)
	if err := f.Try(); err != nil {
		payload.Delete()
		return nil, err
	}
	return HookFromHandle(f.Pointer(1)), nil
}

// What backward needs.

type savedTensorsHooks struct {
	pack   func(*Tensor) (any, error)
	unpack func(any) (*Tensor, error)
}

// WithSavedTensorsHooks runs a function; of each tensor that backward needs of what it does, what pack makes of it is
// kept, and unpack makes it again for backward (torch.autograd.graph.saved_tensors_hooks). The tensor that pack is given
// is closed when it returns; what it keeps it retains.
//
// C: ctorch_saved_tensors_hooks_push
func WithSavedTensorsHooks(
	pack func(tensor *Tensor) (any, error), unpack func(packed any) (*Tensor, error), run func() error,
) error {
	payload := cgo.NewHandle(savedTensorsHooks{pack, unpack})
	pushed := false
	err := within("ctorch_saved_tensors_hooks", func() error { pushed = true; return run() }, func(f *Frame) {
		f.words[1] = uint64(C.ctorch_go_callback(C.CTORCH_GO_PACK))
		f.words[2] = uint64(C.ctorch_go_callback(C.CTORCH_GO_UNPACK))
		f.words[3] = uint64(C.ctorch_go_callback(C.CTORCH_GO_DESTROY_PACKED))
		f.words[4] = uint64(C.ctorch_go_callback(C.CTORCH_GO_DESTROY))
		f.words[5] = uint64(payload)
	})
	if !pushed {
		payload.Delete()
	}
	return err
}

// Transforms. The others of torch.func's arguments, such as has_aux and chunk_size, are those of the C functions, which
// a Frame calls.

// Vmap maps a function over a dimension of its inputs (torch.func.vmap); inDims nil is 0 of each.
//
// C: ctorch_func_vmap
func Vmap(function TensorsFunction, inputs []*Tensor, inDims []int64, randomness Randomness) ([]*Tensor, error) {
	var out []*Tensor
	err := transform(funcVmap, 12, function, func(f *Frame) {
		putInputs(f, 4, inputs)
		putDims(f, 6, inDims)
		f.SetInt(10, int64(randomness))
	}, 2, func(f *Frame) { out = f.Tensors(1) })
	return out, err
}

// FuncGrad computes the gradient of a function by some of its inputs; argnums nil is the first (torch.func.grad).
//
// C: ctorch_func_grad
func FuncGrad(function TensorsFunction, inputs []*Tensor, argnums []int64) ([]*Tensor, error) {
	var out []*Tensor
	err := transform(funcGrad, 10, function, func(f *Frame) {
		putInputs(f, 5, inputs)
		putDims(f, 7, argnums)
	}, 3, func(f *Frame) { f.noAux(2); out = f.Tensors(1) })
	return out, err
}

// FuncGradAndValue computes the gradient and the value of a function (torch.func.grad_and_value).
//
// C: ctorch_func_grad_and_value
func FuncGradAndValue(function TensorsFunction, inputs []*Tensor, argnums []int64) ([]*Tensor, *Tensor, error) {
	var out []*Tensor
	var value *Tensor
	err := transform(funcGradAndValue, 11, function, func(f *Frame) {
		putInputs(f, 6, inputs)
		putDims(f, 8, argnums)
	}, 4, func(f *Frame) { f.noAux(3); out, value = f.Tensors(1), TensorFromHandle(f.Pointer(2)) })
	return out, value, err
}

// Vjp computes a function, and gives a function of cotangents: VjpFunction.Call (torch.func.vjp).
//
// C: ctorch_func_vjp
func Vjp(function TensorsFunction, primals []*Tensor) ([]*Tensor, *VjpFunction, error) {
	var out []*Tensor
	var vjp *VjpFunction
	err := transform(funcVjp, 9, function, func(f *Frame) { putInputs(f, 6, primals) }, 4, func(f *Frame) {
		f.noAux(3)
		out, vjp = f.Tensors(1), VjpFunctionFromHandle(f.Pointer(2))
	})
	return out, vjp, err
}

// Jvp computes a function and its derivative in the direction of tangents (torch.func.jvp).
//
// C: ctorch_func_jvp
func Jvp(function TensorsFunction, primals, tangents []*Tensor) (out, outTangents []*Tensor, err error) {
	err = transform(funcJvp, 12, function, func(f *Frame) {
		putInputs(f, 6, primals)
		putInputs(f, 8, tangents)
	}, 4, func(f *Frame) { f.noAux(3); out, outTangents = f.Tensors(1), f.Tensors(2) })
	return out, outTangents, err
}

// Linearize computes a function, and gives its linear approximation there: JvpFunction.Call (torch.func.linearize).
//
// C: ctorch_func_linearize
func Linearize(function TensorsFunction, primals []*Tensor) ([]*Tensor, *JvpFunction, error) {
	var out []*Tensor
	var jvp *JvpFunction
	err := transform(funcLinearize, 7, function, func(f *Frame) { putInputs(f, 5, primals) }, 3, func(f *Frame) {
		out, jvp = f.Tensors(1), JvpFunctionFromHandle(f.Pointer(2))
	})
	return out, jvp, err
}

// Jacrev computes the Jacobian of a function, row by row (torch.func.jacrev).
//
// C: ctorch_func_jacrev
func Jacrev(function TensorsFunction, inputs []*Tensor, argnums []int64) ([]*Tensor, error) {
	var out []*Tensor
	err := transform(funcJacrev, 11, function, func(f *Frame) {
		putInputs(f, 5, inputs)
		putDims(f, 7, argnums)
	}, 3, func(f *Frame) { f.noAux(2); out = f.Tensors(1) })
	return out, err
}

// Jacfwd computes the Jacobian of a function, column by column (torch.func.jacfwd).
//
// C: ctorch_func_jacfwd
func Jacfwd(function TensorsFunction, inputs []*Tensor, argnums []int64, randomness Randomness) ([]*Tensor, error) {
	var out []*Tensor
	err := transform(funcJacfwd, 12, function, func(f *Frame) {
		putInputs(f, 5, inputs)
		putDims(f, 7, argnums)
		f.SetInt(10, int64(randomness))
	}, 3, func(f *Frame) { f.noAux(2); out = f.Tensors(1) })
	return out, err
}

// Hessian computes the second derivatives of a function (torch.func.hessian).
//
// C: ctorch_func_hessian
func Hessian(function TensorsFunction, inputs []*Tensor, argnums []int64) ([]*Tensor, error) {
	var out []*Tensor
	err := transform(funcHessian, 8, function, func(f *Frame) {
		putInputs(f, 4, inputs)
		putDims(f, 6, argnums)
	}, 2, func(f *Frame) { out = f.Tensors(1) })
	return out, err
}

// transform calls a C function that takes a function of tensors, in the parameter `place`, and its payload behind that.
func transform(
	number, words int, function TensorsFunction, arguments func(*Frame), place int, results func(*Frame),
) error {
	// The transforms keep their state with the thread, and the function may come back on no other.
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	f := NewFrame(number, words)
	defer f.Done()
	payload := cgo.NewHandle(function)
	defer payload.Delete()
	f.words[place] = uint64(C.ctorch_go_callback(C.CTORCH_GO_TENSORS))
	f.words[place+1] = uint64(payload)
	arguments(f)
	err := f.Try()
	if err == nil {
		results(f)
	}
	return err
}

// noAux gives back the list of auxiliary results, which is empty.
func (f *Frame) noAux(place int) { f.Tensors(place) }

func putInputs(f *Frame, place int, inputs []*Tensor) {
	PutHandles(f, place, inputs)
	f.SetInt(place+1, int64(len(inputs)))
}

func putDims(f *Frame, place int, dims []int64) {
	if dims != nil {
		f.PutInts(place, dims)
		f.SetInt(place+1, int64(len(dims)))
	}
}

var (
	nodeRegisterPrehook = FunctionNumber("ctorch_node_register_prehook")
	nodeRegisterHook    = FunctionNumber("ctorch_node_register_hook")
	funcVmap            = FunctionNumber("ctorch_func_vmap")
	funcGrad            = FunctionNumber("ctorch_func_grad")
	funcGradAndValue    = FunctionNumber("ctorch_func_grad_and_value")
	funcVjp             = FunctionNumber("ctorch_func_vjp")
	funcJvp             = FunctionNumber("ctorch_func_jvp")
	funcLinearize       = FunctionNumber("ctorch_func_linearize")
	funcJacrev          = FunctionNumber("ctorch_func_jacrev")
	funcJacfwd          = FunctionNumber("ctorch_func_jacfwd")
	funcHessian         = FunctionNumber("ctorch_func_hessian")
)

// handlesOf are tensors for a call that is not the frame's, which keeps them.
func (f *Frame) handlesOf(tensors []*Tensor) []uint64 {
	handles := make([]uint64, len(tensors)+1)
	for i, t := range tensors {
		handles[i] = f.handleOf(t)
	}
	return handles
}

// giveList makes a list of tensors for a callback to hand over.
func giveList(out *C.uint64_t, tensors []*Tensor) C.uint64_t {
	f := NewFrame(0, 1)
	defer f.Done()
	handles := f.handlesOf(tensors)
	if f.err != nil {
		return C.uint64_t(handOver(f.err, false))
	}
	return C.ctorch_go_list_new(out, (*C.uint64_t)(&handles[0]), C.size_t(len(tensors)))
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
	self, done, err := use(x)
	if err != nil {
		return err
	}
	defer done()
	cName, cKey := C.CString(name), C.CString(dispatchKey)
	defer C.free(unsafe.Pointer(cName))
	defer C.free(unsafe.Pointer(cKey))
	payload := cgo.NewHandle(kernel)
	e := C.ctorch_go_implement(C.uint64_t(self), cName, cKey, C.uintptr_t(payload))
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

//export ctorch_go_node_hook
func ctorch_go_node_hook(payload C.uintptr_t, out, inputs *C.uint64_t, inputsLength C.size_t, outputs *C.uint64_t, outputsLength C.size_t) (e C.uint64_t) {
	defer recoverInto(&e)
	gradInputs, gradOutputs := borrowTensors(words(inputs, inputsLength)), borrowTensors(words(outputs, outputsLength))
	defer closeAll(gradInputs)
	defer closeAll(gradOutputs)
	replacements, err := cgo.Handle(payload).Value().(nodeHook)(gradInputs, gradOutputs)
	if err == nil && replacements != nil {
		return giveList(out, replacements)
	}
	if err != nil {
		return C.uint64_t(handOver(err, false))
	}
	return 0
}

//export ctorch_go_pack
func ctorch_go_pack(payload C.uintptr_t, out *C.uint64_t, tensor C.uint64_t) (e C.uint64_t) {
	defer recoverInto(&e)
	borrowed := borrowTensors([]uint64{uint64(tensor)})
	defer closeAll(borrowed)
	packed, err := cgo.Handle(payload).Value().(savedTensorsHooks).pack(borrowed[0])
	if err != nil {
		return C.uint64_t(handOver(err, false))
	}
	*out = C.uint64_t(cgo.NewHandle(packed))
	return 0
}

//export ctorch_go_unpack
func ctorch_go_unpack(payload C.uintptr_t, out *C.uint64_t, packed C.uintptr_t) (e C.uint64_t) {
	defer recoverInto(&e)
	tensor, err := cgo.Handle(payload).Value().(savedTensorsHooks).unpack(cgo.Handle(packed).Value())
	if err == nil && tensor.isClosed() {
		err = errClosed()
	}
	if err != nil {
		return C.uint64_t(handOver(err, false))
	}
	*out = C.uint64_t(tensor.giveAway())
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
	if err != nil {
		return C.uint64_t(handOver(err, false))
	}
	return giveList(out, tensors)
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
	if x == nil {
		return 0
	}
	return x.retained(tensorRetain)
}

func (x *Value) giveAway() uintptr {
	if x == nil {
		return 0
	}
	return x.retained(valueRetain)
}
