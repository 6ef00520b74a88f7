package ctorch

import "runtime"

// A mode belongs to a thread of the operating system, and Go moves goroutines between threads: each of these functions
// keeps its goroutine on one while it runs another function. A goroutine that this starts does not have the mode.

// NoGrad runs a function that records nothing for backward (torch.no_grad).
func NoGrad(run func() error) error { return GradMode(false, run) }

// GradMode runs a function with recording for backward on or off.
func GradMode(enabled bool, run func() error) error {
	return within("ctorch_grad_mode", run, func(f *Frame) { f.SetBool(1, enabled) })
}

// InferenceMode runs a function whose tensors never take part in backward (torch.inference_mode).
func InferenceMode(enabled bool, run func() error) error {
	return within("ctorch_inference_mode", run, func(f *Frame) { f.SetBool(1, enabled) })
}

// AnomalyMode looks for the operator at fault when backward fails (torch.autograd.detect_anomaly).
func AnomalyMode(enabled, checkNan bool, run func() error) error {
	return within("ctorch_anomaly_mode", run, func(f *Frame) { f.SetBool(1, enabled); f.SetBool(2, checkNan) })
}

// Autocast computes in a lower precision where that is safe (torch.autocast); dtype nil is the device's own.
func Autocast(device DeviceType, enabled bool, dtype *Dtype, run func() error) error {
	return within("ctorch_autocast", run, func(f *Frame) {
		f.SetInt(1, int64(device))
		f.SetBool(2, enabled)
		if dtype != nil {
			f.PutInt32(3, int32(*dtype))
		}
	})
}

// WithDefaultDevice makes tensors on another device (with torch.device(…)).
func WithDefaultDevice(device Device, run func() error) error {
	return within("ctorch_defaults_device", run, func(f *Frame) { f.PutDevice(1, device) })
}

// WithDevice makes a device the current one of its type.
func WithDevice(device Device, run func() error) error {
	return within("ctorch_device", run, func(f *Frame) { f.PutDevice(1, device) })
}

// WithStream makes a stream the current one of its device.
func WithStream(stream Stream, run func() error) error {
	return within("ctorch_stream", run, func(f *Frame) { f.PutStream(1, stream) })
}

// WithDualLevel runs a function in a level of forward-mode differentiation.
func WithDualLevel(run func() error) error {
	return within("ctorch_dual_level", run, func(*Frame) {})
}

// RecordFunction names a region in a profile.
func RecordFunction(name string, run func() error) error {
	return within("ctorch_record_function", run, func(f *Frame) { f.PutString(1, name) })
}

// CollectWarnings collects what a function warns of, instead of showing it. The warnings come also if it fails.
func CollectWarnings(run func() error) (warnings *Warnings, err error) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	if err := try("ctorch_warnings_push", func(*Frame) {}); err != nil {
		return nil, err
	}
	defer func() {
		f := NewFrame(FunctionNumber("ctorch_warnings_pop"), 2)
		defer f.Done()
		f.words[1] = uint64(len(f.words))
		f.words = append(f.words, 0)
		if failed := f.Try(); failed == nil {
			warnings = WarningsFromHandle(f.Pointer(1))
		} else if err == nil {
			err = failed
		}
	}()
	return nil, run()
}

func within(mode string, run func() error, arguments func(*Frame)) (err error) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	if err := try(mode+"_push", arguments); err != nil {
		return err
	}
	defer func() {
		if failed := try(mode+"_pop", func(*Frame) {}); err == nil {
			err = failed
		}
	}()
	return run()
}

func try(function string, arguments func(*Frame)) error {
	f := NewFrame(FunctionNumber(function), 8)
	defer f.Done()
	arguments(f)
	return f.Try()
}
