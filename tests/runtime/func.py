"""torch.func over ctorch, under the same names and with the same arguments.

    vmap(grad(f))(x)  # of this module, and of torch.func

A function is called back from C with the tensors that the transform wrapped, computes with Python's operators, and may
use either module's transforms again. Functions of more than one output say so: `@returns(2)`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
from torch.utils._pytree import tree_leaves

from parity.capi import kind_of
from runtime.capi import OK, CtorchError, borrowed, error, ffi, handle, handles, lib, ok, out, owned, tensor

RANDOMNESS = {"error": 0, "same": 1, "different": 2}
CALLBACK = ffi.typeof("ctorch_func_callback")


def returns(count: int) -> Callable:
    """Mark a function that returns a tuple of so many tensors."""

    def mark(function):
        function.outputs = count
        return function

    return mark


def outputs_of(function: Any) -> int:
    return getattr(function, "outputs", 1)


def like(function: Any, results: list[torch.Tensor]) -> Any:
    return tuple(results) if hasattr(function, "outputs") else results[0]


def callback(function: Any) -> Any:
    """The function as a ctorch_func_callback. What it raises becomes an error of the same kind."""

    def call(outputs, outputs_len, inputs, inputs_len, failure, payload):
        try:
            results = tree_leaves(function(*(borrowed(inputs[i]) for i in range(inputs_len))))
            assert len(results) == outputs_len, f"{len(results)} outputs, {outputs_len} are asked for"
            for i, result in enumerate(results):
                outputs[i] = owned(result)
            return OK
        except CtorchError as failed:
            failure[0] = error(failed.kind, failed.message)
        except Exception as raised:
            kind = kind_of(raised)
            failure[0] = error(kind if kind.isupper() else "RUNTIME", str(raised))
        return 0

    return ffi.callback(CALLBACK, call)


class Slots:
    """An array of outputs."""

    def __init__(self, count: int):
        self.array = ffi.new("ctorch_tensor *[]", max(count, 1))
        self.argument = (self.array, count)

    def take(self) -> list[torch.Tensor | None]:
        return [tensor(self.array[i]) for i in range(self.argument[1])]


def dims(value: Any, count: int) -> tuple[Any, int]:
    listed = value if isinstance(value, tuple) else (value,) * count
    unmapped = lib.CTORCH_VMAP_UNMAPPED
    return ffi.new("int64_t[]", [unmapped if d is None else d for d in listed]), len(listed)


def numbers(value: Any) -> tuple[Any, int]:
    listed = value if isinstance(value, tuple) else (value,)
    return ffi.new("int64_t[]", list(listed)), len(listed)


def number(value: int | None) -> Any:
    return ffi.NULL if value is None else ffi.new("int64_t *", value)


def flag(value: bool | None) -> Any:
    return ffi.NULL if value is None else ffi.new("bool *", value)


def vmap(function, in_dims=0, out_dims=0, randomness="error", chunk_size=None):
    def mapped(*args):
        results = Slots(outputs_of(function))
        ok(
            lib.ctorch_func_vmap(
                *results.argument,
                callback(function),
                ffi.NULL,
                *handles(args),
                *dims(in_dims, len(args)),
                *dims(out_dims, outputs_of(function)),
                RANDOMNESS[randomness],
                number(chunk_size),
            )
        )
        return like(function, results.take())

    if hasattr(function, "outputs"):
        mapped.outputs = function.outputs
    return mapped


def by(argnums: Any, results: list) -> Any:
    return tuple(results) if isinstance(argnums, tuple) else results[0]


def _grad(with_value, function, argnums, has_aux):
    count = len(argnums) if isinstance(argnums, tuple) else 1
    aux_len = outputs_of(function) - 1 if has_aux else 0

    def differentiated(*args):
        grads, aux, value = Slots(count), Slots(aux_len), Slots(1)
        common = (*aux.argument, callback(function), ffi.NULL, *handles(args), *numbers(argnums))
        if with_value:
            ok(lib.ctorch_func_grad_and_value(*grads.argument, value.array, *common))
        else:
            ok(lib.ctorch_func_grad(*grads.argument, *common))
        result = (by(argnums, grads.take()),)
        if with_value and has_aux:
            return *result, (*value.take(), tuple(aux.take()))
        result += tuple(value.take()) if with_value else ()
        result += (tuple(aux.take()),) if has_aux else ()
        return result if len(result) > 1 else result[0]

    if isinstance(argnums, tuple) or with_value or has_aux:
        differentiated.outputs = count + with_value + aux_len
    return differentiated


def grad(function, argnums=0, has_aux=False):
    return _grad(False, function, argnums, has_aux)


def grad_and_value(function, argnums=0, has_aux=False):
    return _grad(True, function, argnums, has_aux)


class Owned:
    """A handle that is released with this object."""

    def __init__(self, kind: str, address: Any):
        self.address, self.release = address, getattr(lib, f"ctorch_{kind}_release")

    def __del__(self):
        self.release(self.address)


def vjp(function, *primals, has_aux=False):
    aux_len = outputs_of(function) - 1 if has_aux else 0
    results, aux = Slots(outputs_of(function) - aux_len), Slots(aux_len)
    made = out("ctorch_vjp_function *")
    ok(
        lib.ctorch_func_vjp(
            *results.argument, made, *aux.argument, callback(function), ffi.NULL, *handles(list(primals))
        )
    )
    kept = Owned("vjp_function", made[0])

    def vjp_function(cotangents, retain_graph=None, create_graph=None):
        grads = Slots(len(primals))
        ok(
            lib.ctorch_vjp_function_call(
                *grads.argument, kept.address, *handles(tree_leaves(cotangents)), flag(retain_graph), flag(create_graph)
            )
        )
        return tuple(grads.take())

    vjp_function.outputs = len(primals)
    value = results.take()[0] if has_aux else like(function, results.take())
    return (value, vjp_function, tuple(aux.take())) if has_aux else (value, vjp_function)


def jvp(function, primals, tangents, *, strict=False, has_aux=False):
    aux_len = outputs_of(function) - 1 if has_aux else 0
    count = outputs_of(function) - aux_len
    results, products, aux = Slots(count), Slots(count), Slots(aux_len)
    ok(
        lib.ctorch_func_jvp(
            *results.argument,
            *products.argument,
            *aux.argument,
            callback(function),
            ffi.NULL,
            *handles(list(primals)),
            *handles(list(tangents)),
            strict,
        )
    )
    if has_aux:
        return results.take()[0], products.take()[0], tuple(aux.take())
    return like(function, results.take()), like(function, products.take())


def linearize(function, *primals):
    results = Slots(outputs_of(function))
    made = out("ctorch_jvp_function *")
    ok(lib.ctorch_func_linearize(*results.argument, made, callback(function), ffi.NULL, *handles(list(primals))))
    kept = Owned("jvp_function", made[0])

    def jvp_function(*tangents):
        products = Slots(outputs_of(function))
        ok(lib.ctorch_jvp_function_call(*products.argument, kept.address, *handles(list(tangents))))
        return like(function, products.take())

    if hasattr(function, "outputs"):
        jvp_function.outputs = function.outputs
    return like(function, results.take()), jvp_function


def _jacobian(name, function, argnums, has_aux, *further):
    each = len(argnums) if isinstance(argnums, tuple) else 1
    aux_len = outputs_of(function) - 1 if has_aux else 0
    count = outputs_of(function) - aux_len

    def jacobian(*args):
        blocks, aux = Slots(count * each), Slots(aux_len)
        common = (callback(function), ffi.NULL, *handles(args), *numbers(argnums), *further)
        ok(getattr(lib, name)(*blocks.argument, *aux.argument, *common))
        flat = blocks.take()
        rows = [by(argnums, flat[i : i + each]) for i in range(0, len(flat), each)]
        result = rows[0] if has_aux else like(function, rows)
        return (result, tuple(aux.take())) if has_aux else result

    if hasattr(function, "outputs") or isinstance(argnums, tuple):
        jacobian.outputs = count * each + aux_len
    return jacobian


def jacrev(function, argnums=0, *, has_aux=False, chunk_size=None):
    return _jacobian("ctorch_func_jacrev", function, argnums, has_aux, number(chunk_size))


def jacfwd(function, argnums=0, has_aux=False, *, randomness="error", chunk_size=None):
    further = (RANDOMNESS[randomness], number(chunk_size))
    return _jacobian("ctorch_func_jacfwd", function, argnums, has_aux, *further)


def hessian(function, argnums=0):
    each = len(argnums) if isinstance(argnums, tuple) else 1

    def second(*args):
        blocks = Slots(outputs_of(function) * each * each)
        ok(
            lib.ctorch_func_hessian(
                *blocks.argument, callback(function), ffi.NULL, *handles(args), *numbers(argnums)
            )
        )
        flat = blocks.take()
        rows = [by(argnums, flat[i : i + each]) for i in range(0, len(flat), each)]
        squares = [by(argnums, rows[i : i + each]) for i in range(0, len(rows), each)]
        return like(function, squares)

    if hasattr(function, "outputs") or isinstance(argnums, tuple):
        second.outputs = outputs_of(function) * each * each
    return second


def debug_unwrap(wrapped, *, recurse=True):
    result = out("ctorch_tensor *")
    ok(lib.ctorch_func_debug_unwrap(result, handle(wrapped), recurse))
    return tensor(result[0])


def depth() -> int:
    return lib.ctorch_func_depth()
