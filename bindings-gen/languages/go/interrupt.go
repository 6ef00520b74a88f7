package ctorch

// #include "bridge.h"
import "C"

import (
	"context"
	"runtime"
)

// WithContext runs a function, in which Iterator.Next, Trainer.Fit and Trainer.Evaluate end with the error of the context
// when it is done, while they wait and before each batch. It concerns this goroutine only, whose calls stay on one thread
// meanwhile. Inside another WithContext it takes its place: after it, the outer context ends nothing any more.
//
//	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
//	defer stop()
//	err := ctorch.WithContext(ctx, func() error { return trainer.Fit(loader) })
//
// C: ctorch_interrupt_set_callback
func WithContext(ctx context.Context, function func() error) error {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	f := NewFrame(interruptSetCallback, 4)
	defer f.Done()
	f.callbackOf(1, C.CTORCH_GO_INTERRUPT)
	if err := f.keep(2, func(*uint64, []uint64) error { return ctx.Err() }); err != nil {
		return err
	}
	defer InterruptClearCallback()
	return function()
}

var interruptSetCallback = FunctionNumber("ctorch_interrupt_set_callback")
