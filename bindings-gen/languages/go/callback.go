package ctorch

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
	f := NewFrame(autogradFunctionNew, 9)
	defer f.Done()
	f.PutString(2, name)
	f.callbackOf(3, C.CTORCH_GO_AUTOGRAD_FUNCTION_FORWARD)
	f.callbackOf(4, C.CTORCH_GO_AUTOGRAD_FUNCTION_BACKWARD)
	calls := callbacks{
		C.CTORCH_GO_AUTOGRAD_FUNCTION_FORWARD:  withContext(definition.Forward),
		C.CTORCH_GO_AUTOGRAD_FUNCTION_BACKWARD: withContext(definition.Backward),
	}
	if forwardMode, ok := definition.(ForwardMode); ok {
		f.callbackOf(5, C.CTORCH_GO_AUTOGRAD_FUNCTION_JVP)
		calls[C.CTORCH_GO_AUTOGRAD_FUNCTION_JVP] = withContext(forwardMode.Jvp)
	}
	_, once := definition.(OnceDifferentiable)
	f.SetBool(6, once)
	if err := f.keepAll(7, calls); err != nil {
		return nil, err
	}
	return AutogradFunctionFromHandle(f.Pointer(1)), nil
}

func withContext(run func(*AutogradContext, []*Tensor) ([]*Tensor, error)) callback {
	return func(out *uint64, words []uint64) error {
		context := &AutogradContext{handle{c: uintptr(words[0])}}
		defer context.forget()
		call := ofTensors(func(tensors []*Tensor) ([]*Tensor, error) { return run(context, tensors) })
		return call(out, words[1:])
	}
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

var (
	autogradFunctionNew   = FunctionNumber("ctorch_autograd_function_new")
	autogradFunctionApply = FunctionNumber("ctorch_autograd_function_apply")
)

// RegisterHook calls a function each time the gradient of this tensor was computed; it may return another gradient, nil
// to keep it. The hook stays until Hook.Remove, or until the tensor is gone.
//
// C: ctorch_tensor_register_hook
func (x *Tensor) RegisterHook(hook func(grad *Tensor) (*Tensor, error)) (*Hook, error) {
	return register(x, tensorRegisterHook, C.CTORCH_GO_TENSOR_HOOK, func(out *uint64, words []uint64) error {
		grad := borrowTensors(words[:1])
		defer closeAll(grad)
		replacement, err := hook(grad[0])
		if err == nil && replacement != nil {
			*out = uint64(replacement.giveAway())
		}
		return err
	})
}

// RegisterPostAccumulateGradHook calls a function each time a gradient was accumulated into this leaf.
//
// C: ctorch_tensor_register_post_accumulate_grad_hook
func (x *Tensor) RegisterPostAccumulateGradHook(hook func(leaf *Tensor) error) (*Hook, error) {
	call := func(_ *uint64, words []uint64) error {
		leaf := borrowTensors(words[:1])
		defer closeAll(leaf)
		return hook(leaf[0])
	}
	return register(x, tensorRegisterPostHook, C.CTORCH_GO_POST_ACCUMULATE_GRAD_HOOK, call)
}

func register(x owner, number int, which C.int, call callback) (*Hook, error) {
	f := NewFrame(number, 6)
	defer f.Done()
	f.Handle(2, x)
	f.callbackOf(3, which)
	return f.keepHook(4, call)
}

// TensorsFunction is a function of tensors, for transforms.
type TensorsFunction func(inputs []*Tensor) ([]*Tensor, error)

// Checkpoint runs a function without keeping what its backward needs: that is computed again.
//
// C: ctorch_checkpoint
func Checkpoint(function TensorsFunction, inputs ...*Tensor) ([]*Tensor, error) {
	f := NewFrame(checkpoint, 10)
	defer f.Done()
	f.callbackOf(2, C.CTORCH_GO_TENSORS)
	putInputs(f, 3, inputs)
	if err := f.keep(8, ofTensors(function)); err != nil {
		return nil, err
	}
	return f.Tensors(1), nil
}

// Node hooks.

// RegisterPrehook calls a function with the gradients that go into this node, before it runs; it may return others, as
// many, and nil to keep them. A nil gradient is undefined. What the function keeps it retains.
//
// C: ctorch_node_register_prehook
func (x *Node) RegisterPrehook(hook func(gradOutputs []*Tensor) ([]*Tensor, error)) (*Hook, error) {
	return register(x, nodeRegisterPrehook, C.CTORCH_GO_NODE_PREHOOK, func(out *uint64, words []uint64) error {
		gradOutputs := borrowTensors(wordsAt(words[0], words[1]))
		defer closeAll(gradOutputs)
		replacements, err := hook(gradOutputs)
		return giveReplacements(out, replacements, err)
	})
}

// RegisterHook calls a function with the gradients that came out of this node and those that went in; it may return
// others in place of those that came out, as many, and nil to keep them. A nil gradient is undefined. What the function
// keeps it retains.
//
// C: ctorch_node_register_hook
func (x *Node) RegisterHook(hook func(gradInputs, gradOutputs []*Tensor) ([]*Tensor, error)) (*Hook, error) {
	return register(x, nodeRegisterHook, C.CTORCH_GO_NODE_HOOK, func(out *uint64, words []uint64) error {
		gradInputs, gradOutputs := borrowTensors(wordsAt(words[0], words[1])), borrowTensors(wordsAt(words[2], words[3]))
		defer closeAll(gradInputs)
		defer closeAll(gradOutputs)
		replacements, err := hook(gradInputs, gradOutputs)
		return giveReplacements(out, replacements, err)
	})
}

// What backward needs.

// WithSavedTensorsHooks runs a function; of each tensor that backward needs of what it does, what pack makes of it is
// kept, and unpack makes it again for backward (torch.autograd.graph.saved_tensors_hooks). The tensor that pack is given
// is closed when it returns; what it keeps it retains.
//
// C: ctorch_saved_tensors_hooks_push
func WithSavedTensorsHooks(
	pack func(tensor *Tensor) (any, error), unpack func(packed any) (*Tensor, error), run func() error,
) error {
	payload := cgo.NewHandle(callbacks{
		C.CTORCH_GO_SAVED_TENSORS_PACK: func(out *uint64, words []uint64) error {
			tensor := borrowTensors(words[:1])
			defer closeAll(tensor)
			packed, err := pack(tensor[0])
			if err == nil {
				*out = uint64(cgo.NewHandle(packed))
			}
			return err
		},
		C.CTORCH_GO_SAVED_TENSORS_UNPACK: func(out *uint64, words []uint64) error {
			tensor, err := unpack(cgo.Handle(words[0]).Value())
			if err == nil && tensor.isClosed() {
				err = errClosed()
			}
			if err == nil {
				*out = uint64(tensor.giveAway())
			}
			return err
		},
	})
	pushed := false
	err := within("ctorch_saved_tensors_hooks", func() error { pushed = true; return run() }, func(f *Frame) {
		f.callbackOf(1, C.CTORCH_GO_SAVED_TENSORS_PACK)
		f.callbackOf(2, C.CTORCH_GO_SAVED_TENSORS_UNPACK)
		f.callbackOf(3, C.CTORCH_GO_SAVED_TENSORS_DESTROY)
		f.callbackOf(4, C.CTORCH_GO_DESTROY)
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
	f.callbackOf(place, C.CTORCH_GO_TENSORS)
	arguments(f)
	err := f.during(place+1, ofTensors(function))
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
	checkpoint             = FunctionNumber("ctorch_checkpoint")
	libraryImplement       = FunctionNumber("ctorch_library_implement")
	nodeRegisterPrehook    = FunctionNumber("ctorch_node_register_prehook")
	nodeRegisterHook       = FunctionNumber("ctorch_node_register_hook")
	tensorListNew          = FunctionNumber("ctorch_tensor_list_new")
	tensorRegisterHook     = FunctionNumber("ctorch_tensor_register_hook")
	tensorRegisterPostHook = FunctionNumber("ctorch_tensor_register_post_accumulate_grad_hook")
	funcVmap               = FunctionNumber("ctorch_func_vmap")
	funcGrad               = FunctionNumber("ctorch_func_grad")
	funcGradAndValue       = FunctionNumber("ctorch_func_grad_and_value")
	funcVjp                = FunctionNumber("ctorch_func_vjp")
	funcJvp                = FunctionNumber("ctorch_func_jvp")
	funcLinearize          = FunctionNumber("ctorch_func_linearize")
	funcJacrev             = FunctionNumber("ctorch_func_jacrev")
	funcJacfwd             = FunctionNumber("ctorch_func_jacfwd")
	funcHessian            = FunctionNumber("ctorch_func_hessian")
)

// Kernel computes an operator of your own: the arguments in the order of the schema, as many results as it has.
type Kernel func(args []*Value) ([]*Value, error)

// Implement gives a defined operator a kernel for a dispatch key ("CPU", "CompositeImplicitAutograd", …).
//
// C: ctorch_library_implement
func (x *Library) Implement(name, dispatchKey string, kernel Kernel) error {
	f := NewFrame(libraryImplement, 7)
	defer f.Done()
	f.Handle(1, x)
	f.PutString(2, name)
	f.PutString(3, dispatchKey)
	f.callbackOf(4, C.CTORCH_GO_KERNEL)
	return f.keep(5, func(out *uint64, words []uint64) error {
		results, args := wordsAt(uint64(uintptr(unsafe.Pointer(out))), words[0]), wordsAt(words[1], words[2])
		given := make([]*Value, len(args))
		for i, c := range args {
			given[i] = borrowValue(c)
			defer given[i].Close()
		}
		values, err := kernel(given)
		if err == nil && len(values) != len(results) {
			err = errors.New("the kernel returned another number of results than its schema has")
		}
		if err != nil {
			return err
		}
		for i, v := range values {
			results[i] = uint64(v.giveAway())
		}
		return nil
	})
}

// What callbacks have in common.

var (
	valueRetain  = FunctionNumber("ctorch_value_retain")
	tensorRetain = FunctionNumber("ctorch_tensor_retain")
)

// ofTensors is a callback whose words are a list of tensors and its length.
func ofTensors(run func([]*Tensor) ([]*Tensor, error)) callback {
	return func(out *uint64, words []uint64) error {
		borrowed := borrowTensors(wordsAt(words[0], words[1]))
		defer closeAll(borrowed)
		tensors, err := run(borrowed)
		if err != nil {
			return err
		}
		return giveList(out, tensors)
	}
}

// giveReplacements gives nothing for nil, which keeps what there is.
func giveReplacements(out *uint64, tensors []*Tensor, err error) error {
	if err != nil || tensors == nil {
		return err
	}
	return giveList(out, tensors)
}

// giveList makes a list of tensors for a callback to hand over.
func giveList(out *uint64, tensors []*Tensor) error {
	f := NewFrame(tensorListNew, 4)
	defer f.Done()
	putInputs(f, 2, tensors)
	err := f.Try()
	if err == nil {
		*out = f.words[1]
	}
	return err
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

// wordsAt are words of C's, at an address.
func wordsAt(address, length uint64) []uint64 {
	if length == 0 {
		return nil
	}
	return unsafe.Slice((*uint64)(pointer(address)), int(length))
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
