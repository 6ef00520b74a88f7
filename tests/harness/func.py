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

from tests.harness.capi import OK, CtorchError, borrowed, error, ffi, handle, handles, lib, ok, out, tensor
from tests.harness.exceptions import kind_of

RANDOMNESS = {"error": 0, "same": 1, "different": 2}
CALLBACK = ffi.typeof("ctorch_tensors_callback")


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
    """The function as a ctorch_tensors_callback. What it raises becomes an error of the same kind."""

    def call(outputs, inputs, inputs_len, failure, payload):
        try:
            results = tree_leaves(function(*(borrowed(inputs[i]) for i in range(inputs_len))))
            ok(lib.ctorch_tensor_list_new(outputs, *handles(results)))
            return OK
        except CtorchError as failed:
            failure[0] = error(failed.kind, failed.message)
        except Exception as raised:
            kind = kind_of(raised)
            failure[0] = error(kind if kind.isupper() else "RUNTIME", str(raised))
        return 0

    return ffi.callback(CALLBACK, call)


class List:
    """A list that a transform hands out."""

    def __init__(self):
        self.argument = out("ctorch_tensor_list *")

    def take(self) -> list[torch.Tensor]:
        data = lib.ctorch_tensor_list_data(self.argument[0])
        result = [borrowed(data[i]) for i in range(lib.ctorch_tensor_list_len(self.argument[0]))]
        lib.ctorch_tensor_list_release(self.argument[0])
        return result


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
        results = List()
        ok(
            lib.ctorch_func_vmap(
                results.argument,
                callback(function),
                ffi.NULL,
                *handles(list(args)),
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
    aux_count = outputs_of(function) - 1 if has_aux else 0

    def differentiated(*args):
        grads, aux, value = List(), List(), out("ctorch_tensor *")
        common = (aux.argument, callback(function), ffi.NULL, *handles(list(args)), *numbers(argnums), aux_count)
        if with_value:
            ok(lib.ctorch_func_grad_and_value(grads.argument, value, *common))
        else:
            ok(lib.ctorch_func_grad(grads.argument, *common))
        result, rest = by(argnums, grads.take()), tuple(aux.take())
        if with_value:
            return result, ((tensor(value[0]), rest) if has_aux else tensor(value[0]))
        return (result, rest) if has_aux else result

    if isinstance(argnums, tuple) or with_value or has_aux:
        differentiated.outputs = (len(argnums) if isinstance(argnums, tuple) else 1) + with_value + aux_count
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
    aux_count = outputs_of(function) - 1 if has_aux else 0
    results, aux, made = List(), List(), out("ctorch_vjp_function *")
    point = handles(list(primals))
    ok(lib.ctorch_func_vjp(results.argument, made, aux.argument, callback(function), ffi.NULL, *point, aux_count))
    kept = Owned("vjp_function", made[0])

    def vjp_function(cotangents, retain_graph=None, create_graph=None):
        grads = List()
        vectors = handles(tree_leaves(cotangents))
        ok(lib.ctorch_vjp_function_call(grads.argument, kept.address, *vectors, flag(retain_graph), flag(create_graph)))
        return tuple(grads.take())

    vjp_function.outputs = len(primals)
    rest = tuple(aux.take())
    value = results.take()[0] if has_aux else like(function, results.take())
    return (value, vjp_function, rest) if has_aux else (value, vjp_function)


def jvp(function, primals, tangents, *, strict=False, has_aux=False):
    aux_count = outputs_of(function) - 1 if has_aux else 0
    results, products, aux = List(), List(), List()
    ok(
        lib.ctorch_func_jvp(
            results.argument,
            products.argument,
            aux.argument,
            callback(function),
            ffi.NULL,
            *handles(list(primals)),
            *handles(list(tangents)),
            strict,
            aux_count,
        )
    )
    rest = tuple(aux.take())
    if has_aux:
        return results.take()[0], products.take()[0], rest
    return like(function, results.take()), like(function, products.take())


def linearize(function, *primals):
    results, made = List(), out("ctorch_jvp_function *")
    ok(lib.ctorch_func_linearize(results.argument, made, callback(function), ffi.NULL, *handles(list(primals))))
    kept = Owned("jvp_function", made[0])

    def jvp_function(*tangents):
        products = List()
        ok(lib.ctorch_jvp_function_call(products.argument, kept.address, *handles(list(tangents))))
        return like(function, products.take())

    if hasattr(function, "outputs"):
        jvp_function.outputs = function.outputs
    return like(function, results.take()), jvp_function


def _jacobian(name, function, argnums, has_aux, *further):
    each = len(argnums) if isinstance(argnums, tuple) else 1
    aux_count = outputs_of(function) - 1 if has_aux else 0

    def jacobian(*args):
        blocks, aux = List(), List()
        common = (callback(function), ffi.NULL, *handles(list(args)), *numbers(argnums), aux_count, *further)
        ok(getattr(lib, name)(blocks.argument, aux.argument, *common))
        flat, rest = blocks.take(), tuple(aux.take())
        rows = [by(argnums, flat[i : i + each]) for i in range(0, len(flat), each)]
        result = rows[0] if has_aux else like(function, rows)
        return (result, rest) if has_aux else result

    if hasattr(function, "outputs") or isinstance(argnums, tuple):
        jacobian.outputs = (outputs_of(function) - aux_count) * each + aux_count
    return jacobian


def jacrev(function, argnums=0, *, has_aux=False, chunk_size=None):
    return _jacobian("ctorch_func_jacrev", function, argnums, has_aux, number(chunk_size))


def jacfwd(function, argnums=0, has_aux=False, *, randomness="error", chunk_size=None):
    further = (RANDOMNESS[randomness], number(chunk_size))
    return _jacobian("ctorch_func_jacfwd", function, argnums, has_aux, *further)


def hessian(function, argnums=0):
    each = len(argnums) if isinstance(argnums, tuple) else 1

    def second(*args):
        blocks = List()
        point = handles(list(args))
        ok(lib.ctorch_func_hessian(blocks.argument, callback(function), ffi.NULL, *point, *numbers(argnums)))
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
