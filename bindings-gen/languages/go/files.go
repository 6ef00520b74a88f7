package ctorch

// #include "bridge.h"
import "C"

import (
	"io"
	"unsafe"
)

// Where files are read from and written to, and what Python's torch.save writes and torch.load reads.

// ReaderOf reads a copy of bytes, which tensors then may share.
//
// C: ctorch_reader_from_data
func ReaderOf(data []byte) (*Reader, error) {
	var c uint64
	e := C.ctorch_go_reader_from_data((*C.uint64_t)(&c), first(data), C.size_t(len(data)))
	if e != 0 {
		return nil, failure(uintptr(e))
	}
	return ReaderFromHandle(uintptr(c)), nil
}

// first is where bytes begin; nil if there are none.
func first(data []byte) unsafe.Pointer {
	if len(data) == 0 {
		return nil
	}
	return unsafe.Pointer(&data[0])
}

// ReaderAt reads nbytes bytes of something of Go's, such as an *os.File. Several goroutines may read it at once.
//
// C: ctorch_reader_from_callback
func ReaderAt(source io.ReaderAt, nbytes int64) (*Reader, error) {
	f := NewFrame(readerFromCallback, 6)
	defer f.Done()
	f.SetInt(2, nbytes)
	f.callbackOf(3, C.CTORCH_GO_READER_READ)
	err := f.keep(4, func(out *uint64, words []uint64) error {
		data := unsafe.Slice((*byte)(unsafe.Pointer(out)), int(words[0]))
		n, err := source.ReadAt(data, int64(words[1]))
		if n == len(data) {
			return nil
		}
		if err == nil || err == io.EOF {
			return io.ErrUnexpectedEOF
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	return ReaderFromHandle(f.Pointer(1)), nil
}

// ReadAt fills data with the bytes from an offset on; it is io.ReaderAt.
//
// C: ctorch_reader_read
func (x *Reader) ReadAt(data []byte, offset int64) (int, error) {
	self, done, err := use(x)
	if err != nil {
		return 0, err
	}
	defer done()
	if offset < 0 {
		return 0, NewError(ErrorIndex, "ReadAt: offset is negative")
	}
	nbytes, end := len(data), false
	if rest := int64(x.Nbytes()) - offset; rest < int64(nbytes) {
		nbytes, end = int(rest), true
	}
	if nbytes <= 0 {
		if end {
			return 0, io.EOF
		}
		return 0, nil
	}
	e := C.ctorch_go_reader_read(C.uint64_t(self), C.size_t(offset), unsafe.Pointer(&data[0]), C.size_t(nbytes))
	if e != 0 {
		return 0, failure(uintptr(e))
	}
	if end {
		return nbytes, io.EOF
	}
	return nbytes, nil
}

// SetProgress lets a function hear how many bytes were read, at the latest after each 16 MiB. If it fails, reading does.
//
// C: ctorch_reader_set_progress
func (x *Reader) SetProgress(progress func(nbytes int) error) error {
	return setProgress(readerSetProgress, C.CTORCH_GO_READER_PROGRESS, x, progress)
}

// WriterTo hands what is written to something of Go's. Small pieces are put together before.
//
// C: ctorch_writer_from_callback
func WriterTo(target io.Writer) (*Writer, error) {
	f := NewFrame(writerFromCallback, 5)
	defer f.Done()
	f.callbackOf(2, C.CTORCH_GO_WRITER_WRITE)
	err := f.keep(3, func(_ *uint64, words []uint64) error {
		_, err := target.Write(unsafe.Slice((*byte)(pointer(words[0])), int(words[1])))
		return err
	})
	if err != nil {
		return nil, err
	}
	return WriterFromHandle(f.Pointer(1)), nil
}

// Write writes bytes behind those that were written before; it is io.Writer.
//
// C: ctorch_writer_write
func (x *Writer) Write(data []byte) (int, error) {
	self, done, err := use(x)
	if err != nil {
		return 0, err
	}
	defer done()
	e := C.ctorch_go_writer_write(C.uint64_t(self), first(data), C.size_t(len(data)))
	if e != 0 {
		return 0, failure(uintptr(e))
	}
	return len(data), nil
}

// Bytes is a copy of what was written to memory; nothing for a writer to elsewhere.
//
// C: ctorch_writer_data
func (x *Writer) Bytes() []byte {
	f := NewFrame(writerData, 2)
	defer f.Done()
	f.Handle(1, x)
	f.Call()
	if f.words[0] == 0 {
		return nil
	}
	data := make([]byte, x.Nbytes()+1)
	C.ctorch_go_writer_read(C.uint64_t(f.words[1]), unsafe.Pointer(&data[0]), C.size_t(len(data)-1))
	return data[: len(data)-1 : len(data)-1]
}

// SetProgress lets a function hear how many bytes were written, at the latest after each 16 MiB. If it fails, writing does.
//
// C: ctorch_writer_set_progress
func (x *Writer) SetProgress(progress func(nbytes int) error) error {
	return setProgress(writerSetProgress, C.CTORCH_GO_WRITER_PROGRESS, x, progress)
}

func setProgress(number int, which C.int, x owner, progress func(int) error) error {
	f := NewFrame(number, 5)
	defer f.Done()
	f.Handle(1, x)
	f.callbackOf(2, which)
	return f.keep(3, func(_ *uint64, words []uint64) error { return progress(int(words[0])) })
}

// Written is what a function writes, in memory.
func Written(write func(writer *Writer) error) ([]byte, error) {
	writer, err := NewWriter()
	if err != nil {
		return nil, err
	}
	defer writer.Close()
	if err := write(writer); err != nil {
		return nil, err
	}
	if err := writer.Finish(); err != nil {
		return nil, err
	}
	return writer.Bytes(), nil
}

// Save writes a file that Python's torch.load reads, of whatever ValueOf takes but a *Module, whose StateDict can be written.
//
// C: ctorch_serialization_save_file
func Save(value any, path string) error {
	made, err := ValueOf(value)
	if err != nil {
		return err
	}
	defer made.Close()
	return SerializationSaveFile(made, path)
}

// SaveBytes is what Save would write.
//
// C: ctorch_serialization_save
func SaveBytes(value any) ([]byte, error) {
	return Written(func(writer *Writer) error { return saveTo(writer, value, 0) })
}

// SaveTo writes what Save would write to something of Go's. flags are added up.
//
// C: ctorch_serialization_save
func SaveTo(target io.Writer, value any, flags ...SaveFlags) error {
	writer, err := WriterTo(target)
	if err != nil {
		return err
	}
	defer writer.Close()
	var all SaveFlags
	for _, flag := range flags {
		all |= flag
	}
	if err := saveTo(writer, value, all); err != nil {
		return err
	}
	return writer.Finish()
}

func saveTo(writer *Writer, value any, flags SaveFlags) error {
	made, err := ValueOf(value)
	if err != nil {
		return err
	}
	defer made.Close()
	return SerializationSave(writer, made, flags)
}

// LoadOptions is what Load and its kind do not need to be told.
type LoadOptions struct {
	// Mmap lets tensors share a mapping of the file instead of holding copies; for Load alone.
	Mmap bool
	// MapLocation is the device of every tensor.
	MapLocation *Device
	// MapLocationFunc decides where each storage lies: it gets what the file says, and the device which that is, nil if
	// there is none; it answers nil to leave it.
	MapLocationFunc func(location string, device *Device) (*Device, error)
	// Allow decides whether a class that ctorch does not know, of a module and a name, may be in the file. What it allows
	// becomes a *PythonObject, which runs nothing.
	Allow func(module, name string) (bool, error)
}

// Load reads a file that Python's torch.save wrote, as Native gives it. Nothing in it is run.
//
// C: ctorch_serialization_load
func Load(path string, options ...LoadOptions) (any, error) {
	mmap := false
	for _, o := range options {
		mmap = o.Mmap
	}
	reader, err := ReaderOpen(path, mmap)
	return loadAndClose(reader, err, options)
}

// LoadBytes reads the bytes of such a file.
//
// C: ctorch_serialization_load
func LoadBytes(data []byte, options ...LoadOptions) (any, error) {
	reader, err := ReaderOf(data)
	return loadAndClose(reader, err, options)
}

// LoadFrom reads such a file, of nbytes bytes, from something of Go's.
//
// C: ctorch_serialization_load
func LoadFrom(source io.ReaderAt, nbytes int64, options ...LoadOptions) (any, error) {
	reader, err := ReaderAt(source, nbytes)
	return loadAndClose(reader, err, options)
}

func loadAndClose(reader *Reader, err error, options []LoadOptions) (any, error) {
	if err != nil {
		return nil, err
	}
	defer reader.Close()
	value, err := LoadValue(reader, options...)
	return nativeOf(value, err)
}

// LoadValue reads such a file as a *Value, which keeps what Native does not tell: that a dict is an OrderedDict with
// attributes, and a tensor a Parameter. For Module.LoadStateDict.
//
// C: ctorch_serialization_load, ctorch_serialization_load_with
func LoadValue(reader *Reader, options ...LoadOptions) (*Value, error) {
	var o LoadOptions
	for _, given := range options {
		o = given
	}
	if o.MapLocationFunc == nil && o.Allow == nil {
		return SerializationLoad(reader, o.MapLocation)
	}
	if o.MapLocationFunc == nil && o.MapLocation != nil {
		o.MapLocationFunc = func(string, *Device) (*Device, error) { return o.MapLocation, nil }
	}
	f := NewFrame(serializationLoadWith, 6)
	defer f.Done()
	f.Handle(2, reader)
	if o.MapLocationFunc != nil {
		f.callbackOf(3, C.CTORCH_GO_SERIALIZATION_MAP_LOCATION)
	}
	if o.Allow != nil {
		f.callbackOf(4, C.CTORCH_GO_SERIALIZATION_ALLOW)
	}
	err := f.duringAll(5, callbacks{
		C.CTORCH_GO_SERIALIZATION_MAP_LOCATION: func(out *uint64, words []uint64) error { return o.place(out, text(words[0])) },
		C.CTORCH_GO_SERIALIZATION_ALLOW: func(out *uint64, words []uint64) error {
			allowed, err := o.Allow(text(words[0]), text(words[1]))
			*out = bit(allowed && err == nil)
			return err
		},
	})
	if err != nil {
		return nil, err
	}
	return ValueFromHandle(f.Pointer(1)), nil
}

func (o LoadOptions) place(out *uint64, location string) error {
	var named *Device
	if device := deviceOf(*out); device.Type >= 0 {
		named = &device
	}
	device, err := o.MapLocationFunc(location, named)
	if err == nil && device != nil {
		*out = device.word()
	}
	return err
}

// OpenWeights reads the table of contents of a file of tensors of any format, or of a folder of several.
//
// C: ctorch_weights_open_file
func OpenWeights(path string, mmap bool) (*Weights, error) { return WeightsOpenFile(path, mmap) }

// WeightsOf reads the table of contents of the bytes of a file of tensors.
//
// C: ctorch_weights_open
func WeightsOf(data []byte) (*Weights, error) {
	reader, err := ReaderOf(data)
	if err != nil {
		return nil, err
	}
	defer reader.Close()
	return WeightsOpen(reader)
}

// Names are the names of all tensors, in the order of the file.
//
// C: ctorch_weights_name
func (x *Weights) Names() []string {
	names := make([]string, x.Len())
	for i := range names {
		names[i] = x.Name(i)
	}
	return names
}

// Shape is the shape of a tensor, by its number.
//
// C: ctorch_weights_shape
func (x *Weights) Shape(index int) ([]int64, error) {
	f := NewFrame(weightsShape, 5)
	defer f.Done()
	f.Handle(3, x)
	f.SetInt(4, int64(index))
	if err := f.Try(); err != nil {
		return nil, err
	}
	sizes := append([]int64{}, unsafe.Slice((*int64)(pointer(f.words[1])), int(f.words[2]))...)
	return sizes, nil
}

// Tensors are all tensors by their names. Load gives them as a *Value, for Module.LoadStateDict.
//
// C: ctorch_weights_tensor
func (x *Weights) Tensors() (map[string]*Tensor, error) {
	tensors := make(map[string]*Tensor, x.Len())
	for _, name := range x.Names() {
		tensor, err := x.Tensor(name)
		if err != nil {
			for _, made := range tensors {
				made.Close()
			}
			return nil, err
		}
		tensors[name] = tensor
	}
	return tensors, nil
}

// AddCallback saves what a function gives with each snapshot, and hands it to the other one when the run is resumed.
//
// C: ctorch_snapshots_add_callback
func (x *Snapshots) AddCallback(name string, save func() (any, error), load func(state any) error) error {
	f := NewFrame(snapshotsAddCallback, 7)
	defer f.Done()
	f.Handle(1, x)
	f.PutString(2, name)
	f.callbackOf(3, C.CTORCH_GO_SNAPSHOTS_SAVE)
	f.callbackOf(4, C.CTORCH_GO_SNAPSHOTS_LOAD)
	return f.keepAll(5, callbacks{
		C.CTORCH_GO_SNAPSHOTS_SAVE: func(out *uint64, _ []uint64) error {
			state, err := save()
			if err != nil {
				return err
			}
			value, err := ValueOf(state)
			if err != nil {
				return err
			}
			defer value.Close()
			*out = uint64(value.giveAway())
			return nil
		},
		C.CTORCH_GO_SNAPSHOTS_LOAD: func(_ *uint64, words []uint64) error {
			state, err := nativeOf(borrowValue(words[0]), nil)
			if err != nil {
				return err
			}
			return load(state)
		},
	})
}

var (
	readerFromCallback    = FunctionNumber("ctorch_reader_from_callback")
	readerSetProgress     = FunctionNumber("ctorch_reader_set_progress")
	writerFromCallback    = FunctionNumber("ctorch_writer_from_callback")
	writerSetProgress     = FunctionNumber("ctorch_writer_set_progress")
	writerData            = FunctionNumber("ctorch_writer_data")
	serializationLoadWith = FunctionNumber("ctorch_serialization_load_with")
	weightsShape          = FunctionNumber("ctorch_weights_shape")
	snapshotsAddCallback  = FunctionNumber("ctorch_snapshots_add_callback")
)
