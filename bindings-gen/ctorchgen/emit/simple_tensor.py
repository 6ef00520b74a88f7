"""The parts of tensor.spl that do not follow from the model: what stands before, in and after the class Tensor.

simple_operators.py puts a method for each operator of a tensor at the end of the class. A method that is here wins.
"""

from __future__ import annotations

import re

from ..vocabulary import names_in

TENSOR_HEAD = '''
"""Tensors: `val z = (x.matmul(y)?).relu()?`.

A method gives a Result: `?` hands an error on to the caller of your function. The operators `+ - * / @` and the
accessors that cannot fail for a live tensor (shape, dtype ...) give the value itself and panic on misuse.

Who gives a tensor back? Each belongs to the innermost Scope that is open on its thread, which releases it at its end:

    val scope = Scope.begin()?
    defer scope.end()
    ...
    scope.keep(best)

Outside every scope call `drop()` on what you made. A tensor that was given back is an error of kind INVALID_HANDLE,
never a crash.
"""

<imports>

class Scope:
    """A stretch of a program whose tensors and other handles are released together, on one thread."""
    handle: i64

    static fn begin() -> Result<Scope, TorchError>:
        match ctorch_scope_begin():
            case Ok(handle): Ok(Scope(handle: handle))
            case Err(message): Err(TorchError.last(message))

    fn keep(kept: Tensor) -> Result<Tensor, TorchError>:
        """Let this tensor outlive the scope: it moves to the scope around, if there is one."""
        changed_result(kept, ctorch_scope_keep(self.handle, kept.handle))

    fn end():
        val ended = word_or_code(ctorch_scope_end(self.handle))
        if ended < 0:
            panic("a scope was ended twice, or before one that was opened in it")

class Tuple:
    """Results of several kinds, in PyTorch's order. Each can be taken once; drop gives back what was not."""
    handle: i64

    fn len() -> i64:
        word_or_panic(ctorch_tuple_len(self.handle))

    fn tensor(index: i64) -> Result<Tensor, TorchError>:
        tensor_result(ctorch_tuple_take(self.handle, index))

    fn tensors(index: i64) -> Result<[Tensor], TorchError>:
        tensors_result(ctorch_tuple_take(self.handle, index))

    fn integer(index: i64) -> Result<i64, TorchError>:
        integer_result(ctorch_tuple_take(self.handle, index))

    fn double(index: i64) -> Result<f64, TorchError>:
        double_result(ctorch_tuple_take(self.handle, index))

    fn drop():
        release_words([self.handle])
'''

# What the texts here use of constants.spl and of words.spl.
TENSOR_CONSTANTS = ("DTYPE_FLOAT32", "DTYPE_FLOAT64", "DTYPE_INT64")
TENSOR_WORDS = (
    "word_of_flag word_of_integer word_of_double word_of_ints word_of_optional_integer word_of_optional_device "
    "word_of_scalar word_of_doubles release_words release_after integer_of_word double_of_word scalar_of_word "
    "ints_of_word doubles_of_word text_of_word"
)

TENSOR_CLASS = '''
class Tensor:
    """An n-dimensional array. The handle is 0 for the undefined tensor, which stands for None."""
    handle: i64

    static fn undefined() -> Tensor:
        Tensor(handle: 0)

    # Made of nothing: a dtype that is left out is the default one, a device the CPU.

    static fn empty(shape: [i64], dtype: i64? = nil, device: Device? = nil) -> Result<Tensor, TorchError>:
        """Not initialized."""
        val made = [word_of_ints(shape), word_of_optional_integer(dtype)]
        val place = word_of_optional_device(device)
        tensor_result(release_after(made, ctorch_aten_empty_memory_format(made[0], made[1], 0, place, 0, 0)))

    static fn zeros(shape: [i64], dtype: i64? = nil, device: Device? = nil) -> Result<Tensor, TorchError>:
        val made = [word_of_ints(shape), word_of_optional_integer(dtype)]
        tensor_result(release_after(made, ctorch_aten_zeros(made[0], made[1], 0, word_of_optional_device(device), 0)))

    static fn ones(shape: [i64], dtype: i64? = nil, device: Device? = nil) -> Result<Tensor, TorchError>:
        val made = [word_of_ints(shape), word_of_optional_integer(dtype)]
        tensor_result(release_after(made, ctorch_aten_ones(made[0], made[1], 0, word_of_optional_device(device), 0)))

    static fn full(shape: [i64], value: Scalar, dtype: i64? = nil, device: Device? = nil) -> Result<Tensor, TorchError>:
        val made = [word_of_ints(shape), word_of_scalar(value), word_of_optional_integer(dtype)]
        val place = word_of_optional_device(device)
        tensor_result(release_after(made, ctorch_aten_full(made[0], made[1], made[2], 0, place, 0)))

    static fn rand(shape: [i64], dtype: i64? = nil, device: Device? = nil) -> Result<Tensor, TorchError>:
        """Uniform from 0 to 1."""
        val made = [word_of_ints(shape), word_of_optional_integer(dtype)]
        tensor_result(release_after(made, ctorch_aten_rand(made[0], made[1], 0, word_of_optional_device(device), 0)))

    static fn randn(shape: [i64], dtype: i64? = nil, device: Device? = nil) -> Result<Tensor, TorchError>:
        """Normal with mean 0 and deviation 1."""
        val made = [word_of_ints(shape), word_of_optional_integer(dtype)]
        tensor_result(release_after(made, ctorch_aten_randn(made[0], made[1], 0, word_of_optional_device(device), 0)))

    static fn arange(start: i64, end: i64, step: i64 = 1) -> Result<Tensor, TorchError>:
        """Integers from start, below end."""
        val made = [word_of_integer(start), word_of_integer(end), word_of_integer(step)]
        tensor_result(release_after(made, ctorch_aten_arange_start_step(made[0], made[1], made[2], 0, 0, 0, 0)))

    static fn linspace(start: f64, end: f64, steps: i64) -> Result<Tensor, TorchError>:
        val made = [word_of_double(start), word_of_double(end)]
        tensor_result(release_after(made, ctorch_aten_linspace(made[0], made[1], steps, 0, 0, 0, 0)))

    static fn eye(n: i64) -> Result<Tensor, TorchError>:
        tensor_result(ctorch_aten_eye(n, 0, 0, 0, 0))

    # Made of values.

    static fn from_array(data: [f64], shape: [i64], dtype: i64? = nil) -> Result<Tensor, TorchError>:
        """Row-major. float32 unless another dtype is asked for; float64 keeps the numbers as they are."""
        val made = [word_of_doubles(data), word_of_ints(shape)]
        val exact = tensor_result(release_after(made, ctorch_tensor_from_data(made[0], made[1], DTYPE_FLOAT64)))?
        val wanted = if dtype == nil: DTYPE_FLOAT32 else: dtype
        val converted = exact.to(dtype: wanted)
        exact.drop()
        converted

    static fn from_ints(data: [i64], shape: [i64]) -> Result<Tensor, TorchError>:
        """Row-major, int64."""
        val made = [word_of_ints(data), word_of_ints(shape)]
        tensor_result(release_after(made, ctorch_tensor_from_data(made[0], made[1], DTYPE_INT64)))

    static fn scalar(value: Scalar, dtype: i64? = nil) -> Result<Tensor, TorchError>:
        """One number, without dimensions."""
        val made = [word_of_scalar(value), word_of_optional_integer(dtype)]
        tensor_result(release_after(made, ctorch_tensor_from_scalar(made[0], made[1])))

    # Ownership.

    fn drop():
        """Give the tensor back; a second time is an error of yours, and panics. Nothing for the undefined tensor."""
        release_words([self.handle])

    fn share() -> Tensor:
        """The same tensor once more: needs a drop of its own."""
        Tensor(handle: word_or_panic(ctorch_retain(self.handle)))

    # What it is.

    fn defined() -> bool:
        self.handle != 0

    fn ndim() -> i64:
        word_or_panic(ctorch_tensor_ndim(self.handle))

    fn numel() -> i64:
        word_or_panic(ctorch_tensor_numel(self.handle))

    fn shape() -> [i64]:
        match ints_of_word(word_or_panic(ctorch_tensor_sizes(self.handle))):
            case Ok(sizes): sizes
            case Err(message): panic(message)

    fn strides() -> [i64]:
        match ints_of_word(word_or_panic(ctorch_tensor_strides(self.handle))):
            case Ok(strides): strides
            case Err(message): panic(message)

    fn size(dim: i64) -> i64:
        """Size of a dimension; -1 is the last."""
        val sizes = self.shape()
        if dim < 0: sizes[sizes.len() + dim] else: sizes[dim]

    fn dtype() -> i64:
        """One of DTYPE_FLOAT32 ..."""
        word_or_panic(ctorch_tensor_dtype(self.handle))

    fn device() -> Device:
        Device.of_word(word_or_panic(ctorch_tensor_device(self.handle)))

    fn is_contiguous() -> bool:
        word_or_panic(ctorch_tensor_is_contiguous(self.handle)) == 1

    fn nbytes() -> i64:
        word_or_panic(ctorch_tensor_nbytes(self.handle))

    # Its values.

    fn item() -> Result<f64, TorchError>:
        """The only element."""
        match ctorch_f_item(self.handle):
            case Ok(value): Ok(value)
            case Err(message): Err(TorchError.last(message))

    fn item_int() -> Result<i64, TorchError>:
        """The only element as an integer; a fraction is cut off."""
        integer_result(ctorch_tensor_item_int64(self.handle))

    fn to_floats() -> Result<[f64], TorchError>:
        """All elements, row-major."""
        val exact = self.to(dtype: DTYPE_FLOAT64)?
        val bytes = ctorch_tensor_copy_to_buffer(exact.handle, exact.nbytes(), DTYPE_FLOAT64)
        exact.drop()
        val memory = word_result(bytes)?
        val list = word_result(release_after([memory], ctorch_doubles_from_text(memory)))?
        match doubles_of_word(list):
            case Ok(values): Ok(values)
            case Err(message): Err(TorchError.last(message))

    fn to_ints() -> Result<[i64], TorchError>:
        """All elements as integers, row-major."""
        val exact = self.to(dtype: DTYPE_INT64)?
        val bytes = ctorch_tensor_copy_to_buffer(exact.handle, exact.nbytes(), DTYPE_INT64)
        exact.drop()
        val memory = word_result(bytes)?
        val list = word_result(release_after([memory], ctorch_ints_from_text(memory)))?
        match ints_of_word(list):
            case Ok(values): Ok(values)
            case Err(message): Err(TorchError.last(message))

    fn to_text() -> text:
        """As Python prints it."""
        text_of_word(word_or_panic(ctorch_tensor_repr(self.handle, 0, 0, 0, 0, 0)))

    # Another dtype or device.

    fn to(dtype: i64? = nil, device: Device? = nil, copy: bool = false) -> Result<Tensor, TorchError>:
        """Always a handle of its own, of the same tensor if nothing changes."""
        val made = [word_of_optional_integer(dtype)]
        val place = word_of_optional_device(device)
        tensor_result(release_after(made, ctorch_tensor_to(self.handle, made[0], place, 0, word_of_flag(copy), 0)))

    fn to_device(device: Device) -> Result<Tensor, TorchError>:
        self.to(device: device)

    fn to_dtype(dtype: i64) -> Result<Tensor, TorchError>:
        self.to(dtype: dtype)

    fn cpu() -> Result<Tensor, TorchError>:
        self.to(device: Device.cpu())

    fn cuda(index: i64 = -1) -> Result<Tensor, TorchError>:
        self.to(device: Device.cuda(index))

    fn is_cuda() -> bool:
        self.device().kind == 1

    # Exchange with other libraries of the process, without a copy.

    fn to_dlpack() -> Result<i64, TorchError>:
        """The address of a DLManagedTensorVersioned, which belongs to whoever takes it, once."""
        val managed = word_result(ctorch_tensor_to_dlpack(self.handle, 0, 0, 0, word_of_flag(false)))?
        val address = word_result(ctorch_address_take(managed))
        address

    static fn from_dlpack(address: i64) -> Result<Tensor, TorchError>:
        """Of the address that a producer gave away; the tensor shares its memory."""
        val managed = word_result(ctorch_address_new(address))?
        match tuple_result(ctorch_tensor_from_dlpack(managed)):
            case Ok(items):
                val made = items.tensor(0)
                items.drop()
                made
            case Err(error):
                release_words([managed])
                Err(error)

    # Parts, as Python writes them between the brackets: `x.at("0:2, ..., -1")`.

    fn at(index: text) -> Result<Tensor, TorchError>:
        val made = [word_of_text(index)]
        tensor_result(release_after(made, ctorch_tensor_index_text(self.handle, made[0], 0, 0)))

    fn put_at(index: text, values: Tensor) -> Result<Tensor, TorchError>:
        val made = [word_of_text(index)]
        val put = ctorch_tensor_index_put_text(self.handle, made[0], 0, 0, values.handle)
        changed_result(self, release_after(made, put))

    # Gradients; autograd.spl has the rest.

    fn requires_grad() -> bool:
        word_or_panic(ctorch_tensor_requires_grad(self.handle)) == 1

    fn set_requires_grad(value: bool = true) -> Result<Tensor, TorchError>:
        changed_result(self, ctorch_tensor_set_requires_grad(self.handle, word_of_flag(value)))

    fn is_leaf() -> bool:
        word_or_panic(ctorch_tensor_is_leaf(self.handle)) == 1

    fn backward(retain_graph: bool? = nil, create_graph: bool = false) -> Result<bool, TorchError>:
        """Add the derivatives of this one number to the gradients of the leaves it was computed from."""
        val retain = word_of_optional_flag(retain_graph)
        done_result(ctorch_tensor_backward(self.handle, 0, retain, word_of_flag(create_graph)))

    fn backward_from(
        gradient: Tensor, retain_graph: bool? = nil, create_graph: bool = false
    ) -> Result<bool, TorchError>:
        """The same for a tensor of any shape, with the gradient that arrives at it."""
        val retain = word_of_optional_flag(retain_graph)
        done_result(ctorch_tensor_backward(self.handle, gradient.handle, retain, word_of_flag(create_graph)))

    fn grad() -> Tensor?:
        """The gradient, or nil: `val g = x.grad()`, then `if g != nil:`."""
        val found = word_or_panic(ctorch_tensor_grad(self.handle))
        if found == 0: nil else: Tensor(handle: found)

    fn gradient() -> Result<Tensor, TorchError>:
        """The gradient; undefined if there is none."""
        tensor_result(ctorch_tensor_grad(self.handle))

    fn set_grad(gradient: Tensor) -> Result<Tensor, TorchError>:
        changed_result(self, ctorch_tensor_set_grad(self.handle, gradient.handle))

    fn zero_grad() -> Result<Tensor, TorchError>:
        """Forget the gradient, as optimizers of PyTorch do."""
        changed_result(self, ctorch_tensor_set_grad(self.handle, 0))

    fn retain_grad() -> Result<Tensor, TorchError>:
        """Keep the gradient although this is no leaf."""
        changed_result(self, ctorch_aten_retain_grad(self.handle))

    fn detach() -> Result<Tensor, TorchError>:
        tensor_result(ctorch_aten_detach(self.handle))

    # Arithmetic as expressions: what fails panics. The methods add, sub, mul, div and matmul give a Result.

    fn __add__(other: Tensor) -> Tensor:
        tensor_or_panic(self.add(other))

    fn __sub__(other: Tensor) -> Tensor:
        tensor_or_panic(self.sub(other))

    fn __mul__(other: Tensor) -> Tensor:
        tensor_or_panic(self.mul(other))

    fn __div__(other: Tensor) -> Tensor:
        tensor_or_panic(self.div(other))

    fn __matmul__(other: Tensor) -> Tensor:
        tensor_or_panic(self.matmul(other))

    fn div_scalar(divisor: f64) -> Tensor:
        """What `x / 2.0` calls."""
        tensor_or_panic(self.div_Scalar(Scalar.Float(divisor)))

    # A number on one side; what fails panics, as above.

    fn plus(number: f64) -> Tensor:
        tensor_or_panic(self.add_Scalar(Scalar.Float(number)))

    fn minus(number: f64) -> Tensor:
        tensor_or_panic(self.sub_Scalar(Scalar.Float(number)))

    fn times(number: f64) -> Tensor:
        tensor_or_panic(self.mul_Scalar(Scalar.Float(number)))

    fn subtracted_from(number: f64) -> Tensor:
        """`number - x`."""
        tensor_or_panic(self.rsub_Scalar(Scalar.Float(number)))

    fn dividing(number: f64) -> Tensor:
        """`number / x`."""
        val inverse = tensor_or_panic(self.reciprocal())
        val made = inverse.times(number)
        inverse.drop()
        made

    fn __neg__() -> Tensor:
        tensor_or_panic(self.neg())

    # Every operator of PyTorch that a tensor is the first argument of.
'''

TENSOR_FUNCTIONS = '''
# Tensors as words, and results of calls as values.

fn word_of_optional_tensor(value: Tensor?) -> i64:
    if value == nil:
        return 0
    value.handle

fn word_of_tensors(values: [Tensor]) -> i64:
    val list = word_or_code(ctorch_tensors_new())
    if list < 0:
        return list
    for value in values:
        val pushed = word_or_code(ctorch_tensors_push(list, value.handle))
        if pushed < 0:
            release_words([list])
            return pushed
    list

fn tensor_or_panic(outcome: Result<Tensor, TorchError>) -> Tensor:
    """The tensor, or a panic with the error's text."""
    match outcome:
        case Ok(found): found
        case Err(error): panic(error.to_text())

fn word_or_panic(outcome: Result<i64, text>) -> i64:
    """For calls that fail for a handle only that was given back."""
    match outcome:
        case Ok(word): word
        case Err(message): panic(message)

fn word_result(outcome: Result<i64, text>) -> Result<i64, TorchError>:
    match outcome:
        case Ok(word): Ok(word)
        case Err(message): Err(TorchError.last(message))

fn tensor_result(outcome: Result<i64, text>) -> Result<Tensor, TorchError>:
    match outcome:
        case Ok(handle): Ok(Tensor(handle: handle))
        case Err(message): Err(TorchError.last(message))

fn changed_result(changed: Tensor, outcome: Result<i64, text>) -> Result<Tensor, TorchError>:
    """The tensor that the call changed."""
    match outcome:
        case Ok(done): Ok(changed)
        case Err(message): Err(TorchError.last(message))

fn all_changed_result(changed: [Tensor], outcome: Result<i64, text>) -> Result<[Tensor], TorchError>:
    """The tensors that the call changed."""
    match outcome:
        case Ok(done): Ok(changed)
        case Err(message): Err(TorchError.last(message))

fn done_result(outcome: Result<i64, text>) -> Result<bool, TorchError>:
    match outcome:
        case Ok(done): Ok(true)
        case Err(message): Err(TorchError.last(message))

fn flag_result(outcome: Result<i64, text>) -> Result<bool, TorchError>:
    match outcome:
        case Ok(word): Ok(word == 1)
        case Err(message): Err(TorchError.last(message))

fn integer_result(outcome: Result<i64, text>) -> Result<i64, TorchError>:
    match outcome:
        case Ok(word): Ok(integer_of_word(word))
        case Err(message): Err(TorchError.last(message))

fn double_result(outcome: Result<i64, text>) -> Result<f64, TorchError>:
    val word = word_result(outcome)?
    match double_of_word(word):
        case Ok(value): Ok(value)
        case Err(message): Err(TorchError.last(message))

fn scalar_result(outcome: Result<i64, text>) -> Result<Scalar, TorchError>:
    val word = word_result(outcome)?
    match scalar_of_word(word):
        case Ok(value): Ok(value)
        case Err(message): Err(TorchError.last(message))

fn tensors_result(outcome: Result<i64, text>) -> Result<[Tensor], TorchError>:
    """The entries of a list, which is given back."""
    val list = word_result(outcome)?
    var found: [Tensor] = []
    if list == 0:
        return Ok(found)
    val count = word_result(ctorch_tensor_list_len(list))?
    for index in 0..count:
        found.push(tensor_result(ctorch_tensor_list_get(list, index))?)
    release_words([list])
    Ok(found)

fn tuple_result(outcome: Result<i64, text>) -> Result<Tuple, TorchError>:
    match outcome:
        case Ok(handle): Ok(Tuple(handle: handle))
        case Err(message): Err(TorchError.last(message))

fn tuple_of_tensors_result(outcome: Result<i64, text>) -> Result<[Tensor], TorchError>:
    val items = tuple_result(outcome)?
    var found: [Tensor] = []
    for index in 0..items.len():
        found.push(items.tensor(index)?)
    items.drop()
    Ok(found)
'''

# What other modules may import.
TENSOR_EXPORTS = ["Scope", "Tensor", "Tuple", *re.findall(r"^fn (\w+)", TENSOR_FUNCTIONS, re.MULTILINE)]
# What they call of ffi.spl.
TENSOR_CALLS = sorted(names_in(TENSOR_HEAD + TENSOR_CLASS + TENSOR_FUNCTIONS))
