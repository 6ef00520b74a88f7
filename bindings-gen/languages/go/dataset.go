package ctorch

// #include "bridge.h"
import "C"

import (
	"errors"
	"fmt"
	"io"
	"math"
)

// Datasets, samplers, iterators and loaders: of one's own, and how one goes through them. Samples and batches are what
// Native gives. What a function of one's own is given is closed when it returns; what it keeps it retains.

// CallbackOptions is what functions that workers call do not need to be told.
type CallbackOptions struct {
	MayThread *bool // true: on any thread, several at once; false: on the goroutine that takes batches
}

func mayThread(options []CallbackOptions) bool {
	may := true
	for _, o := range options {
		if o.MayThread != nil {
			may = *o.MayThread
		}
	}
	return may
}

// Iterators

// Source is an iterator of one's own: Next gives values, and io.EOF at the end.
type Source interface {
	Next() (any, error)
}

// SourceFunc is a function as a Source.
type SourceFunc func() (any, error)

// Next calls the function.
func (f SourceFunc) Next() (any, error) { return f() }

// ResumableSource is a Source that knows where it is, so that a run can go on after a snapshot.
type ResumableSource interface {
	Source
	// StateDict is where it is.
	StateDict() (any, error)
	// LoadStateDict goes to where another one was.
	LoadStateDict(state any) error
}

// SliceSource gives the elements of a slice.
func SliceSource[T any](list []T) Source {
	return SourceFunc(func() (any, error) {
		if len(list) == 0 {
			return nil, io.EOF
		}
		first := list[0]
		list = list[1:]
		return first, nil
	})
}

// NewIterator makes an iterator of a Source; of a ResumableSource, StateDict and LoadStateDict work.
//
// C: ctorch_iterator_from_callback, ctorch_iterator_from_stateful_callback
func NewIterator(source Source) (*Iterator, error) {
	resumable, ok := source.(ResumableSource)
	if !ok {
		f := NewFrame(iteratorFromCallback, 5)
		defer f.Done()
		f.callbackOf(2, C.CTORCH_GO_ITERATOR_NEXT)
		return iteratorOr(f, f.keep(3, func(out *uint64, _ []uint64) error { return giveNext(out, source) }))
	}
	f := NewFrame(iteratorFromStatefulCallback, 7)
	defer f.Done()
	f.callbackOf(2, C.CTORCH_GO_ITERATOR_NEXT)
	f.callbackOf(3, C.CTORCH_GO_ITERATOR_SAVE)
	f.callbackOf(4, C.CTORCH_GO_ITERATOR_LOAD)
	return iteratorOr(f, f.keepAll(5, callbacks{
		C.CTORCH_GO_ITERATOR_NEXT: func(out *uint64, _ []uint64) error { return giveNext(out, source) },
		C.CTORCH_GO_ITERATOR_SAVE: func(out *uint64, _ []uint64) error {
			state, err := resumable.StateDict()
			return giveNative(out, state, err)
		},
		C.CTORCH_GO_ITERATOR_LOAD: func(_ *uint64, words []uint64) error {
			return withNative(words[0], resumable.LoadStateDict)
		},
	}))
}

func iteratorOr(f *Frame, err error) (*Iterator, error) {
	if err != nil {
		return nil, err
	}
	return IteratorFromHandle(f.Pointer(1)), nil
}

func giveNext(out *uint64, source Source) error {
	value, err := source.Next()
	if err == io.EOF {
		return nil
	}
	return giveNative(out, value, err)
}

// Next is the next value, and io.EOF at the end. After another error the value behind it may be asked for.
//
// C: ctorch_iterator_next
func (x *Iterator) Next() (any, error) {
	f := NewFrame(iteratorNext, 3)
	defer f.Done()
	f.Handle(2, x)
	if err := f.Try(); err != nil {
		return nil, err
	}
	value := ValueFromHandle(f.Pointer(1))
	if value == nil {
		return nil, io.EOF
	}
	return nativeOf(value, nil)
}

// Each calls a function with each value that is left, closes the value, and at the end the iterator. An error of the
// function ends it.
func (x *Iterator) Each(function func(value any) error) error {
	defer x.Close()
	for {
		value, err := x.Next()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		err = function(value)
		CloseAll(value)
		if err != nil {
			return err
		}
	}
}

func eachOf(begin func() (*Iterator, error), function func(any) error) error {
	values, err := begin()
	if err != nil {
		return err
	}
	return values.Each(function)
}

// CloseAll closes the tensors, and whatever else can be, in what Native gives.
func CloseAll(value any) {
	switch x := value.(type) {
	case interface{ Close() }:
		x.Close()
	case []any:
		for _, part := range x {
			CloseAll(part)
		}
	case Tuple:
		CloseAll([]any(x))
	case NamedTuple:
		CloseAll(x.Tuple)
	case Set:
		CloseAll([]any(x))
	case Dict:
		for _, entry := range x {
			CloseAll(entry.Key)
			CloseAll(entry.Value)
		}
	}
}

// Pair takes apart a list or tuple of two, as batches mostly are:
//
//	images, labels, err := ctorch.Pair[*ctorch.Tensor, *ctorch.Tensor](batch)
func Pair[A, B any](value any) (a A, b B, err error) {
	list, ok := value.([]any)
	switch x := value.(type) {
	case Tuple:
		list, ok = x, true
	case NamedTuple:
		list, ok = x.Tuple, true
	}
	if !ok || len(list) != 2 {
		return a, b, NewError(ErrorType, fmt.Sprintf("expected a list or tuple of two, got %T", value))
	}
	a, first := list[0].(A)
	b, second := list[1].(B)
	if !first || !second {
		return a, b, NewError(ErrorType, fmt.Sprintf("expected %T and %T, got %T and %T", a, b, list[0], list[1]))
	}
	return a, b, nil
}

// Datasets

// NewDataset makes a dataset whose samples a function gives, by indices from 0 to below the length.
//
// C: ctorch_dataset_from_callback
func NewDataset(length int64, get func(index int64) (any, error), options ...CallbackOptions) (*Dataset, error) {
	f := NewFrame(datasetFromCallback, 7)
	defer f.Done()
	f.SetInt(2, length)
	f.callbackOf(3, C.CTORCH_GO_DATASET_GET)
	f.SetBool(4, mayThread(options))
	err := f.keep(5, func(out *uint64, words []uint64) error {
		sample, err := get(int64(words[0]))
		return giveNative(out, sample, err)
	})
	if err != nil {
		return nil, err
	}
	return DatasetFromHandle(f.Pointer(1)), nil
}

// NewIterableDataset makes a dataset of samples one after another; a nil length is not known. The function begins anew for
// each epoch and on each worker's thread, which LoaderWorkerInfo tells apart.
//
// C: ctorch_dataset_from_iterable
func NewIterableDataset(length *int64, iterate func() (Source, error), options ...CallbackOptions) (*Dataset, error) {
	f := NewFrame(datasetFromIterable, 7)
	defer f.Done()
	f.putLength(2, length)
	f.callbackOf(3, C.CTORCH_GO_DATASET_ITERATE)
	f.SetBool(4, mayThread(options))
	if err := f.keep(5, beginning(iterate)); err != nil {
		return nil, err
	}
	return DatasetFromHandle(f.Pointer(1)), nil
}

// Get is a sample; a negative index counts from the end.
//
// C: ctorch_dataset_get
func (x *Dataset) Get(index int64) (any, error) {
	f := NewFrame(datasetGet, 4)
	defer f.Done()
	f.Handle(2, x)
	f.SetInt(3, index)
	return f.native()
}

// Attribute is something that it knows besides its samples, such as the "classes" of datasets.ImageFolder.
//
// C: ctorch_dataset_attribute
func (x *Dataset) Attribute(name string) (any, error) {
	f := NewFrame(datasetAttribute, 4)
	defer f.Done()
	f.Handle(2, x)
	f.PutString(3, name)
	return f.native()
}

// Each calls a function with each sample, and closes what it was given. An error of the function ends it.
func (x *Dataset) Each(function func(sample any) error) error { return eachOf(x.Iterate, function) }

// Samplers

// NewSampler makes an order of one's own; a nil length is not known. The function begins one for each epoch, of indices, or
// of slices of them for a BatchSampler. It is called on the goroutine that takes batches.
//
// C: ctorch_sampler_from_callback
func NewSampler(length *int64, iterate func() (Source, error)) (*Sampler, error) {
	f := NewFrame(samplerFromCallback, 6)
	defer f.Done()
	if err := f.begin(C.CTORCH_GO_SAMPLER_ITERATE, length, iterate); err != nil {
		return nil, err
	}
	return SamplerFromHandle(f.Pointer(1)), nil
}

// Each calls a function with each index, or each list of them. An error of the function ends it.
func (x *Sampler) Each(function func(index any) error) error { return eachOf(x.Iterate, function) }

// Loaders

// NewLoader makes any source of batches, for Trainer.Fit: the function begins an epoch. A nil length is not known. An epoch
// of a ResumableSource can be gone on from.
//
// C: ctorch_loader_from_callback
func NewLoader(length *int64, iterate func() (Source, error)) (*Loader, error) {
	f := NewFrame(loaderFromCallback, 6)
	defer f.Done()
	if err := f.begin(C.CTORCH_GO_LOADER_ITERATE, length, iterate); err != nil {
		return nil, err
	}
	return LoaderFromHandle(f.Pointer(1)), nil
}

// Each calls a function with each batch of an epoch, and closes what it was given. An error of the function ends it.
func (x *Loader) Each(function func(batch any) error) error { return eachOf(x.Iterate, function) }

// SetCollate lets a function make batches: of the list of samples, or of the one sample of a loader that makes no batches.
//
// C: ctorch_loader_set_collate
func (x *Loader) SetCollate(collate func(samples any) (any, error), options ...CallbackOptions) error {
	return x.set(loaderSetCollate, C.CTORCH_GO_LOADER_COLLATE, options, func(out *uint64, words []uint64) error {
		return withNative(words[0], func(samples any) error {
			batch, err := collate(samples)
			return giveNative(out, batch, err)
		})
	})
}

// SetWorkerInit calls a function when a worker begins, with its number.
//
// C: ctorch_loader_set_worker_init
func (x *Loader) SetWorkerInit(workerInit func(worker int64) error, options ...CallbackOptions) error {
	call := func(_ *uint64, words []uint64) error { return workerInit(int64(words[0])) }
	return x.set(loaderSetWorkerInit, C.CTORCH_GO_LOADER_WORKER, options, call)
}

func (x *Loader) set(number int, which C.int, options []CallbackOptions, call callback) error {
	f := NewFrame(number, 6)
	defer f.Done()
	f.Handle(1, x)
	f.callbackOf(2, which)
	f.SetBool(3, mayThread(options))
	return f.keep(4, call)
}

// WorkerInfo is the worker of a loader that a function is called by, or for.
type WorkerInfo struct {
	ID, NumWorkers int64
	Seed           uint64 // the base seed and its number, added up
}

// LoaderWorkerInfo is the worker that this function is called by, or for; nil where no worker is at work.
//
// C: ctorch_loader_worker_info
func LoaderWorkerInfo() (*WorkerInfo, error) {
	f := NewFrame(loaderWorkerInfo, 4)
	defer f.Done()
	if err := f.Try(); err != nil || f.Int(1) < 0 {
		return nil, err
	}
	return &WorkerInfo{f.Int(1), f.Int(2), uint64(f.Int(3))}, nil
}

// LoaderStatistics is what a loader has done in all its iterations. If consumers waited much and workers did not, more
// workers help; if workers waited, training is the slower side.
type LoaderStatistics struct {
	Batches        int64   // that were handed out
	ConsumerWaited float64 // seconds for a batch, or in which it made it itself without workers
	WorkersWaited  float64 // seconds that workers were idle, all of them added up
	WorkersWorked  float64 // seconds that workers made batches, all of them added up
}

// Statistics tell which side is slow.
//
// C: ctorch_loader_statistics
func (x *Loader) Statistics() (LoaderStatistics, error) {
	f := NewFrame(loaderStatistics, 6)
	defer f.Done()
	f.Handle(5, x)
	if err := f.Try(); err != nil {
		return LoaderStatistics{}, err
	}
	return LoaderStatistics{f.Int(1), f.Float(2), f.Float(3), f.Float(4)}, nil
}

// Transforms

// NewTransform makes a transform of one's own, which gets the sample as it is, and where to draw from: nil is the default
// generator. The name is that of its class.
//
// C: ctorch_transform_from_callback
func NewTransform(
	name string, transform func(input any, generator *Generator) (any, error), options ...CallbackOptions,
) (*Transform, error) {
	f := NewFrame(transformFromCallback, 7)
	defer f.Done()
	f.PutString(2, name)
	f.callbackOf(3, C.CTORCH_GO_TRANSFORM)
	f.SetBool(4, mayThread(options))
	err := f.keep(5, func(out *uint64, words []uint64) error {
		if words[1] != 0 {
			apply(generatorRetain, uintptr(words[1]))
		}
		generator := GeneratorFromHandle(uintptr(words[1]))
		defer generator.Close()
		return withNative(words[0], func(input any) error {
			result, err := transform(input, generator)
			return giveNative(out, result, err)
		})
	})
	if err != nil {
		return nil, err
	}
	return TransformFromHandle(f.Pointer(1)), nil
}

// TransformByName makes a transform by the name of its class: TransformByName("Resize", Tuple{[]int64{8}}, nil).
//
// C: ctorch_transform_create
func TransformByName(name string, args Tuple, kwargs map[string]any) (*Transform, error) {
	given, err := valuesOf([]any{args, kwargs}, 0)
	if err != nil {
		return nil, err
	}
	defer closeValues(given)
	return TransformCreate(name, given[0], given[1])
}

// Call applies it to a sample; several of them go in a Tuple. A nil generator is the default one.
//
// C: ctorch_transform_call
func (x *Transform) Call(input any, generator *Generator) (any, error) {
	value, err := ValueOf(input)
	if err != nil {
		return nil, err
	}
	defer value.Close()
	f := NewFrame(transformCall, 5)
	defer f.Done()
	f.Handle(1, x)
	f.Handle(3, value)
	f.Handle(4, generator)
	err = f.Try()
	if err != nil {
		return nil, err
	}
	return nativeOf(ValueFromHandle(f.Pointer(2)), nil)
}

// String is as Python prints it: "RandomHorizontalFlip(p=0.5)".
func (x *Transform) String() string {
	text, err := x.Repr()
	if err != nil {
		return err.Error()
	}
	return text
}

// The trainer

// SetStep lets a function compute the loss of a batch, in training and in validation, on the thread of Fit. It gets the
// trainer: a function that held it would keep it for ever. Nil is the loss of a module again.
//
// C: ctorch_trainer_set_step
func (x *Trainer) SetStep(step func(trainer *Trainer, module *Module, batch any) (*Tensor, error)) error {
	f := NewFrame(trainerSetStep, 5)
	defer f.Done()
	f.Handle(1, x)
	if step == nil {
		return f.Try()
	}
	f.callbackOf(2, C.CTORCH_GO_TRAINER_STEP)
	return f.keep(3, func(out *uint64, words []uint64) error {
		trainer, module := borrowTrainer(words[0]), borrowModule(words[1])
		defer trainer.Close()
		defer module.Close()
		return withNative(words[2], func(batch any) error {
			loss, err := step(trainer, module, batch)
			if err == nil && loss != nil {
				if loss.isClosed() {
					return errors.New("the function returned a tensor that is closed")
				}
				*out = uint64(loss.giveAway())
			}
			return err
		})
	})
}

// AddMetric lets a function compute a metric of what the model gave and of the batch: the mean over its samples. Nil is the
// share of targets that are the index of the greatest of the outputs, as "accuracy" is.
//
// C: ctorch_trainer_add_metric
func (x *Trainer) AddMetric(name string, metric func(output, batch any) (float64, error)) error {
	f := NewFrame(trainerAddMetric, 6)
	defer f.Done()
	f.Handle(1, x)
	f.PutString(2, name)
	if metric == nil {
		return f.Try()
	}
	f.callbackOf(3, C.CTORCH_GO_TRAINER_METRIC)
	return f.keep(4, func(out *uint64, words []uint64) error {
		return withNative(words[0], func(output any) error {
			return withNative(words[1], func(batch any) error {
				number, err := metric(output, batch)
				return giveFloat(out, number, err)
			})
		})
	})
}

// On calls a function at a point of the loop. It gets the trainer: a function that held it would keep it for ever.
//
// C: ctorch_trainer_add_callback
func (x *Trainer) On(event TrainerEvent, callback func(trainer *Trainer, event TrainerEvent) error) error {
	f := NewFrame(trainerAddCallback, 6)
	defer f.Done()
	f.Handle(1, x)
	f.SetInt(2, int64(event))
	f.callbackOf(3, C.CTORCH_GO_TRAINER_EVENT)
	return f.keep(4, func(_ *uint64, words []uint64) error {
		trainer := borrowTrainer(words[0])
		defer trainer.Close()
		return callback(trainer, TrainerEvent(int32(words[1])))
	})
}

// Evaluate is the mean loss and the metrics over a loader, by their names.
//
// C: ctorch_trainer_evaluate
func (x *Trainer) Evaluate(loader *Loader) (map[string]float64, error) {
	f := NewFrame(trainerEvaluate, 4)
	defer f.Done()
	f.Handle(2, x)
	f.Handle(3, loader)
	metrics, err := f.native()
	if err != nil {
		return nil, err
	}
	return numbersOf(metrics), nil
}

// History is the metrics of each epoch that is over, with "epoch", "step" and "loss", by their names.
//
// C: ctorch_trainer_history
func (x *Trainer) History() ([]map[string]float64, error) {
	f := NewFrame(trainerHistory, 3)
	defer f.Done()
	f.Handle(2, x)
	found, err := f.native()
	if err != nil {
		return nil, err
	}
	epochs := found.([]any)
	history := make([]map[string]float64, len(epochs))
	for i, epoch := range epochs {
		history[i] = numbersOf(epoch)
	}
	return history, nil
}

func numbersOf(metrics any) map[string]float64 {
	numbers := map[string]float64{}
	for _, entry := range metrics.(Dict) {
		switch number := entry.Value.(type) {
		case float64:
			numbers[entry.Key.(string)] = number
		case int64:
			numbers[entry.Key.(string)] = float64(number)
		default:
			numbers[entry.Key.(string)] = math.NaN()
		}
	}
	return numbers
}

func borrowTrainer(c uint64) *Trainer {
	apply(trainerRetain, uintptr(c))
	return TrainerFromHandle(uintptr(c))
}

// What they have in common

// begin makes a call of a length and a function that begins an iteration.
func (f *Frame) begin(which C.int, length *int64, iterate func() (Source, error)) error {
	f.putLength(2, length)
	f.callbackOf(3, which)
	return f.keep(4, beginning(iterate))
}

func (f *Frame) putLength(place int, length *int64) {
	if length != nil {
		f.PutInt(place, *length)
	}
}

func beginning(iterate func() (Source, error)) callback {
	return func(out *uint64, _ []uint64) error {
		source, err := iterate()
		if err != nil {
			return err
		}
		if source == nil {
			return errors.New("the function returned no Source")
		}
		made, err := NewIterator(source)
		if err == nil {
			*out = uint64(made.forget())
		}
		return err
	}
}

// native makes a call whose first result is a value.
func (f *Frame) native() (any, error) {
	if err := f.Try(); err != nil {
		return nil, err
	}
	return nativeOf(ValueFromHandle(f.Pointer(1)), nil)
}

func giveNative(out *uint64, x any, err error) error {
	if err != nil {
		return err
	}
	value, err := ValueOf(x)
	if err != nil {
		return err
	}
	defer value.Close()
	*out = uint64(value.giveAway())
	return nil
}

// withNative calls a function with what a value of C's holds, and closes that afterwards.
func withNative(c uint64, function func(any) error) error {
	value := borrowValue(c)
	defer value.Close()
	native, err := value.Native()
	if err != nil {
		return err
	}
	defer CloseAll(native)
	return function(native)
}

var (
	iteratorFromCallback         = FunctionNumber("ctorch_iterator_from_callback")
	iteratorFromStatefulCallback = FunctionNumber("ctorch_iterator_from_stateful_callback")
	iteratorNext                 = FunctionNumber("ctorch_iterator_next")
	datasetFromCallback          = FunctionNumber("ctorch_dataset_from_callback")
	datasetFromIterable          = FunctionNumber("ctorch_dataset_from_iterable")
	datasetGet                   = FunctionNumber("ctorch_dataset_get")
	datasetAttribute             = FunctionNumber("ctorch_dataset_attribute")
	samplerFromCallback          = FunctionNumber("ctorch_sampler_from_callback")
	loaderFromCallback           = FunctionNumber("ctorch_loader_from_callback")
	loaderSetCollate             = FunctionNumber("ctorch_loader_set_collate")
	loaderSetWorkerInit          = FunctionNumber("ctorch_loader_set_worker_init")
	loaderWorkerInfo             = FunctionNumber("ctorch_loader_worker_info")
	loaderStatistics             = FunctionNumber("ctorch_loader_statistics")
	transformFromCallback        = FunctionNumber("ctorch_transform_from_callback")
	transformCall                = FunctionNumber("ctorch_transform_call")
	trainerRetain                = FunctionNumber("ctorch_trainer_retain")
	trainerSetStep               = FunctionNumber("ctorch_trainer_set_step")
	trainerAddMetric             = FunctionNumber("ctorch_trainer_add_metric")
	trainerAddCallback           = FunctionNumber("ctorch_trainer_add_callback")
	trainerEvaluate              = FunctionNumber("ctorch_trainer_evaluate")
	trainerHistory               = FunctionNumber("ctorch_trainer_history")
	generatorRetain              = FunctionNumber("ctorch_generator_retain")
)
