"""What a replay could get wrong without a word: each is right, or is refused by name."""

from __future__ import annotations

import copy
import threading

import pytest
import torch
import torch.nn.functional as F

from tests.tape.capi import CtorchError, Tape, assert_same, capture, refusal, same

x = torch.tensor([1.0, 2.0, 3.0])
y = torch.tensor([-5.0, 0.5, 7.0])


@pytest.fixture(autouse=True)
def nothing_is_noted_afterwards():
    torch.manual_seed(0)
    yield
    with torch.no_grad():
        tape, (doubled,) = capture(lambda a: a * 2, x)
        tape.replay(y)
        assert same(doubled, y * 2)


def fails(call, *args: torch.Tensor) -> tuple[str, str]:
    with pytest.raises(CtorchError) as caught:
        call(*args)
    return caught.value.kind, caught.value.message


def model() -> torch.nn.Sequential:
    return torch.nn.Sequential(torch.nn.Linear(3, 4), torch.nn.Tanh(), torch.nn.Linear(4, 1))


def train(model, optimizer, a):
    loss = model(a).square().mean()
    loss.backward()
    optimizer.step()
    optimizer.zero_grad()
    return loss


# Autograd -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("set_to_none", [True, False])
def test_saved_variables_are_those_of_the_replay(set_to_none):
    ours, theirs = model(), model()
    theirs.load_state_dict(ours.state_dict())

    def step(m, a):
        m.zero_grad(set_to_none)
        loss = (m(a).exp() * m(a.cos())).sum()
        loss.backward()
        with torch.no_grad():
            for p in m.parameters():
                p.sub_(p.grad, alpha=0.01)
        return loss

    batches = [torch.randn(5, 3) for _ in range(12)]
    step(ours, batches[0]), step(theirs, batches[0])
    tape, (loss,) = capture(lambda a: step(ours, a), batches[1], verify=True)
    assert same(loss, step(theirs, batches[1]))
    for batch in batches[2:]:
        tape.replay(batch)
        assert same(loss, step(theirs, batch))
    assert_same(ours.parameters(), theirs.parameters())
    assert_same([p.grad for p in ours.parameters()], [p.grad for p in theirs.parameters()])


def test_gradients_are_taken_over_and_not_copied_while_a_step_is_captured():
    weight = torch.nn.Parameter(torch.ones(3))
    tape = Tape(x)
    (weight * x).sum().backward()
    tape.end()
    assert [op for op, _ in tape.steps() if "clone" in op or "copy" in op or "new_empty" in op] == []
    tape.replay(y)
    assert same(weight.grad, y)


def test_a_gradient_that_is_there_already_grows():
    weight = torch.nn.Parameter(torch.ones(3))
    weight.grad = torch.zeros(3)
    tape, _ = capture(lambda a: (weight * a).sum().backward(), x)
    for _ in range(3):
        tape.replay(y)
    assert same(weight.grad, x + y + y + y)


def test_a_replay_records_nothing_for_autograd():
    weight = torch.nn.Parameter(torch.ones(3))
    tape, (product,) = capture(lambda a: weight * a, x)
    tape.replay(y)
    assert not product.requires_grad and product.grad_fn is None and same(product, y)


def test_what_was_saved_before_a_replay_is_not_used_for_gradients_after_it():
    weight = torch.nn.Parameter(torch.ones(3))
    tape, _ = capture(lambda a: weight.detach().add_(a), x)
    outside = (weight * weight).sum()
    tape.replay(y)
    with pytest.raises(RuntimeError, match="modified by an inplace operation"):
        outside.backward()


def test_the_version_of_an_input_that_is_written_grows():
    tape, _ = capture(lambda a: a.add_(1), x.clone())
    given = y.clone()
    before = given._version
    tape.replay(given)
    assert given._version > before and same(given, y + 1)


def test_a_tensor_that_requires_gradients_since_is_refused():
    weight = torch.ones(3)
    tape, _ = capture(lambda a: a * weight, x)
    weight.requires_grad_()
    assert fails(tape.replay, y)[0] == "VALUE"
    weight.requires_grad_(False)
    tape.replay(y)


def double_gradient(parameter):
    parameter.grad.mul_(2)


@pytest.mark.parametrize("name", ["tensor", "accumulated"])
def test_what_a_hook_of_python_does_is_noted_as_it_was(name):
    weight = torch.nn.Parameter(torch.ones(3))
    if name == "tensor":
        weight.register_hook(lambda grad: grad * 2)
    else:
        weight.register_post_accumulate_grad_hook(double_gradient)
    tape, _ = capture(lambda a: (weight * a).sum().backward(), x)
    weight.grad.zero_()
    tape.replay(y)
    assert same(weight.grad, y * 2)


def test_gradients_of_gradients():
    def step(a):
        a = a.detach().requires_grad_()
        (first,) = torch.autograd.grad((a**3).sum(), a, create_graph=True)
        (second,) = torch.autograd.grad(first.sum(), a)
        return second

    tape, (second,) = capture(step, x, verify=True)
    tape.replay(y)
    assert same(second, step(y))


# Branches and shapes --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("operator", "problem", "step"),
    [
        ("_local_scalar_dense", "reads values", lambda a: a.sum().item()),
        ("_local_scalar_dense", "reads values", lambda a: bool(a[0] > 0)),
        ("equal", "reads values", lambda a: torch.equal(a, a)),
        ("nonzero", "shapes depend on values", lambda a: a.nonzero()),
        ("nonzero", "shapes depend on values", lambda a: torch.where(a > 0)),
        ("index.Tensor", "shapes depend on values", lambda a: a[a > 0]),
        ("masked_select", "shapes depend on values", lambda a: a.masked_select(a > 0)),
        ("_unique2", "shapes depend on values", lambda a: a.unique()),
        ("resize_", "changes a tensor itself", lambda a: torch.empty(0).resize_(4)),
        ("set_.source_Tensor", "changes a tensor itself", lambda a: torch.empty(3).set_(a)),
        ("t_", "changes a tensor itself", lambda a: a.view(1, 3).t_()),
        ("squeeze_", "changes a tensor itself", lambda a: a.squeeze_()),
    ],
)
def test_what_depends_on_values_or_changes_tensors_is_refused_by_name(operator, problem, step):
    kind, message = refusal(step, x.clone())
    assert kind == "UNSUPPORTED"
    assert f"aten::{operator} (call " in message and message.endswith(f"{problem} (see docs/tapes.md)")


def test_an_assignment_by_a_mask_is_refused_or_right():
    def step(a):
        a = a.clone()
        a[a > 2] = 0
        return a

    kind, message = refusal(step, x)
    if kind == "OK":
        tape, (result,) = capture(step, x)
        tape.replay(y)
        assert same(result, step(y))
    else:
        assert kind == "UNSUPPORTED" and "index_put" in message


def test_indices_that_are_numbers_are_replayed():
    def step(a, i):
        a = a.clone()
        a[i] = a[i.flip(0)] * 2
        return a

    tape, (result,) = capture(step, x, torch.tensor([0, 2]), verify=True)
    tape.replay(y, torch.tensor([1, 0]))
    assert same(result, step(y, torch.tensor([1, 0])))


def test_the_capture_goes_on_after_what_is_refused():
    tape = Tape(x)
    assert x.sum().item() == 6
    assert same(x + 1, torch.tensor([2.0, 3.0, 4.0]))
    assert fails(tape.end)[0] == "UNSUPPORTED"
    assert fails(tape.end) == ("RUNTIME", "this thread does not note a step for this tape")
    assert fails(tape.replay, x)[0] == "RUNTIME"
    assert fails(tape.text)[0] == "RUNTIME"
    assert fails(tape.outputs)[0] == "RUNTIME"
    assert tape.bytes() == 0


@pytest.mark.parametrize(
    "argument",
    [
        torch.eye(3).to_sparse(),
        torch.eye(3).to_sparse_csr(),
        torch.eye(3).to_mkldnn(),
        torch.quantize_per_tensor(torch.eye(3), 0.1, 0, torch.quint8),
        torch.nested.nested_tensor([torch.ones(2), torch.ones(3)]),
        torch.eye(3, device="meta"),
    ],
    ids=["sparse", "csr", "mkldnn", "quantized", "nested", "meta"],
)
def test_tensors_of_other_kinds_are_refused(argument):
    with pytest.raises(CtorchError, match="INVALID_ARGUMENT: inputs.0."):
        Tape(argument)
    kind, message = refusal(lambda a: argument.clone(), x)
    assert kind == "UNSUPPORTED" and "plain tensor of the CPU" in message
    tape = Tape(x)
    assert fails(tape.end, argument)[0] == "INVALID_ARGUMENT"
    tape, _ = capture(lambda a: a + 1, torch.ones(3, 3))
    assert fails(tape.replay, argument)[0] in (
        "INVALID_ARGUMENT",
        "SHAPE_MISMATCH",
        "DTYPE_MISMATCH",
        "DEVICE_MISMATCH",
    )


# Memory ---------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        (lambda w: setattr(w, "data", torch.ones(3)), "other memory"),
        (lambda w: setattr(w, "data", torch.ones(1)), "other sizes"),
        (lambda w: setattr(w, "data", torch.ones(3, dtype=torch.float64)), "another dtype"),
        (lambda w: w.resize_(2), "other sizes"),
        (lambda w: w.set_(torch.ones(3)), "other memory"),
        (lambda w: w.untyped_storage().resize_(4096), "other memory"),
    ],
)
def test_a_weight_that_was_replaced_is_refused(change, problem):
    weight = torch.ones(3)
    keeps = weight.untyped_storage()
    tape, (result,) = capture(lambda a: a * weight, x)
    tape.replay(y)
    change(weight)
    kind, message = fails(tape.replay, x)
    assert kind == "VALUE" and problem in message and "aten::mul" in message
    assert same(result, y)  # nothing has been done
    del keeps


def test_a_weight_that_is_replaced_in_the_step_is_refused():
    weight = torch.ones(3)

    def step(a):
        a.mul(weight)
        weight.data = a + 1
        return a * weight

    kind, message = refusal(step, x)
    assert kind == "UNSUPPORTED" and "replaced" in message


@pytest.mark.parametrize("change", [lambda a: a.set_(torch.ones(5)), lambda a: setattr(a, "data", torch.ones(5))])
def test_an_input_that_is_replaced_in_the_step_is_refused(change):
    kind, message = refusal(lambda a: change(a), x.clone())
    assert kind == "UNSUPPORTED" and ("inputs[0]" in message or "changes a tensor itself" in message)


def test_an_input_that_is_resized_by_an_operator_is_refused():
    kind, message = refusal(lambda a: torch.add(x, 1, out=a), torch.empty(0))
    assert kind == "UNSUPPORTED" and "inputs[0]" in message


def test_weights_are_used_where_they_are():
    weight = torch.ones(3)
    tape, (result,) = capture(lambda a: a * weight, x)
    weight.fill_(3)
    tape.replay(y)
    assert same(result, y * 3)


def test_a_cache_is_written_where_it_is():
    cache, at = torch.zeros(4, 3), torch.tensor([0])

    def step(a):
        cache.index_copy_(0, at, a.view(1, 3))
        at.add_(1)
        return cache.sum(0)

    tape, (total,) = capture(step, x)
    for row in (y, x + y, x - y):
        tape.replay(row)
    assert_same([cache, at, total], [torch.stack([x, y, x + y, x - y]), torch.tensor([4]), (3 * x + y) + 0 * y])


def test_a_split_that_does_not_say_that_it_aliases():
    def step(a):
        parts = a.view(1, 6).unsafe_split_with_sizes([2, 4], 1)
        parts[0].add_(10)
        return a * 2, parts[1]

    six = torch.arange(6.0)
    tape, found = capture(step, six.clone(), verify=True)
    tape.replay(given := six - 7)
    assert_same([*found, given], [*step(expected := six - 7), expected])


def test_views_of_inputs_and_of_weights_as_outputs():
    weight = torch.ones(3)
    tape, (view, part, whole) = capture(lambda a: (a.view(3, 1), weight[1:], a), x.clone())
    given = y.clone()
    tape.replay(given)
    weight.fill_(4)
    assert_same([view, part, whole], [y.view(3, 1), torch.full((2,), 4.0), y])
    assert part.untyped_storage().data_ptr() == weight.untyped_storage().data_ptr()
    assert view.data_ptr() == whole.data_ptr() != given.data_ptr()


def test_outputs_that_are_views_of_one_another():
    tape, (whole, part) = capture(lambda a: (b := a + 1, b[1:]), x)
    tape.replay(y)
    assert_same([whole, part], [y + 1, (y + 1)[1:]])
    assert part.data_ptr() == whole.data_ptr() + 4


def test_inputs_that_overlap_are_refused_and_disjoint_parts_are_not():
    memory = torch.arange(6.0)
    with pytest.raises(CtorchError, match=r"INVALID_ARGUMENT: inputs\[1\]: it overlaps inputs\[0\]"):
        Tape(memory[:4], memory[2:])
    with pytest.raises(CtorchError, match="its elements may share memory"):
        Tape(torch.ones(1).expand(4))
    tape, (total,) = capture(lambda a, b: a + b, memory[:3], memory[3:])
    tape.replay(x, y)
    assert same(total, x + y)


def test_a_tensor_that_overlaps_an_input_in_part_is_refused():
    memory = torch.arange(6.0)
    kind, message = refusal(lambda a: memory + 1, memory[:4])
    assert kind == "UNSUPPORTED" and "overlaps an input in part" in message


def test_a_tensor_of_the_program_that_is_part_of_an_input_is_that_of_the_replay():
    memory = torch.arange(6.0)
    part = memory[2:4]
    tape, (result,) = capture(lambda a: part * 2, memory)
    tape.replay(torch.arange(6.0) * 10)
    assert same(result, torch.tensor([40.0, 60.0]))


def test_inputs_of_other_strides_are_copied():
    square = torch.arange(9.0).view(3, 3)
    for first, second in ((square, square.t()), (square.t(), square), (square, torch.arange(18.0).view(3, 6)[:, ::2])):
        tape, (result, sums) = capture(lambda a: (a * 2, a.sum(0)), first)
        tape.replay(second)
        assert_same([result, sums], [second * 2, second.sum(0)])


def test_inputs_that_are_written_through_other_strides():
    tape, _ = capture(lambda a: a.mul_(2), torch.arange(9.0).view(3, 3).t(), verify=True)
    memory = torch.arange(18.0)
    tape.replay(memory.view(3, 6)[:, ::2])
    expected = torch.arange(18.0)
    expected.view(3, 6)[:, ::2].mul_(2)
    assert same(memory, expected)


def test_lazily_negated_and_conjugated_inputs():
    z = torch.tensor([1 + 2j, 3 - 1j])
    for first, second in ((z, z.conj()), (z.conj(), z * 2), (z.conj(), (z * 2).conj()), (z, (z + 1j).conj())):
        tape, (result, imag) = capture(lambda a: (a * 2j, a.imag + 1), first)
        tape.replay(second)
        assert_same([result, imag], [second * 2j, second.imag + 1])


def test_numbers_and_empty_tensors():
    def step(a, b, c):
        return a + 1, b * 2, b.sum(), torch.cat([b, c]), c.mean()

    nothing = torch.empty(0, 3)
    tape, found = capture(step, torch.tensor(2.0), nothing, torch.ones(2, 3), verify=True)
    fresh = (torch.tensor(-7.5), torch.empty(0, 3), torch.full((2, 3), 3.0))
    tape.replay(*fresh)
    assert_same(found, step(*fresh))


def test_a_step_without_inputs_and_one_without_operators():
    count = torch.zeros(1)
    tape, (number,) = capture(lambda: count.add_(1))
    tape.replay()
    assert same(number, torch.tensor([2.0])) and same(count, number)
    tape, (same_as_given,) = capture(lambda a: a, x)
    assert tape.steps() == []
    tape.replay(y)
    assert same(same_as_given, y)


def test_what_the_program_wrote_into_a_tensor_stays():
    def step(a):
        number, table = torch.tensor(2.5), torch.tensor([1.0, 2.0, 3.0])
        total = torch.tensor(0.5)
        total += a.sum()
        return a * number + table, total

    tape, found = capture(step, x, verify=True)
    for given in (y, x * y, y - x):
        garbage = [torch.full((n,), 77.0) for n in range(1, 40)]
        tape.replay(given)
        assert_same(found, step(given))
        del garbage


def test_memory_without_content_is_refused():
    kind, message = refusal(lambda a: torch.empty(3) + a, x)
    assert (
        kind == "UNSUPPORTED" and "aten::add.Tensor (call 2) is given memory that no operator has written to" in message
    )
    tape = Tape(x)
    assert "outputs[0] is memory" in fails(tape.end, torch.empty(3))[1]


def test_a_kernel_that_writes_unseen_is_refused():
    with torch.no_grad():
        try:
            tape, (pooled,) = capture(lambda a: F.max_pool1d(a, 2) + 0, torch.randn(1, 2, 6))
        except CtorchError as error:
            assert error.kind == "UNSUPPORTED" and "no operator has written to" in error.message
        else:
            given = torch.randn(1, 2, 6)
            tape.replay(given)
            assert same(pooled, F.max_pool1d(given, 2))


def test_constants_that_are_written_later_in_the_step():
    def step(a):
        zeros, ones = torch.zeros(3), torch.ones(3)
        zeros += a
        view = ones[1:]
        view.mul_(a[0])
        return zeros, ones, torch.full((3,), 2.0), torch.arange(3) + 1

    tape, found = capture(step, x, verify=True)
    for given in (y, -x, y * 3):
        tape.replay(given)
        assert_same(found, step(given))


def test_a_constant_that_the_program_keeps_and_changes():
    kept = []

    def step(a):
        kept.append(torch.zeros(3))
        return a + kept[-1]

    tape, (result,) = capture(step, x)
    kept[0].fill_(5)
    tape.replay(y)
    assert_same([result, kept[0]], [y, torch.zeros(3)])


def test_batch_norm_changes_its_running_statistics():
    ours, theirs = torch.nn.BatchNorm1d(3), torch.nn.BatchNorm1d(3)
    batches = [torch.randn(8, 3) for _ in range(5)]
    with torch.no_grad():
        tape, (result,) = capture(ours, batches[0], verify=True)
        theirs(batches[0])
        for batch in batches[1:]:
            tape.replay(batch)
            assert same(result, theirs(batch))
    assert_same(ours.buffers(), theirs.buffers())


def test_memory_is_used_again():
    def step(a):
        for _ in range(50):
            a = (a * 1.01).sin()
        return a

    large = torch.randn(1000)
    tape, (result,) = capture(step, large, verify=True)
    tape.replay(large + 1)
    assert same(result, step(large + 1))
    assert tape.bytes() < 5 * 4096


# Random numbers -------------------------------------------------------------------------------------------------------


def test_random_numbers_are_those_of_the_step():
    generator = torch.Generator()

    def step(a, g):
        noise = torch.rand(3) + torch.randn(3, generator=g) + torch.randint(5, (3,))
        return F.dropout(a, 0.5), noise, torch.bernoulli(a.sigmoid()), torch.randperm(4)

    generator.manual_seed(1)
    tape, found = capture(lambda a: step(a, generator), x, verify=True)
    other = torch.Generator().manual_seed(9)
    generator.manual_seed(9)
    state = torch.get_rng_state()
    for given in (y, x, y):
        tape.replay(given)
    end = torch.get_rng_state()
    torch.set_rng_state(state)
    for given in (y, x, y):
        expected = step(given, other)
    assert_same(found, expected)
    assert torch.equal(end, torch.get_rng_state())


# Modes ----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("mode", "name"),
    [
        (torch.no_grad, "grad mode"),
        (torch.inference_mode, ""),
        (lambda: torch.autocast("cpu", torch.bfloat16), "autocast"),
    ],
)
def test_another_mode_is_refused(mode, name):
    tape, (result,) = capture(lambda a: a * 2, x)
    with mode():
        kind, message = fails(tape.replay, y)
        assert kind == "VALUE" and name in message
        inside, _ = capture(lambda a: a * 2, x.clone())
        inside.replay(y.clone())
    kind, message = fails(inside.replay, y)
    assert kind == "VALUE" and name in message
    tape.replay(y)
    assert same(result, y * 2)


def test_another_dtype_of_autocast_is_refused():
    with torch.autocast("cpu", torch.bfloat16):
        tape, _ = capture(lambda a: a @ a, torch.eye(3))
    with torch.autocast("cpu", torch.float16):
        kind, message = fails(tape.replay, torch.eye(3))
    assert kind == "VALUE" and "dtype of autocast" in message


def test_weights_are_cast_anew_by_autocast():
    linear = torch.nn.Linear(3, 3)
    with torch.autocast("cpu", torch.bfloat16):
        linear(x.view(1, 3))  # cached
        tape, (result,) = capture(linear, x.view(1, 3), verify=True)
        with torch.no_grad():
            linear.weight.mul_(2)
        tape.replay(y.view(1, 3))
        torch.clear_autocast_cache()
        assert same(result, linear(y.view(1, 3)))


@pytest.mark.parametrize("transform", [torch.vmap, torch.func.grad])
def test_transforms_of_functions(transform):
    """A step that has some is noted; a capture cannot begin or end within one."""
    if transform is torch.vmap:
        step = torch.vmap(lambda row: (row * row).sum() + row)
        first, second = torch.randn(4, 3), torch.randn(4, 3)
    else:
        step = torch.func.grad(lambda row: (row.sin() * row).sum())
        first, second = x, y
    tape, (result,) = capture(step, first, verify=True)
    tape.replay(second)
    assert same(result, step(second))

    def begins_within(row):
        with pytest.raises(CtorchError, match="RUNTIME: a transform of functions is active"):
            Tape()
        return row.sum()

    transform(begins_within)(first)

    def replays_within(row):
        kind, _ = fails(tape.replay, second)
        assert kind == "VALUE"
        return row.sum()

    transform(replays_within)(first)


# Inputs of another shape ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("given", "kind"),
    [
        ([torch.ones(4)], "SHAPE_MISMATCH"),
        ([torch.ones(1, 3)], "SHAPE_MISMATCH"),
        ([torch.ones(3, dtype=torch.float64)], "DTYPE_MISMATCH"),
        ([torch.ones(3, device="meta")], "DEVICE_MISMATCH"),
        ([], "INVALID_ARGUMENT"),
        ([torch.ones(3), torch.ones(3)], "INVALID_ARGUMENT"),
    ],
)
def test_other_inputs_are_refused_and_nothing_is_done(given, kind):
    weight = torch.ones(3)
    tape, (result,) = capture(lambda a: weight.add_(a), x)
    version = weight._version
    assert fails(tape.replay, *given)[0] == kind
    assert same(weight, x + 1) and weight._version == version
    tape.replay(y)
    assert same(result, x + 1 + y)


# Captures within captures, threads ------------------------------------------------------------------------------------


def test_a_capture_within_a_capture_is_refused():
    tape = Tape(x)
    with pytest.raises(CtorchError, match="RUNTIME: this thread notes a step already"):
        Tape(x)
    (result,) = tape.end(x * 2)
    tape.replay(y)
    assert same(result, y * 2)


def test_a_replay_within_a_capture_is_refused():
    inner, _ = capture(lambda a: a + 1, x)
    tape = Tape(x)
    assert fails(inner.replay, y)[0] == "RUNTIME"
    kind, message = fails(tape.end)
    assert kind == "UNSUPPORTED" and "a tape was replayed" in message
    inner.replay(y)


def test_a_tape_that_is_released_while_it_is_captured():
    tape = Tape(x)
    x * 2
    tape.release()
    tape, (result,) = capture(lambda a: a + 1, x)
    tape.replay(y)
    assert same(result, y + 1)


def in_thread(function) -> object:
    answer = []
    thread = threading.Thread(target=lambda: answer.append(function()))
    thread.start()
    thread.join()
    assert answer, "the thread failed"
    return answer[0]


def test_a_tape_that_another_thread_releases_while_it_is_captured():
    tape = Tape(x)
    in_thread(tape.release)
    x * 2
    tape, (result,) = capture(lambda a: a + 1, x)
    tape.replay(y)
    assert same(result, y + 1)


def test_another_thread_cannot_end_a_capture():
    tape = Tape(x)
    answer = in_thread(lambda: fails(tape.end))
    assert answer == ("RUNTIME", "this thread does not note a step for this tape")
    (result,) = tape.end(x + 1)
    tape.replay(y)
    assert same(result, y + 1)


def test_a_thread_that_ends_while_it_captures():
    tape = in_thread(lambda: Tape(x))
    assert fails(tape.end)[0] == "RUNTIME"
    assert fails(tape.replay, x)[0] == "RUNTIME"
    tape.release()


def test_what_other_threads_call_is_not_noted():
    tape = Tape(x)
    in_thread(lambda: x.sum().item())
    (result,) = tape.end(x + 1)
    assert tape.steps()[0][0] == "add.Tensor" and len(tape.steps()) == 1
    tape.replay(y)
    assert same(result, y + 1)


def test_threads_replay_tapes_of_their_own():
    linears = [torch.nn.Linear(16, 16) for _ in range(4)]

    def work(linear):
        with torch.no_grad():
            tape, (result,) = capture(lambda a: linear(a).relu().softmax(-1), torch.randn(4, 16))
            for _ in range(300):
                batch = torch.randn(4, 16)
                tape.replay(batch)
                if not same(result, linear(batch).relu().softmax(-1)):
                    return False
        return True

    answers = []
    threads = [threading.Thread(target=lambda m=m: answers.append(work(m))) for m in linears]
    [t.start() for t in threads]
    [t.join() for t in threads]
    assert answers == [True] * 4


def test_a_tape_is_replayed_by_one_thread_after_another():
    tape, (result,) = capture(lambda a: a.exp() * 2, x)
    in_thread(lambda: tape.replay(y))
    assert same(result, y.exp() * 2)
    tape.replay(x)
    assert same(result, x.exp() * 2)


def test_two_threads_cannot_replay_one_tape_at_once():
    large = torch.randn(300, 300)
    tape, (result,) = capture(lambda a: (a @ a @ a).sin() @ a, large)
    expected = result.clone()
    refused, wrong = [], []

    def work():
        for _ in range(40):
            try:
                tape.replay(large)
            except CtorchError as error:
                refused.append(error)

    threads = [threading.Thread(target=work) for _ in range(3)]
    [t.start() for t in threads]
    [t.join() for t in threads]
    assert {(e.kind, "is being replayed" in e.message) for e in refused} <= {("RUNTIME", True)}
    assert refused and not wrong
    tape.replay(large)
    assert same(result, expected)


# Lives and errors -----------------------------------------------------------------------------------------------------


def test_a_tape_outlives_module_and_inputs_and_outputs_outlive_the_tape():
    module = model()
    expected = copy.deepcopy(module)
    first = torch.randn(2, 3)
    with torch.no_grad():
        tape, (result,) = capture(module, first)
        del module, first
        given = torch.randn(2, 3)
        tape.replay(given)
        assert same(result, expected(given))
        tape.release()
        assert same(result, expected(given))


def test_an_error_in_a_replay_and_a_good_one_after_it():
    table = torch.randn(5, 3)
    step = lambda i: F.embedding(i, table).sum(0)  # noqa: E731
    for verify in (False, True):
        tape, (result,) = capture(step, torch.tensor([1, 2]), verify=verify)
        for _ in range(3):
            kind, message = fails(tape.replay, torch.tensor([1, 50]))
            assert kind in ("INDEX", "RUNTIME", "OUT_OF_RANGE", "INDEX_ERROR") and "out of range" in message
        tape.replay(torch.tensor([4, 0]))
        assert same(result, step(torch.tensor([4, 0])))


def test_an_operator_that_fails_in_a_capture():
    tape = Tape(x)
    with pytest.raises(RuntimeError):
        x @ torch.ones(4)
    assert same(x + 1, torch.tensor([2.0, 3.0, 4.0]))
    kind, message = fails(tape.end)
    assert kind == "RUNTIME" and "failed" in message


@pytest.fixture
def counted():
    """An operator that answers something else each time, and how often it was called."""
    calls = []

    def count(a):
        calls.append(a)
        return a + len(calls)

    with torch.library._scoped_library("tapetest", "DEF") as library:
        library.define("count(Tensor x) -> Tensor")
        library.impl("count", count, "CPU")
        yield torch.ops.tapetest.count, calls


def test_a_comparison_finds_a_difference(counted):
    count, _ = counted
    tape, _ = capture(count, x, verify=True)
    kind, message = fails(tape.replay, y)
    assert kind == "RUNTIME" and "differs from the operators run one by one" in message
    assert "result 0 of tapetest::count (call 1)" in message


@pytest.mark.parametrize("value", ["1", "0", ""])
def test_the_environment_asks_for_comparisons(counted, monkeypatch, value):
    count, calls = counted
    monkeypatch.setenv("CTORCH_TAPE_VERIFY", value)
    tape, _ = capture(lambda a: count(a) * 0, x)
    del calls[:]
    tape.replay(y)
    assert len(calls) == (2 if value == "1" else 1)


def test_custom_operators_are_replayed():
    with torch.library._scoped_library("tapetest", "DEF") as library:
        library.define("twice(Tensor x) -> Tensor")
        library.define("grow_(Tensor(a!) x, float by) -> Tensor(a!)")
        library.impl("twice", lambda a: a * 2, "CPU")
        library.impl("grow_", lambda a, by: a.add_(by), "CPU")
        twice, grow = torch.ops.tapetest.twice, torch.ops.tapetest.grow_
        tape, (result, grown) = capture(lambda a: (twice(a) + 1, grow(twice(a), 0.5)), x, verify=True)
        assert [op for op, _ in tape.steps()].count("tapetest::twice") == 2
        tape.replay(y)
        assert_same([result, grown], [y * 2 + 1, y * 2 + 0.5])


def test_the_listing_counts_operators_and_replays():
    tape, _ = capture(lambda a: (a * 2).sum(), x)
    for _ in range(5):
        tape.replay(y)
    head = tape.text().splitlines()[0]
    assert head.startswith("2 operators, 1 inputs, ") and head.endswith("replayed 5 times")
