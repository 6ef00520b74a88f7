"""Generators, their states and forks beside torch.Generator and torch.random."""

import pytest
import torch

from tests.harness.capi import fails, ffi, handle, lib, ok, out, tensor


def default_generator():
    result = out("ctorch_generator *")
    ok(lib.ctorch_generator_default(result, ffi.NULL))
    return ffi.gc(result[0], lib.ctorch_generator_release)


def generator(seed):
    result = out("ctorch_generator *")
    ok(lib.ctorch_generator_new(result, ffi.NULL))
    ok(lib.ctorch_generator_manual_seed(result[0], seed))
    return ffi.gc(result[0], lib.ctorch_generator_release)


def state_of(which):
    result = out("ctorch_tensor *")
    ok(lib.ctorch_generator_get_state(result, which))
    return tensor(result[0])


def drawn(which, name="randn", size=5):
    result = out("ctorch_tensor *")
    sizes = ffi.new("int64_t[]", [size])
    null = ffi.NULL
    ok(getattr(lib, f"ctorch_aten_{name}_generator")(result, sizes, 1, which, null, null, null, null))
    return tensor(result[0])


@pytest.mark.parametrize("seed", [0, 1, 42, 2**63, 2**64 - 1])
@pytest.mark.parametrize("before", [0, 1, 3, 623, 624, 625, 2000])
def test_states_are_pythons(seed, before):
    ours, theirs = generator(seed), torch.Generator().manual_seed(seed)
    assert torch.equal(state_of(ours), theirs.get_state())
    for name in ("rand", "randn"):
        if before:
            assert torch.equal(drawn(ours, name, before), getattr(torch, name)(before, generator=theirs))
        assert torch.equal(state_of(ours), theirs.get_state())
    # From one to the other and back.
    expected = torch.randn(7, generator=theirs)
    assert torch.equal(drawn(ours, size=7), expected)
    theirs.set_state(state_of(ours))
    of_3 = torch.Generator().manual_seed(3).get_state()
    ok(lib.ctorch_generator_set_state(ours, handle(of_3)))
    assert torch.equal(drawn(ours), torch.randn(5, generator=torch.Generator().manual_seed(3)))
    now = theirs.get_state()
    ok(lib.ctorch_generator_set_state(ours, handle(now)))
    assert torch.equal(drawn(ours), torch.randn(5, generator=theirs))


def test_the_default_generator_is_pythons():
    torch.manual_seed(11)
    torch.rand(3)
    assert torch.equal(state_of(default_generator()), torch.get_rng_state())
    seed = out("uint64_t")
    ok(lib.ctorch_random_initial_seed(seed, ffi.NULL))
    assert seed[0] == torch.initial_seed() == 11
    ok(lib.ctorch_random_seed(seed))
    assert seed[0] == torch.initial_seed()
    ok(lib.ctorch_generator_seed(seed, default_generator()))
    assert seed[0] == torch.initial_seed()
    assert torch.seed() == torch.initial_seed()
    ok(lib.ctorch_random_initial_seed(seed, ffi.NULL))
    assert seed[0] == torch.initial_seed()


def test_forks_leave_what_fork_rng_leaves():
    def c_fork():
        ok(lib.ctorch_random_fork(ffi.NULL, 0))
        return lambda: ok(lib.ctorch_random_join())

    def python_fork():
        region = torch.random.fork_rng()
        region.__enter__()
        return lambda: region.__exit__(None, None, None)

    def numbers(fork):
        torch.manual_seed(5)
        seen = [torch.rand(2)]
        join_outer = fork()
        seen.append(torch.randn(3))
        join_inner = fork()
        torch.manual_seed(77)
        seen.append(torch.rand(1))
        join_inner()
        seen.append(torch.randn(1))  # a normal number may be kept for the next draw
        join_outer()
        return torch.cat(seen + [torch.randn(4)])

    assert torch.equal(numbers(c_fork), numbers(python_fork))


@pytest.mark.parametrize(
    "state",
    [
        torch.zeros(5056),
        torch.zeros(5056, dtype=torch.uint8),
        torch.zeros(5055, dtype=torch.uint8),
        torch.zeros(0, dtype=torch.uint8),
        torch.zeros(2 * 5056, dtype=torch.uint8)[::2],
        torch.zeros(5056, dtype=torch.uint8, device="meta"),
    ],
    ids=["float32", "zeros", "short", "empty", "steps", "meta"],
)
def test_what_is_no_state_fails_as_in_python(state):
    with pytest.raises((RuntimeError, TypeError)) as expected:
        torch.Generator().set_state(state)
    kind, message = fails(lib.ctorch_generator_set_state(generator(1), handle(state)))
    assert message == str(expected.value).split("\n")[0] or message == str(expected.value)
    assert kind == ("TYPE" if expected.type is TypeError else "RUNTIME")


def test_clones_and_what_the_cpu_lacks():
    theirs = torch.Generator().manual_seed(5)
    ours, clone = generator(5), out("ctorch_generator *")
    ok(lib.ctorch_generator_clone(clone, ours))
    assert torch.equal(drawn(clone[0]), torch.randn(5, generator=theirs.clone_state()))
    lib.ctorch_generator_release(clone[0])
    assert torch.equal(state_of(ours), theirs.get_state())
    offset, shared = out("uint64_t"), out("ctorch_generator *")
    for call, python in (
        (lib.ctorch_generator_get_offset(offset, ours), theirs.get_offset),
        (lib.ctorch_generator_set_offset(ours, 8), lambda: theirs.set_offset(8)),
        (lib.ctorch_generator_get_graphsafe_state(shared, ours), theirs.graphsafe_get_state),
        (lib.ctorch_generator_set_graphsafe_state(ours, ours), lambda: theirs.graphsafe_set_state(theirs)),
    ):
        with pytest.raises(RuntimeError) as expected:
            python()
        assert fails(call)[1] == str(expected.value)
