package ctorch

// #include "bridge.h"
import "C"

import (
	"os"
	"runtime"
	"strconv"
	"time"
)

// DefaultPressure is what CollectUnderPressure is called with when the package is loaded.
const DefaultPressure = 128 << 20

// To the collector a tensor is a few bytes: a program that closes nothing would grow to gigabytes. CTORCH_COLLECT in the
// environment is another number of bytes, or "off".
func init() {
	threshold := uint64(DefaultPressure)
	setting := os.Getenv("CTORCH_COLLECT")
	if setting == "off" {
		return
	}
	if bytes, err := strconv.ParseUint(setting, 10, 64); err == nil {
		threshold = bytes
	}
	if err := CollectUnderPressure(threshold); err != nil {
		println("ctorch: no collection under pressure:", err.Error())
	}
}

// CollectUnderPressure makes the garbage collector run whenever the tensors that nobody has closed, or what LibTorch has
// allocated for them, their graphs and modules, have grown by so many bytes (0: never for that), and when an allocation of
// LibTorch fails, which is then tried again. It is on from the start, with DefaultPressure; IgnorePressure turns it off.
//
// C: ctorch_memory_pressure_set_callback
func CollectUnderPressure(threshold uint64) error {
	f := NewFrame(memoryPressureSetCallback, 5)
	defer f.Done()
	f.callbackOf(1, C.CTORCH_GO_MEMORY_PRESSURE)
	f.words[2] = threshold
	return f.keep(3, func(*uint64, []uint64) error { Collect(); return nil })
}

// IgnorePressure takes CollectUnderPressure back.
//
// C: ctorch_memory_pressure_clear_callback
func IgnorePressure() {
	f := NewFrame(memoryPressureClearCallback, 1)
	defer f.Done()
	f.Call()
}

var (
	memoryPressureSetCallback   = FunctionNumber("ctorch_memory_pressure_set_callback")
	memoryPressureClearCallback = FunctionNumber("ctorch_memory_pressure_clear_callback")
)

// Collect runs the garbage collector, and waits until what it found is given back.
func Collect() {
	runtime.GC()
	// Finalizers run one after the other on a goroutine of their own: when that of a later collection runs, those of
	// the first are done. Give up after a while if one of them blocks.
	done := make(chan struct{})
	func() {
		last := &struct{ _ [16]byte }{}
		runtime.SetFinalizer(last, func(any) { close(done) })
	}()
	runtime.GC()
	select {
	case <-done:
	case <-time.After(5 * time.Second):
	}
}
