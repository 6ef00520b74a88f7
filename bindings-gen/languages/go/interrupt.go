package ctorch

// #include "bridge.h"
import "C"

import (
	"context"
	"runtime"
	"runtime/cgo"
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
	payload := cgo.NewHandle(ctx)
	if e := C.ctorch_go_interrupt(C.uintptr_t(payload)); e != 0 {
		payload.Delete()
		return failure(uintptr(e))
	}
	defer InterruptClearCallback()
	return function()
}

//export ctorch_go_context
func ctorch_go_context(payload C.uintptr_t) (e C.uint64_t) {
	defer recoverInto(&e)
	if err := cgo.Handle(payload).Value().(context.Context).Err(); err != nil {
		return C.uint64_t(handOver(err, false))
	}
	return 0
}
