package ctorch

// ToDLPack is the address of a DLManagedTensorVersioned for another library, which shares the memory and calls the
// structure's deleter when it is done; ReleaseDLPack does that if nobody takes it.
//
// C: ctorch_tensor_to_dlpack
func (x *Tensor) ToDLPack() (uintptr, error) {
	f := NewFrame(toDLPack, 7)
	defer f.Done()
	f.Handle(2, x)
	if err := f.Try(); err != nil {
		return 0, err
	}
	return f.Pointer(1), nil
}

// FromDLPack takes over a DLManagedTensorVersioned of another library, also if it fails: a tensor that shares its memory.
//
// C: ctorch_tensor_from_dlpack
func FromDLPack(managed uintptr) (*Tensor, error) {
	f := NewFrame(fromDLPack, 4)
	defer f.Done()
	f.words[3] = uint64(managed)
	if err := f.Try(); err != nil {
		return nil, err
	}
	return TensorFromHandle(f.Pointer(1)), nil
}

// ReleaseDLPack gives back what ToDLPack made.
func ReleaseDLPack(managed uintptr) { apply(releaseDLPack, managed) }

var (
	toDLPack      = FunctionNumber("ctorch_tensor_to_dlpack")
	fromDLPack    = FunctionNumber("ctorch_tensor_from_dlpack")
	releaseDLPack = FunctionNumber("ctorch_dlpack_release")
)
