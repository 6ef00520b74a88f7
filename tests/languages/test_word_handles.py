"""Handles of libspl_ctorch.so: who owns what, scopes, threads, functions of C."""

import ctypes
import sys
import threading
import time
from pathlib import Path

import pytest
import torch

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "bindings-gen"))
pytest.register_assert_rewrite("tests.languages.word.fixtures")

from tests.languages.word.fixtures import API, FLOAT32, failure, tensor, values_of  # noqa: E402
from tests.languages.word.transport import WordError  # noqa: E402
from tests.operators import operators  # noqa: E402

pytest_plugins = ("tests.languages.word.fixtures",)


# Handles


def test_releasing_twice_is_an_error_and_harms_nothing(words):
    x, other = (tensor(words, [v], 1) for v in (1.0, 2.0))
    words("tensor_release", x)
    for name in ("tensor_release", "release", "tensor_ndim", "retain"):
        assert words.raw(name, x) == -33
    again = tensor(words, [3.0], 1)
    assert again != x
    assert words.f_value("item", other) == 2
    words.release(other, again)


def test_what_a_failed_test_leaves_is_not_the_next_ones(library, request):
    left = library.words("text_new")  # as by a test that failed
    words = request.getfixturevalue("words")
    assert words("live_handles") == 0 and words.raw("kind", left) == -33
    words.release(words("text_new"))


def test_a_slot_that_is_used_again_has_another_handle(words):
    seen = set()
    for _ in range(100):
        text = words("text_new")
        seen.add(text)
        words.release(text)
    assert len(seen) == 100
    assert len({handle & 0xFFFFFF for handle in seen}) < 100  # slots are used again
    assert {words.raw("kind", handle) for handle in seen} == {-33}


def test_what_refers_to_a_tensor_counts_as_a_reference(library, words):
    """By PyTorch's own count, before and after calls that succeed and that fail."""
    x = torch.ones(2)
    before = x._use_count()
    handle = library.handle("TENSOR", x)
    assert x._use_count() == before + 1
    pushed = words.list("tensors", [handle, handle])
    of = words("tensors_of", 1, handle, 0, 0, 0, 0, 0, 0)
    assert x._use_count() == before + 4
    got = words("tensors_get", pushed, 0)
    assert x._use_count() == before + 5
    words.release(words("aten_add_Tensor", handle, handle, 0))
    for wrong in (("aten_mm", handle, handle), ("tensors_push", handle, handle), ("tensors_push", of, pushed)):
        failure(words, *wrong)
    assert x._use_count() == before + 5
    words.release(handle, pushed, of, got)
    assert x._use_count() == before


def test_retain_asks_for_one_release_more(words):
    x = tensor(words, [1.0], 1)
    assert words("tensor_retain", x) == words("retain", x) == x
    words.release(x, x)
    assert words.f_value("item", x) == 1
    words.release(x)
    assert words.raw("release", x) == -33


def test_a_scope_gives_back_what_was_made_in_it(words):
    outer = tensor(words, [1.0], 1)
    scope = words("scope_begin")
    x = words("aten_relu", outer)
    kept = words("aten_neg", outer)
    words("scope_keep", scope, kept)
    inner = words("scope_begin")
    deep, half = words("aten_abs", x), words("aten_exp", x)
    words("scope_keep", inner, half)
    words.release(words("aten_sin", x))
    words("scope_end", inner)
    assert (words.raw("release", deep), words.raw("scope_end", inner)) == (-33, -33)
    assert words("tensor_ndim", half) == 1
    for i in range(300):
        words("release", words("aten_relu", x))
        words("aten_relu", x)
    words("scope_end", scope)
    assert (words.raw("release", x), words.raw("release", half)) == (-33, -33)
    words.release(kept, outer)


def test_discard_releases_what_the_innermost_scope_made(words):
    outer = tensor(words, [1.0], 1)
    assert (words("scope_owns", outer), words("scope_discard", outer)) == (0, 1)  # no scope is open
    scope = words("scope_begin")
    x = words("aten_relu", outer)
    inner = words("scope_begin")
    y = words("aten_relu", outer)
    assert [words("scope_owns", w) for w in (outer, x, y)] == [0, 0, 1]
    for w in (outer, x, y):
        words("scope_discard", w)
    assert (words.raw("release", y), words.raw("scope_owns", y), words.raw("scope_discard", y)) == (-33, -33, -33)
    words("scope_end", inner)
    assert (words("scope_owns", x), words("scope_discard", x)) == (1, 1)
    assert words.raw("release", x) == -33
    words("scope_end", scope)
    words.release(outer)


def test_ending_an_outer_scope_ends_the_inner_ones(words):
    outer, inner = words("scope_begin"), words("scope_begin")
    text = words("text_new")
    words("release", outer)
    assert [words.raw("release", w) for w in (text, inner, outer)] == [-33] * 3


def test_an_error_leaves_the_scope(words):
    scope = words("scope_begin")
    assert words.raw("aten_relu", 0) == -33
    error = words("last_error_take")
    text = words.text("mine")
    made = words("error_new", 2, text)
    words("scope_end", scope)
    assert (words("error_kind_of", error), words("error_kind_of", made)) == (33, 2)
    words("error_release", error)
    words.release(made)


def test_a_scope_belongs_to_its_thread(words):
    scope = words("scope_begin")
    text = words("text_new")
    answers = []

    def other():
        answers.append(words.raw("scope_end", scope))
        answers.append(words.raw("scope_keep", scope, text))
        answers.append(words("text_new"))  # in no scope
        words("scope_begin")
        words("ints_new")

    thread = threading.Thread(target=other)
    thread.start()
    thread.join()
    assert answers[:2] == [-31, -31]
    deadline = time.monotonic() + 10  # Python says that a thread has ended a little before it has
    while words("live_handles") != 3 and time.monotonic() < deadline:
        time.sleep(0.01)
    assert words("live_handles") == 3  # the other thread's scope has ended with it
    words("scope_end", scope)
    assert words("live_handles") == 1
    words.release(answers[2])


def test_a_list_that_a_call_uses_is_not_changed(words):
    """Threads that append to a list while others read it: every answer is right, or says that the list is in use."""
    numbers = words("ints_new")
    answers: set[int] = set()

    def append():
        for i in range(3000):
            answers.add(words.raw("ints_push", numbers, i))

    def read():
        for _ in range(3000):
            length = words.raw("ints_len", numbers)
            assert length >= 0
            made = words.raw("aten_empty_memory_format", numbers, 0, 0, 0, 0, 0) if length < 2 else -1
            if made > 0:
                words.release(made)

    threads = [threading.Thread(target=target) for target in (append, read, append, read)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert answers <= {1, -1}
    words.release(numbers)


def test_each_thread_has_its_own_error(words):
    wrong: list[str] = []

    def fail(call: tuple, name: str, part: str):
        for _ in range(500):
            try:
                words(*call)
                wrong.append("no error")
            except WordError as error:
                if error.name != name or part not in error.message:
                    wrong.append(f"{name}: {error.name}: {error.message}")
        words("last_error_clear")

    ones = tensor(words, [1, 2], 2)
    calls = [
        (("aten_relu", 5), "INVALID_HANDLE", "5"),
        (("aten_select_int", ones, 0, 77), "INDEX", "77"),
        (("number_bool", 9), "INVALID_ARGUMENT", "9"),
        (("aten_view", ones, 12345), "INVALID_HANDLE", "12345"),
    ]
    threads = [threading.Thread(target=fail, args=call) for call in calls]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []
    words.release(ones)


def test_threads_share_tensors(words):
    """A call keeps alive what it uses, whoever releases it meanwhile."""
    shared = [tensor(words, [1.0] * 64, 64)]
    answers: set[int] = set()
    done = threading.Event()

    def use():
        while not done.is_set():
            answer = words.raw("aten_add_Tensor", shared[0], shared[0], 0)
            answers.add(min(answer, 1))
            if answer > 0:
                words.release(answer)
        words("last_error_clear")

    threads = [threading.Thread(target=use) for _ in range(3)]
    for thread in threads:
        thread.start()
    for _ in range(400):
        old, shared[0] = shared[0], tensor(words, [1.0] * 64, 64)
        words.release(old)
    done.set()
    for thread in threads:
        thread.join()
    words.release(shared[0])
    assert 1 in answers and answers <= {1, -33}


# Functions of C, memory of others


TENSORS_CALLBACK = ctypes.CFUNCTYPE(
    ctypes.c_int32,
    ctypes.POINTER(ctypes.c_void_p),
    ctypes.POINTER(ctypes.c_void_p),
    ctypes.c_size_t,
    ctypes.POINTER(ctypes.c_void_p),
    ctypes.c_void_p,
)


def test_a_callback_is_the_address_of_a_c_function(library, scoped):
    words = scoped

    @TENSORS_CALLBACK
    def doubled(out, inputs, inputs_len, error, payload):
        x = inputs[0]
        results = (ctypes.c_void_p * 1)(None)
        assert not library.function(add)(ctypes.addressof(results), x, x, None)
        failed = library.ctorch_tensor_list_new(ctypes.addressof(out.contents), ctypes.addressof(results), 1)
        library.ctorch_tensor_release(results[0])
        return 0 if failed else 1

    @TENSORS_CALLBACK
    def refuses(out, inputs, inputs_len, error, payload):
        return 0

    add = next(o.function for o in operators.load(str(API)) if o.name == "add.Tensor")
    inputs = words("tensors_of", 1, tensor(words, [1, 2, 3], 3), 0, 0, 0, 0, 0, 0)
    slots = [s.name for s in library.functions["rt_ctorch_func_jacrev"].slots]

    def jacobian(function) -> int:
        address = words("address_new", ctypes.cast(function, ctypes.c_void_p).value)
        given = {"function": address, "inputs": inputs}
        return words.raw("func_jacrev", *[given.get(name, 0) for name in slots])

    answer = jacobian(doubled)
    assert answer > 0, words.last_error(answer)
    matrix = words("tensor_list_get", words("tuple_take", answer, 0), 0)
    assert values_of(words, matrix) == [2, 0, 0, 0, 2, 0, 0, 0, 2]
    assert jacobian(refuses) == -36
    assert failure(words, "func_jacrev", *[0] * len(slots)).name == "INVALID_HANDLE"


def test_an_operator_is_a_callback_without_any_c(library, scoped):
    """The Jacobian of a * b, by words alone; and the error of the operator inside is that of the call outside."""
    words = scoped
    op = words("op_find", words.text("aten::mul"), words.text("Tensor"))
    callback, payload = words("operator_callback"), words("address_new", words("address_of", op))
    a, b = tensor(words, [1, 2], 2), tensor(words, [3, 4], 2)
    slots = [s.name for s in library.functions["rt_ctorch_func_jacrev"].slots]

    def jacobian(*inputs: int) -> int:
        several = words.list("tensors", inputs)
        given = {"function": callback, "payload": payload, "inputs": several, "argnums": words.ints([0, 1])}
        return words("tuple_take", words("func_jacrev", *[given.get(name, 0) for name in slots]), 0)

    both = jacobian(a, b)
    matrices = [values_of(words, words("tensor_list_get", both, i)) for i in range(2)]
    assert matrices == [[3, 0, 0, 4], [1, 0, 0, 2]]
    with pytest.raises(WordError) as caught:
        jacobian(a, tensor(words, [1, 2, 3], 3))
    assert caught.value.name == "SHAPE_MISMATCH"


def test_dlpack_hands_a_tensor_over_once(words):
    x = tensor(words, [1, 2, 3], 3)
    managed = words("tensor_to_dlpack", x, 0, 0, 0, 0)
    both = words("tensor_from_dlpack", managed)
    assert words.raw("tensor_from_dlpack", managed) == words.raw("dlpack_release", managed) == -33
    same = words("tuple_take", both, 0)
    addresses = [words("tensor_data", t) for t in (x, same)]
    assert addresses[0] == addresses[1] > 0
    words.release(both, same)
    raw = words("address_take", words("tensor_to_dlpack", x, 0, 0, 0, 0))  # to another library
    back = words("tensor_from_dlpack", words("address_new", raw))  # and from one
    words.release(back)
    words("dlpack_release", words("address_new", words("address_take", words("tensor_to_dlpack", x, 0, 0, 0, 0))))
    words.release(x)


def test_an_address_is_not_taken_from_under_a_second_owner(words):
    x = tensor(words, [1.0], 1)
    words("retain", x)
    assert failure(words, "address_take", x).name == "RUNTIME"
    words.release(x)
    assert words("address_of", x) > 0
    words.release(x)
    text = words("text_new")
    assert words.raw("address_of", text) == words.raw("address_adopt", 4096, 2) * 0 - 33
    words.release(text)


def test_strides_have_as_many_entries_as_sizes(scoped):
    words = scoped
    storage = words("storage_from_tensor", tensor(words, range(6), 6))
    made = words("tensor_from_storage", storage, 0, words.ints([2, 3]), words.ints([1, 2]), FLOAT32)
    assert values_of(words, made) == [0, 2, 4, 1, 3, 5]
    for strides in ([1], [1, 2, 3], []):
        call = ("tensor_from_storage", storage, 0, words.ints([2, 3]), words.ints(strides), FLOAT32)
        assert failure(words, *call).name == "INVALID_ARGUMENT"
