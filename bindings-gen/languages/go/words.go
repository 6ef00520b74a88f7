package ctorch

// #include "bridge.h"
import "C"

import (
	"runtime/cgo"
	"unsafe"
)

// callback is what C calls: where the result goes, nil if there is none, and the other C parameters in their order as
// words. An error that it returns, or a panic, goes on in the outer call.
type callback func(out *uint64, words []uint64) error

// callbacks have one payload: several by the numbers of callbacks.h, or one that is called whatever the number is.
type callbacks map[C.int]callback

// callbackOf puts the C function of a callback into the frame.
func (f *Frame) callbackOf(place int, which C.int) {
	f.words[place] = uint64(C.ctorch_go_callback(which))
}

// during makes a call whose payload, at that place, C needs for the call alone.
func (f *Frame) during(place int, call callback) error { return f.duringAll(place, callbacks{0: call}) }

func (f *Frame) duringAll(place int, calls callbacks) error {
	payload := cgo.NewHandle(calls)
	defer payload.Delete()
	f.words[place] = uint64(payload)
	return f.Try()
}

// keep makes a call whose payload C keeps, with what destroys it in front.
func (f *Frame) keep(place int, call callback) error { return f.keepAll(place, callbacks{0: call}) }

func (f *Frame) keepAll(place int, calls callbacks) error {
	payload := cgo.NewHandle(calls)
	f.callbackOf(place, C.CTORCH_GO_DESTROY)
	f.words[place+1] = uint64(payload)
	err := f.Try()
	if err != nil {
		payload.Delete()
	}
	return err
}

// keepHook is keep for a call that makes a hook.
func (f *Frame) keepHook(place int, call callback) (*Hook, error) {
	if err := f.keep(place, call); err != nil {
		return nil, err
	}
	return HookFromHandle(f.Pointer(1)), nil
}

//export ctorch_go_run
func ctorch_go_run(payload C.uintptr_t, which C.int, out, first *C.uint64_t, length C.size_t) (e C.uint64_t) {
	defer recoverInto(&e)
	calls := cgo.Handle(payload).Value().(callbacks)
	call, several := calls[which]
	if !several {
		call = calls[0]
	}
	if err := call((*uint64)(out), wordsAt(uint64(uintptr(unsafe.Pointer(first))), uint64(length))); err != nil {
		return C.uint64_t(handOver(err, false))
	}
	return 0
}

//export ctorch_go_destroy
func ctorch_go_destroy(payload C.uintptr_t) { cgo.Handle(payload).Delete() }
