package ctorch

// #include "bridge.h"
import "C"

import (
	"errors"
	"math"
)

// Optimizers by name, groups of their parameters, and functions that they call. What such a function is given is closed
// when it returns; what it keeps it retains.

// NewOptimizer makes an optimizer by the name of its class. params is a list of tensors, of Tuples of a name and a tensor,
// or of maps, each a group with "params" and options of its own; an option may be a tensor where it may in Python.
//
// C: ctorch_optim_create
func NewOptimizer(name string, params any, options map[string]any) (*Optimizer, error) {
	args, err := ValueOf(Tuple{params})
	if err != nil {
		return nil, err
	}
	defer args.Close()
	kwargs, err := ValueOf(options)
	if err != nil {
		return nil, err
	}
	defer kwargs.Close()
	return OptimCreate(name, args, kwargs)
}

// StepWith lets a function compute the loss, gradients included, then changes the parameters. The function may be called
// several times; what it gave first is the result.
//
// C: ctorch_optimizer_step_closure
func (x *Optimizer) StepWith(closure func() (*Tensor, error)) (*Tensor, error) {
	f := NewFrame(optimizerStepClosure, 5)
	defer f.Done()
	f.Handle(2, x)
	f.callbackOf(3, C.CTORCH_GO_OPTIMIZER_CLOSURE)
	err := f.during(4, lossOf(closure))
	if err != nil {
		return nil, err
	}
	return TensorFromHandle(f.Pointer(1)), nil
}

// StepWith is a step with a function, for which a scaler has to be disabled.
//
// C: ctorch_grad_scaler_step_closure
func (x *GradScaler) StepWith(optimizer *Optimizer, closure func() (*Tensor, error)) (*Tensor, error) {
	f := NewFrame(gradScalerStepClosure, 6)
	defer f.Done()
	f.Handle(2, x)
	f.Handle(3, optimizer)
	f.callbackOf(4, C.CTORCH_GO_OPTIMIZER_CLOSURE)
	err := f.during(5, lossOf(closure))
	if err != nil {
		return nil, err
	}
	return TensorFromHandle(f.Pointer(1)), nil
}

// GradScalerOf makes a scaler for a type of device, "cuda" or "cpu", with Python's defaults.
//
// C: ctorch_grad_scaler_new
func GradScalerOf(device string) (*GradScaler, error) {
	return NewGradScaler(&device, 65536, 2, 0.5, 2000, true)
}

// ParamGroup is some parameters of an optimizer, with options of their own.
type ParamGroup struct {
	optimizer *Optimizer
	index     int
}

// ParamGroups are the groups of an optimizer.
func (x *Optimizer) ParamGroups() []ParamGroup {
	groups := make([]ParamGroup, x.NumGroups())
	for i := range groups {
		groups[i] = ParamGroup{x, i}
	}
	return groups
}

// AddGroup adds a group of parameters, with those options that are not the optimizer's own.
//
// C: ctorch_optimizer_add_param_group
func (x *Optimizer) AddGroup(params any, options map[string]any) error {
	group := map[string]any{"params": params}
	for name, value := range options {
		group[name] = value
	}
	value, err := ValueOf(group)
	if err != nil {
		return err
	}
	defer value.Close()
	return x.AddParamGroup(value)
}

// Params are the very tensors of the group.
func (g ParamGroup) Params() ([]*Tensor, error) { return g.optimizer.Params(g.index) }

// Get is an option by Python's name: "lr".
//
// C: ctorch_optimizer_get_option
func (g ParamGroup) Get(name string) (any, error) {
	value, err := g.optimizer.GetOption(g.index, name)
	return nativeOf(value, err)
}

// Set changes or adds an option.
//
// C: ctorch_optimizer_set_option
func (g ParamGroup) Set(name string, value any) error {
	made, err := ValueOf(value)
	if err != nil {
		return err
	}
	defer made.Close()
	return g.optimizer.SetOption(g.index, name, made)
}

// Options are all options of the group.
//
// C: ctorch_optimizer_options
func (g ParamGroup) Options() (Dict, error) {
	value, err := g.optimizer.Options(g.index)
	options, err := nativeOf(value, err)
	if err != nil {
		return nil, err
	}
	return options.(Dict), nil
}

func nativeOf(value *Value, err error) (any, error) {
	if err != nil {
		return nil, err
	}
	defer value.Close()
	return value.Native()
}

// Hooks

// RegisterStepPreHook calls a function before each step.
//
// C: ctorch_optimizer_register_step_pre_hook
func (x *Optimizer) RegisterStepPreHook(hook func(optimizer *Optimizer) error) (*Hook, error) {
	return x.stepHook(optimizerRegisterStepPreHook, hook)
}

// RegisterStepPostHook calls a function after each step.
//
// C: ctorch_optimizer_register_step_post_hook
func (x *Optimizer) RegisterStepPostHook(hook func(optimizer *Optimizer) error) (*Hook, error) {
	return x.stepHook(optimizerRegisterStepPostHook, hook)
}

// RegisterOptimizerStepPreHook calls a function before each step of any optimizer.
//
// C: ctorch_optimizer_register_step_pre_hook_for_all
func RegisterOptimizerStepPreHook(hook func(optimizer *Optimizer) error) (*Hook, error) {
	return hookForAll(optimizerRegisterStepPreHookForAll, hook)
}

// RegisterOptimizerStepPostHook calls a function after each step of any optimizer.
//
// C: ctorch_optimizer_register_step_post_hook_for_all
func RegisterOptimizerStepPostHook(hook func(optimizer *Optimizer) error) (*Hook, error) {
	return hookForAll(optimizerRegisterStepPostHookForAll, hook)
}

// RegisterStateDictPreHook calls a function before a state dict is made.
//
// C: ctorch_optimizer_register_state_dict_pre_hook
func (x *Optimizer) RegisterStateDictPreHook(hook func(optimizer *Optimizer) error, prepend bool) (*Hook, error) {
	return x.stateHook(optimizerRegisterStateDictPreHook, C.CTORCH_GO_OPTIMIZER, prepend, withOptimizer(hook))
}

// RegisterStateDictPostHook calls a function with each state dict that is made; what it returns replaces that, nil keeps it.
//
// C: ctorch_optimizer_register_state_dict_post_hook
func (x *Optimizer) RegisterStateDictPostHook(
	hook func(optimizer *Optimizer, stateDict *Value) (*Value, error), prepend bool,
) (*Hook, error) {
	call := withStateDict(hook)
	return x.stateHook(optimizerRegisterStateDictPostHook, C.CTORCH_GO_OPTIMIZER_STATE_DICT, prepend, call)
}

// RegisterLoadStateDictPreHook calls a function with each state dict before it is loaded; what it returns replaces that, nil
// keeps it.
//
// C: ctorch_optimizer_register_load_state_dict_pre_hook
func (x *Optimizer) RegisterLoadStateDictPreHook(
	hook func(optimizer *Optimizer, stateDict *Value) (*Value, error), prepend bool,
) (*Hook, error) {
	call := withStateDict(hook)
	return x.stateHook(optimizerRegisterLoadStateDictPreHook, C.CTORCH_GO_OPTIMIZER_STATE_DICT, prepend, call)
}

// RegisterLoadStateDictPostHook calls a function after a state dict was loaded.
//
// C: ctorch_optimizer_register_load_state_dict_post_hook
func (x *Optimizer) RegisterLoadStateDictPostHook(hook func(optimizer *Optimizer) error, prepend bool) (*Hook, error) {
	return x.stateHook(optimizerRegisterLoadStateDictPostHook, C.CTORCH_GO_OPTIMIZER, prepend, withOptimizer(hook))
}

// Learning rate schedulers

// NewLambdaLR makes a scheduler that sets the initial learning rate times a factor, which a function computes of the group
// and the epoch; lastEpoch is -1 to begin.
//
// C: ctorch_lr_scheduler_lambda_lr
func NewLambdaLR(
	optimizer *Optimizer, lrLambda func(group, epoch int64) (float64, error), lastEpoch int64,
) (*LrScheduler, error) {
	return newLambda(lrSchedulerLambdaLr, optimizer, lrLambda, lastEpoch)
}

// NewMultiplicativeLR makes a scheduler that multiplies the learning rate by a factor in each step, which a function computes
// of the group and the epoch; lastEpoch is -1 to begin.
//
// C: ctorch_lr_scheduler_multiplicative_lr
func NewMultiplicativeLR(
	optimizer *Optimizer, lrLambda func(group, epoch int64) (float64, error), lastEpoch int64,
) (*LrScheduler, error) {
	return newLambda(lrSchedulerMultiplicativeLr, optimizer, lrLambda, lastEpoch)
}

// CyclicLROptions is what NewCyclicLR does not need to be told.
type CyclicLROptions struct {
	StepSizeDown  *int64  // as StepSizeUp
	ScaleMode     *string // cycle
	CycleMomentum *bool   // true
	BaseMomentum  *float64
	MaxMomentum   *float64
	LastEpoch     *int64 // -1
}

// NewCyclicLR makes a scheduler that goes up and down between two rates, one for all groups or one for each; a function
// scales the height by the number of the cycle, or of the step.
//
// C: ctorch_lr_scheduler_cyclic_lr
func NewCyclicLR(
	optimizer *Optimizer, baseLR, maxLR []float64, stepSizeUp int64, scale func(x float64) (float64, error),
	options ...CyclicLROptions,
) (*LrScheduler, error) {
	f := NewFrame(lrSchedulerCyclicLr, 17)
	defer f.Done()
	f.Handle(2, optimizer)
	f.PutFloats(3, baseLR)
	f.SetInt(4, int64(len(baseLR)))
	f.PutFloats(5, maxLR)
	f.SetInt(6, int64(len(maxLR)))
	f.SetInt(7, stepSizeUp)
	f.SetBool(13, true)
	f.SetFloat(14, 0.8)
	f.SetFloat(15, 0.9)
	f.SetInt(16, -1)
	for _, o := range options {
		if o.StepSizeDown != nil {
			f.PutInt(8, *o.StepSizeDown)
		}
		if o.ScaleMode != nil {
			f.PutString(12, *o.ScaleMode)
		}
		if o.CycleMomentum != nil {
			f.SetBool(13, *o.CycleMomentum)
		}
		if o.BaseMomentum != nil {
			f.SetFloat(14, *o.BaseMomentum)
		}
		if o.MaxMomentum != nil {
			f.SetFloat(15, *o.MaxMomentum)
		}
		if o.LastEpoch != nil {
			f.SetInt(16, *o.LastEpoch)
		}
	}
	call := func(out *uint64, words []uint64) error {
		factor, err := scale(math.Float64frombits(words[0]))
		return giveFloat(out, factor, err)
	}
	f.callbackOf(9, C.CTORCH_GO_LR_SCALE)
	err := f.keep(10, call)
	if err != nil {
		return nil, err
	}
	return LrSchedulerFromHandle(f.Pointer(1)), nil
}

// GetLastLr is the learning rates that it set last, as numbers.
//
// C: ctorch_lr_scheduler_last_lr
func (x *LrScheduler) GetLastLr() ([]float64, error) {
	value, err := x.LastLr()
	found, err := nativeOf(value, err)
	if err != nil {
		return nil, err
	}
	list := found.([]any)
	rates := make([]float64, len(list))
	for i, rate := range list {
		switch rate := rate.(type) {
		case float64:
			rates[i] = rate
		case int64:
			rates[i] = float64(rate)
		case *Tensor:
			if rates[i], err = rate.ItemDouble(); err != nil {
				return nil, err
			}
		}
	}
	return rates, nil
}

func lossOf(closure func() (*Tensor, error)) callback {
	return func(out *uint64, _ []uint64) error {
		loss, err := closure()
		if err == nil && loss != nil {
			if loss.isClosed() {
				return errors.New("the function returned a tensor that is closed")
			}
			*out = uint64(loss.giveAway())
		}
		return err
	}
}

func withOptimizer(hook func(*Optimizer) error) callback {
	return func(_ *uint64, words []uint64) error {
		optimizer := borrowOptimizer(words[0])
		defer optimizer.Close()
		return hook(optimizer)
	}
}

func withStateDict(hook func(*Optimizer, *Value) (*Value, error)) callback {
	return func(out *uint64, words []uint64) error {
		optimizer, stateDict := borrowOptimizer(words[0]), borrowValue(words[1])
		defer optimizer.Close()
		defer stateDict.Close()
		answer, err := hook(optimizer, stateDict)
		return giveValue(out, answer, err)
	}
}

func giveFloat(out *uint64, x float64, err error) error {
	if err == nil {
		*out = math.Float64bits(x)
	}
	return err
}

func borrowOptimizer(c uint64) *Optimizer {
	apply(optimizerRetain, uintptr(c))
	return OptimizerFromHandle(uintptr(c))
}

func (x *Optimizer) stepHook(number int, hook func(*Optimizer) error) (*Hook, error) {
	f := NewFrame(number, 6)
	defer f.Done()
	f.Handle(2, x)
	f.callbackOf(3, C.CTORCH_GO_OPTIMIZER)
	return f.keepHook(4, withOptimizer(hook))
}

func hookForAll(number int, hook func(*Optimizer) error) (*Hook, error) {
	f := NewFrame(number, 5)
	defer f.Done()
	f.callbackOf(2, C.CTORCH_GO_OPTIMIZER)
	return f.keepHook(3, withOptimizer(hook))
}

func (x *Optimizer) stateHook(number int, which C.int, prepend bool, call callback) (*Hook, error) {
	f := NewFrame(number, 7)
	defer f.Done()
	f.Handle(2, x)
	f.callbackOf(3, which)
	f.SetBool(4, prepend)
	return f.keepHook(5, call)
}

func newLambda(
	number int, optimizer *Optimizer, lrLambda func(int64, int64) (float64, error), lastEpoch int64,
) (*LrScheduler, error) {
	f := NewFrame(number, 7)
	defer f.Done()
	f.Handle(2, optimizer)
	f.callbackOf(3, C.CTORCH_GO_LR_LAMBDA)
	f.SetInt(6, lastEpoch)
	err := f.keep(4, func(out *uint64, words []uint64) error {
		factor, err := lrLambda(int64(words[0]), int64(words[1]))
		return giveFloat(out, factor, err)
	})
	if err != nil {
		return nil, err
	}
	return LrSchedulerFromHandle(f.Pointer(1)), nil
}

var (
	optimizerRetain                        = FunctionNumber("ctorch_optimizer_retain")
	optimizerStepClosure                   = FunctionNumber("ctorch_optimizer_step_closure")
	gradScalerStepClosure                  = FunctionNumber("ctorch_grad_scaler_step_closure")
	optimizerRegisterStepPreHook           = FunctionNumber("ctorch_optimizer_register_step_pre_hook")
	optimizerRegisterStepPostHook          = FunctionNumber("ctorch_optimizer_register_step_post_hook")
	optimizerRegisterStepPreHookForAll     = FunctionNumber("ctorch_optimizer_register_step_pre_hook_for_all")
	optimizerRegisterStepPostHookForAll    = FunctionNumber("ctorch_optimizer_register_step_post_hook_for_all")
	optimizerRegisterStateDictPreHook      = FunctionNumber("ctorch_optimizer_register_state_dict_pre_hook")
	optimizerRegisterStateDictPostHook     = FunctionNumber("ctorch_optimizer_register_state_dict_post_hook")
	optimizerRegisterLoadStateDictPreHook  = FunctionNumber("ctorch_optimizer_register_load_state_dict_pre_hook")
	optimizerRegisterLoadStateDictPostHook = FunctionNumber("ctorch_optimizer_register_load_state_dict_post_hook")
	lrSchedulerLambdaLr                    = FunctionNumber("ctorch_lr_scheduler_lambda_lr")
	lrSchedulerMultiplicativeLr            = FunctionNumber("ctorch_lr_scheduler_multiplicative_lr")
	lrSchedulerCyclicLr                    = FunctionNumber("ctorch_lr_scheduler_cyclic_lr")
)
