package ctorch

// #include <stdlib.h>
// #include "bridge.h"
import "C"

import (
	"errors"
	"fmt"
	"strings"
	"sync"
	"unsafe"
)

// Error is a failed call: a kind to branch on, a message for people, and what did not fit, where PyTorch tells it; what
// it does not tell is nil.
//
//	errors.Is(err, ctorch.ErrorShapeMismatch)
type Error struct {
	Kind           ErrorKind
	Message        string
	Function       string // the C function that failed: "ctorch_aten_mm"
	ExpectedShape  []int64
	GotShape       []int64
	ExpectedDevice *Device
	GotDevice      *Device
	ExpectedDtype  *Dtype
	GotDtype       *Dtype
	RequestedBytes *uint64
	AvailableBytes *uint64
}

// NewError is an error of your own, such as a callback may return.
func NewError(kind ErrorKind, message string) *Error { return &Error{Kind: kind, Message: message} }

func (e *Error) Error() string { return e.Kind.Name() + ": " + e.Message }

// Is tells whether an error is of a kind.
func (e *Error) Is(target error) bool {
	kind, ok := target.(ErrorKind)
	return ok && kind == e.Kind
}

// Name is the name of a kind: "SHAPE_MISMATCH".
func (k ErrorKind) Name() string {
	f := NewFrame(errorKindName, 2)
	defer f.Done()
	f.SetInt(1, int64(k))
	f.Call()
	return f.String(0)
}

var errorKindName = FunctionNumber("ctorch_error_kind_name")

// Error makes a kind something for errors.Is.
func (k ErrorKind) Error() string { return k.Name() }

// failure takes over an error object. If a callback of ours made it, the result is what the callback failed with, behind the
// place where that was, if C tells it.
func failure(c uintptr) error {
	var read C.ctorch_go_error
	C.ctorch_go_error_read(&read, C.uint64_t(c))
	e := &Error{
		Kind:     ErrorKind(read.code),
		Message:  text(uint64(read.message)),
		Function: text(uint64(read.function)),
	}
	if read.has&1 != 0 {
		e.ExpectedShape = shape(read.expected_shape, read.expected_shape_len)
	}
	if read.has&2 != 0 {
		e.GotShape = shape(read.got_shape, read.got_shape_len)
	}
	if read.has&4 != 0 {
		e.ExpectedDevice = &Device{DeviceType(read.expected_device[0]), int32(read.expected_device[1])}
	}
	if read.has&8 != 0 {
		e.GotDevice = &Device{DeviceType(read.got_device[0]), int32(read.got_device[1])}
	}
	if read.has&16 != 0 {
		e.ExpectedDtype = Some(Dtype(read.expected_dtype))
	}
	if read.has&32 != 0 {
		e.GotDtype = Some(Dtype(read.got_dtype))
	}
	if read.has&64 != 0 {
		e.RequestedBytes = Some(uint64(read.requested_bytes))
	}
	if read.has&128 != 0 {
		e.AvailableBytes = Some(uint64(read.available_bytes))
	}
	w, found := takeWaiting(c, e)
	C.ctorch_go_error_release(C.uint64_t(c))
	if !found {
		return e
	}
	if w.panicked {
		panic(w.value)
	}
	if place := strings.TrimSuffix(e.Message, w.message); place != "" { // "sample 5: "
		return fmt.Errorf("%s%w", place, w.value.(error))
	}
	return w.value.(error)
}

func shape(address C.uint64_t, length C.size_t) []int64 {
	return append([]int64{}, unsafe.Slice((*int64)(pointer(uint64(address))), int(length))...)
}

// What callbacks failed with waits here until the error object that stands for it comes out of the outer call, on
// whichever thread that is. One that C swallows stays behind: hence the limit.
type waitingFailure struct {
	c        uintptr
	message  string
	value    any // an error, or what was given to panic
	panicked bool
}

const waitingLimit = 256

var (
	waitingMutex sync.Mutex
	waiting      []waitingFailure
)

func takeWaiting(c uintptr, e *Error) (waitingFailure, bool) {
	waitingMutex.Lock()
	defer waitingMutex.Unlock()
	place := -1
	for i, w := range waiting {
		// The object itself comes out, perhaps with the place where it arose before its message, or a copy of it where
		// several calls fail of one callback.
		itself := w.c == c && strings.HasSuffix(e.Message, w.message)
		if itself || place < 0 && w.message == e.Message && e.Kind == ErrorCallback {
			place = i
		}
	}
	if place < 0 {
		return waitingFailure{}, false
	}
	w := waiting[place]
	waiting = append(waiting[:place], waiting[place+1:]...)
	return w, true
}

// handOver makes the error object that stands for what a callback failed with.
func handOver(value any, panicked bool) uint64 {
	kind, message := ErrorCallback, ""
	var own *Error
	if err, ok := value.(error); ok && !panicked {
		message = err.Error()
		if errors.As(err, &own) {
			kind, message = own.Kind, own.Message
		}
	} else {
		message = fmt.Sprintf("panicked: %v", value)
	}
	text := C.CString(message)
	defer C.free(unsafe.Pointer(text))
	c := uint64(C.ctorch_go_error_new(C.int32_t(kind), text))
	var read C.ctorch_go_error // C may have refused the text
	C.ctorch_go_error_read(&read, C.uint64_t(c))
	waitingMutex.Lock()
	defer waitingMutex.Unlock()
	if len(waiting) == waitingLimit {
		waiting = waiting[1:]
	}
	waiting = append(waiting, waitingFailure{uintptr(c), C.GoString((*C.char)(pointer(uint64(read.message)))), value, panicked})
	return c
}
