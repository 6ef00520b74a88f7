package ctorch

// #include "bridge.h"
import "C"

import "errors"

// Modules of one's own, and functions that modules call. What such a function is given is closed when it returns; what it
// keeps it retains.

// NewModule makes a module whose forward is a function, of one tensor to one; name is that of its class. The function asks
// the module that it is given for its parts each time: a copy has others, and so has one that was loaded or moved.
//
// C: ctorch_module_new
func NewModule(name string, forward func(module *Module, input *Tensor) (*Tensor, error)) (*Module, error) {
	call := func(out *uint64, module *Module, words []uint64) error {
		input := borrowTensors(words[:1])
		defer closeAll(input)
		result, err := forward(module, input[0])
		if err == nil && result != nil {
			*out = uint64(result.giveAway())
		}
		return err
	}
	return newModule(moduleNew, C.CTORCH_GO_MODULE_FORWARD, name, call)
}

// NewModuleOfValues makes a module whose forward is a function of any values: a tuple of arguments, and a dict of those by
// name. Nil makes one that only holds others.
//
// C: ctorch_module_new_of_values
func NewModuleOfValues(name string, forward func(module *Module, args, kwargs *Value) (*Value, error)) (*Module, error) {
	if forward == nil {
		return newModule(moduleNewOfValues, C.CTORCH_GO_MODULE_CALL, name, nil)
	}
	call := func(out *uint64, module *Module, words []uint64) error {
		args, kwargs := borrowValue(words[0]), borrowValue(words[1])
		defer args.Close()
		defer kwargs.Close()
		result, err := forward(module, args, kwargs)
		return giveValue(out, result, err)
	}
	return newModule(moduleNewOfValues, C.CTORCH_GO_MODULE_CALL, name, call)
}

// SetExtraRepr lets the text of a module of one's own tell more than its class.
//
// C: ctorch_module_set_extra_repr
func (x *Module) SetExtraRepr(tell func(module *Module) (string, error)) error {
	return x.set(moduleSetExtraRepr, C.CTORCH_GO_MODULE_VALUE, func(out *uint64, module *Module, _ []uint64) error {
		text, err := tell(module)
		if err != nil {
			return err
		}
		value, err := ValueOf(text)
		return giveValue(out, value, err)
	})
}

// SetResetParameters lets ResetParameters draw the initial values of a module of one's own.
//
// C: ctorch_module_set_reset_parameters
func (x *Module) SetResetParameters(reset func(module *Module) error) error {
	return x.set(moduleSetResetParameters, C.CTORCH_GO_MODULE, withModule(reset))
}

// SetCopy lets Copy copy a module of one's own: the function makes another one of the same kind, which then gets copies of
// all that this one holds.
//
// C: ctorch_module_set_copy
func (x *Module) SetCopy(make func(module *Module) (*Module, error)) error {
	return x.set(moduleSetCopy, C.CTORCH_GO_MODULE_COPY, func(out *uint64, module *Module, _ []uint64) error {
		made, err := make(module)
		if err == nil && made != nil {
			*out = uint64(made.Retain().detach())
		}
		return err
	})
}

// SetExtraState lets a state dict have more of a module of one's own than its tensors.
//
// C: ctorch_module_set_extra_state
func (x *Module) SetExtraState(get func(module *Module) (*Value, error), set func(module *Module, state *Value) error) error {
	f := NewFrame(moduleSetExtraState, 6)
	defer f.Done()
	f.Handle(1, x)
	f.callbackOf(2, C.CTORCH_GO_MODULE_VALUE)
	f.callbackOf(3, C.CTORCH_GO_MODULE_SET_VALUE)
	var call moduleCallback = func(out *uint64, module *Module, words []uint64) error {
		if out == nil {
			state := borrowValue(words[0])
			defer state.Close()
			return set(module, state)
		}
		value, err := get(module)
		return giveValue(out, value, err)
	}
	return f.keep(4, call.callback())
}

// Apply calls a function with every module inside, and with this one as the last.
//
// C: ctorch_module_apply
func (x *Module) Apply(function func(module *Module) error) error {
	f := NewFrame(moduleApply, 4)
	defer f.Done()
	f.Handle(1, x)
	f.callbackOf(2, C.CTORCH_GO_MODULE)
	return f.during(3, withModule(function).callback())
}

// RegisterForwardPreHook calls a function with the arguments before the module is applied; what it returns replaces them,
// nil keeps them. Arguments by name may be replaced too if withKwargs: by a tuple of both.
//
// C: ctorch_module_register_forward_pre_hook
func (x *Module) RegisterForwardPreHook(
	hook func(module *Module, args, kwargs *Value) (*Value, error), withKwargs, prepend bool,
) (*Hook, error) {
	call := func(out *uint64, module *Module, words []uint64) error {
		args, kwargs := borrowValue(words[0]), borrowValue(words[1])
		defer args.Close()
		defer kwargs.Close()
		answer, err := hook(module, args, kwargs)
		return giveValue(out, answer, err)
	}
	return x.hook(moduleRegisterForwardPreHook, C.CTORCH_GO_MODULE_FORWARD_PRE_HOOK, withKwargs, prepend, call)
}

// RegisterForwardHook calls a function with the arguments and the result when the module was applied; what it returns
// replaces the result, nil keeps it. If alwaysCall also when the forward failed: output is nil then.
//
// C: ctorch_module_register_forward_hook
func (x *Module) RegisterForwardHook(
	hook func(module *Module, args, kwargs, output *Value) (*Value, error), alwaysCall, prepend bool,
) (*Hook, error) {
	call := func(out *uint64, module *Module, words []uint64) error {
		args, kwargs, output := borrowValue(words[0]), borrowValue(words[1]), borrowValue(words[2])
		defer args.Close()
		defer kwargs.Close()
		if output != nil {
			defer output.Close()
		}
		answer, err := hook(module, args, kwargs, output)
		return giveValue(out, answer, err)
	}
	return x.hook(moduleRegisterForwardHook, C.CTORCH_GO_MODULE_FORWARD_HOOK, alwaysCall, prepend, call)
}

// RegisterFullBackwardHook calls a function with the gradients of the inputs and of the outputs; what it returns replaces
// those of the inputs, nil keeps them.
//
// C: ctorch_module_register_backward_hook
func (x *Module) RegisterFullBackwardHook(
	hook func(module *Module, gradInputs, gradOutputs []*Tensor) ([]*Tensor, error), prepend bool,
) (*Hook, error) {
	f := NewFrame(moduleRegisterBackwardHook, 7)
	defer f.Done()
	f.Handle(2, x)
	f.callbackOf(3, C.CTORCH_GO_MODULE_BACKWARD_HOOK)
	f.SetBool(4, prepend)
	var call moduleCallback = func(out *uint64, module *Module, words []uint64) error {
		gradInputs, gradOutputs := borrowTensors(wordsAt(words[0], words[1])), borrowTensors(wordsAt(words[2], words[3]))
		defer closeAll(gradInputs)
		defer closeAll(gradOutputs)
		grads, err := hook(module, gradInputs, gradOutputs)
		return giveReplacements(out, grads, err)
	}
	return f.keepHook(5, call.callback())
}

// moduleCallback is a callback whose first word is a module.
type moduleCallback func(out *uint64, module *Module, words []uint64) error

func (call moduleCallback) callback() callback {
	return func(out *uint64, words []uint64) error {
		module := borrowModule(words[0])
		defer module.Close()
		return call(out, module, words[1:])
	}
}

func newModule(number int, which C.int, name string, call moduleCallback) (*Module, error) {
	f := NewFrame(number, 6)
	defer f.Done()
	f.PutString(2, name)
	var err error
	if call == nil {
		err = f.Try()
	} else {
		f.callbackOf(3, which)
		err = f.keep(4, call.callback())
	}
	if err != nil {
		return nil, err
	}
	return ModuleFromHandle(f.Pointer(1)), nil
}

func (x *Module) set(number int, which C.int, call moduleCallback) error {
	f := NewFrame(number, 5)
	defer f.Done()
	f.Handle(1, x)
	f.callbackOf(2, which)
	return f.keep(3, call.callback())
}

func (x *Module) hook(number int, which C.int, first, prepend bool, call moduleCallback) (*Hook, error) {
	f := NewFrame(number, 8)
	defer f.Done()
	f.Handle(2, x)
	f.callbackOf(3, which)
	f.SetBool(4, first)
	f.SetBool(5, prepend)
	return f.keepHook(6, call.callback())
}

func withModule(function func(*Module) error) moduleCallback {
	return func(_ *uint64, module *Module, _ []uint64) error { return function(module) }
}

func borrowModule(c uint64) *Module {
	apply(moduleRetain, uintptr(c))
	return ModuleFromHandle(uintptr(c))
}

func borrowValue(c uint64) *Value {
	if c != 0 {
		apply(valueRetain, uintptr(c))
	}
	return ValueFromHandle(uintptr(c))
}

func giveValue(out *uint64, value *Value, err error) error {
	if err == nil && value != nil {
		if value.isClosed() {
			return errors.New("the function returned a value that is closed")
		}
		*out = uint64(value.giveAway())
	}
	return err
}

// detach gives the reference to C: the object is closed.
func (x *Module) detach() uintptr {
	return x.forget()
}

var (
	moduleRetain                 = FunctionNumber("ctorch_module_retain")
	moduleNew                    = FunctionNumber("ctorch_module_new")
	moduleNewOfValues            = FunctionNumber("ctorch_module_new_of_values")
	moduleSetExtraRepr           = FunctionNumber("ctorch_module_set_extra_repr")
	moduleSetResetParameters     = FunctionNumber("ctorch_module_set_reset_parameters")
	moduleSetExtraState          = FunctionNumber("ctorch_module_set_extra_state")
	moduleSetCopy                = FunctionNumber("ctorch_module_set_copy")
	moduleApply                  = FunctionNumber("ctorch_module_apply")
	moduleRegisterForwardPreHook = FunctionNumber("ctorch_module_register_forward_pre_hook")
	moduleRegisterForwardHook    = FunctionNumber("ctorch_module_register_forward_hook")
	moduleRegisterBackwardHook   = FunctionNumber("ctorch_module_register_backward_hook")
)
