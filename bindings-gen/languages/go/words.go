package ctorch

// #include "bridge.h"
import "C"

import "runtime/cgo"

// wordsCallback is what C calls for optimizers, files and data: up to two words, and where a result goes.
type wordsCallback func(out *uint64, words [2]uint64) error

// during makes a call whose payload, behind the callback, C needs for the call alone.
func (f *Frame) during(place int, callback C.int, call wordsCallback) error {
	payload := cgo.NewHandle(call)
	defer payload.Delete()
	f.words[place] = uint64(C.ctorch_go_callback(callback))
	f.words[place+1] = uint64(payload)
	return f.Try()
}

// keep makes a call whose payload C keeps, with what destroys it in front.
func (f *Frame) keep(place int, call wordsCallback) error { return f.keepPayload(place, call) }

func (f *Frame) keepPayload(place int, call any) error {
	payload := cgo.NewHandle(call)
	f.words[place] = uint64(C.ctorch_go_callback(C.CTORCH_GO_DESTROY))
	f.words[place+1] = uint64(payload)
	err := f.Try()
	if err != nil {
		payload.Delete()
	}
	return err
}

//export ctorch_go_words
func ctorch_go_words(payload C.uintptr_t, out *C.uint64_t, a, b C.uint64_t) (e C.uint64_t) {
	defer recoverInto(&e)
	call := cgo.Handle(payload).Value().(wordsCallback)
	if err := call((*uint64)(out), [2]uint64{uint64(a), uint64(b)}); err != nil {
		return C.uint64_t(handOver(err, false))
	}
	return 0
}
