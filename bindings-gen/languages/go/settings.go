package ctorch

// Modes, seeds and threads, by the names that users of PyTorch know; modes.go has the modes themselves.

// EnableGrad runs a function with recording for backward, within NoGrad (torch.enable_grad).
func EnableGrad(run func() error) error { return GradMode(true, run) }

// IsGradEnabled tells whether this thread records for backward: ask within NoGrad and its kind, which keep theirs.
func IsGradEnabled() bool { return GradModeEnabled() }

// ManualSeed seeds the default generators of the CPU and of every device (torch.manual_seed).
func ManualSeed(seed uint64) error { return RandomManualSeed(seed) }

// InitialSeed is what the default generator of the CPU was last seeded with (torch.initial_seed).
func InitialSeed() (uint64, error) { return RandomInitialSeed(nil) }

// SetNumThreads tells how many threads an operator may use on the CPU (torch.set_num_threads).
func SetNumThreads(number int32) error { return ThreadsSetNum(number) }

// GetNumThreads is how many threads an operator uses on the CPU (torch.get_num_threads).
func GetNumThreads() int32 { return ThreadsNum() }
