"""Steps that a trainer, an optimizer or a module captures by itself, beside those that run: the same bits."""

from __future__ import annotations

import pytest
import torch

from tests.data.objects import attempt, dataset_of, give, loader
from tests.harness.capi import CtorchError, ffi, handle, lib, ok, out, tensor
from tests.harness.values import python, value
from tests.trainer.test_trainer import Model, Ours, module, network, optimizer

OPTIMIZERS = {
    "SGD": ("SGD", {"lr": 0.1}),
    "momentum": ("SGD", {"lr": 0.1, "momentum": 0.9, "weight_decay": 0.01}),
    "nesterov": ("SGD", {"lr": 0.1, "momentum": 0.9, "nesterov": True}),
    "Adam": ("Adam", {"lr": 0.01, "weight_decay": 0.1}),
    "AdamW": ("AdamW", {"lr": 0.01, "amsgrad": True}),
}
SETTINGS = {
    "plain": {},
    "norm": {"clipping": (0.5, 2.0, 0.0)},
    "value": {"clipping": (0.0, 2.0, 0.01)},
    "autocast": {"autocast": True},
    "steps": {"scheduler": ("StepLR", {"step_size": 3, "gamma": 0.5}, True)},
    "epochs": {"scheduler": ("StepLR", {"step_size": 1, "gamma": 0.5}, False), "validation": True},
}


def run(optim, tape, **settings):
    ours = Ours(optim=OPTIMIZERS[optim], **settings)
    if tape:
        ours.trainer.set("tape", 4, False)
    ours.run()
    return ours


def state_of(ours):
    return [p.clone() for p in ours.model.parameters()]


def assert_same(ours, expected):
    assert ours.losses == expected.losses
    assert ours.trainer.history() == expected.trainer.history()
    for one, other in zip(state_of(ours), state_of(expected), strict=True):
        assert torch.equal(one, other)


@pytest.mark.parametrize("settings", SETTINGS)
@pytest.mark.parametrize("optim", OPTIMIZERS)
def test_a_trainer_learns_the_same(optim, settings):
    # 50 samples in batches of 8: the last batch of an epoch is another form. Dropout draws as ever.
    expected = run(optim, False, epochs=4, **SETTINGS[settings])
    ours = run(optim, True, epochs=4, **SETTINGS[settings])
    assert len(ours.losses) == 28
    assert_same(ours, expected)


def test_a_trainer_that_keeps_one_tape_captures_anew():
    expected = Ours(optim=OPTIMIZERS["AdamW"], epochs=3)
    expected.run()
    ours = Ours(optim=OPTIMIZERS["AdamW"], epochs=3)
    ours.trainer.set("tape", 1, False)
    ours.run()
    assert_same(ours, expected)


def test_other_options_are_captured_anew():
    runs = []
    for tape in (0, 2):
        ours = Ours(optim=OPTIMIZERS["Adam"], epochs=2)
        ours.trainer.set("tape", tape, False)
        ours.run()
        ok(lib.ctorch_optimizer_set_option(ours.optimizer.pointer, 0, b"weight_decay", value(0.5)))
        ours.trainer.set("length", 4, 0)
        ours.run()
        runs.append(ours)
    assert_same(runs[1], runs[0])


@pytest.mark.parametrize(
    ("settings", "problem"),
    [({"accumulation": 2}, "accumulated"), ({"scaler": True}, "scaler")],
)
def test_what_is_left_out_is_refused(settings, problem):
    ours = Ours(optim=OPTIMIZERS["SGD"], **settings)
    ours.trainer.set("tape", 4, False)
    with pytest.raises(CtorchError, match=problem) as raised:
        ours.run()
    assert raised.value.kind == "VALUE"


def test_a_batch_of_more_than_tensors_is_refused():
    ours = Ours(optim=OPTIMIZERS["SGD"])
    ours.trainer.set("tape", 4, False)
    samples = [("text", 1), ("more", 2)] * 2
    ours.loader = loader(dataset_of(samples.__getitem__, len(samples)), 2)
    with pytest.raises(CtorchError, match="a batch is a list with more than tensors") as raised:
        ours.run()
    assert raised.value.kind == "VALUE"


def test_a_callback_of_gradients_is_refused():
    ours = Ours(optim=OPTIMIZERS["SGD"])
    ours.trainer.on("GRADIENTS", lambda _: None)
    ours.trainer.set("tape", 4, False)
    with pytest.raises(CtorchError, match="gradients"):
        ours.run()


def test_an_optimizer_without_a_fused_kernel_cannot_be_captured():
    ours = Ours(optim=("RMSprop", {"lr": 0.01}))
    ours.trainer.set("tape", 4, False)
    with pytest.raises(CtorchError, match="RMSprop steps by numbers") as raised:
        ours.run()
    assert raised.value.kind == "UNSUPPORTED"
    assert len(ours.losses) == 1  # the first ran, the second was to be captured


@pytest.mark.parametrize("most", [-1, 1025])
def test_a_wrong_number_of_tapes_is_refused(most):
    ours = Ours()
    for object_, type_ in ((ours.trainer, "trainer"), (ours.model, "module")):
        with pytest.raises(CtorchError, match="most") as raised:
            ok(getattr(lib, f"ctorch_{type_}_set_tape")(object_.pointer, most, False))
        assert raised.value.kind == "INVALID_ARGUMENT"
        assert raised.value.function == f"ctorch_{type_}_set_tape"


@pytest.mark.parametrize("optim", OPTIMIZERS)
def test_an_optimizer_steps_the_same(optim):
    results = []
    for tape in (0, 2):
        torch.manual_seed(3)
        model = network()
        ours = optimizer(model, OPTIMIZERS[optim][0], **OPTIMIZERS[optim][1])
        ok(lib.ctorch_optimizer_set_tape(ours.pointer, tape, False))
        parameters = model.parameters()
        generator = torch.Generator().manual_seed(5)
        for step in range(12):
            for p in parameters:
                p.grad = torch.randn(p.shape, generator=generator)
            if step % 4 == 3:
                parameters[1].grad = None
            if step == 6:
                ok(lib.ctorch_optimizer_set_option(ours.pointer, 0, b"lr", value(0.03)))
            ok(lib.ctorch_optimizer_step(ours.pointer))
        results.append([p.clone() for p in parameters])
    for one, other in zip(*results, strict=True):
        assert torch.equal(one, other)


def test_an_optimizer_without_a_fused_kernel_has_no_tapes():
    ours = optimizer(network(), "RMSprop", lr=0.1)
    with pytest.raises(CtorchError, match="RMSprop") as raised:
        ok(lib.ctorch_optimizer_set_tape(ours.pointer, 2, False))
    assert raised.value.kind == "UNSUPPORTED"
    ok(lib.ctorch_optimizer_set_tape(ours.pointer, 0, False))


def forward(model, x):
    place = out("ctorch_tensor *")
    ok(lib.ctorch_module_forward(place, model.pointer, handle(x)))
    return tensor(place[0])


def call(model, *inputs):
    place = out("ctorch_value *")
    ok(lib.ctorch_module_call(place, model.pointer, value(tuple(inputs)), ffi.NULL))
    result = python(place[0])
    lib.ctorch_value_release(place[0])
    return result


def taped(model, most=4):
    ok(lib.ctorch_module_set_tape(model.pointer, most, False))
    return model


def evaluated(model):
    ok(lib.ctorch_module_train(model.pointer, False))
    return model


@torch.no_grad()
def test_a_module_gives_the_same_and_the_results_are_the_callers():
    model = evaluated(network())
    generator = torch.Generator().manual_seed(1)
    inputs = [torch.randn(1 + i % 3, 4, generator=generator) for i in range(24)]
    expected = [forward(model, x) for x in inputs]
    taped(model)
    results = [forward(model, x) for x in inputs]
    for one, other in zip(results, expected, strict=True):
        assert torch.equal(one, other)
    parameter = model.parameters()[0]
    parameter += 1  # in place: a replay sees it
    changed = forward(model, inputs[0])
    taped(model, 0)
    assert torch.equal(changed, forward(model, inputs[0]))


@torch.no_grad()
def test_a_module_is_captured_anew_for_other_memory_and_modes():
    model = taped(evaluated(network()))
    x = torch.randn(2, 4)
    before = [forward(model, x) for _ in range(4)][-1]
    parameter = model.parameters()[0]
    parameter.data = parameter.data * 2
    doubled = [forward(model, x) for _ in range(3)]
    assert not torch.equal(doubled[0], before)
    ok(lib.ctorch_module_train(model.pointer, True))  # dropout
    torch.manual_seed(4)
    trained = [forward(model, x) for _ in range(5)]
    taped(model, 0)
    torch.manual_seed(4)
    for one in trained:
        assert torch.equal(one, forward(model, x))
    evaluated(model)
    for one in doubled:
        assert torch.equal(one, forward(model, x))


def test_a_module_records_gradients_as_ever():
    model = taped(evaluated(network()))
    for _ in range(4):
        y = forward(model, torch.randn(2, 4))
        assert y.requires_grad
        y.sum().backward()


def leaves(value):
    """The tensors of a value and what else is in it, each with its place."""
    if isinstance(value, (tuple, list)):
        inner = [(f"{i}/{place}", leaf) for i, entry in enumerate(value) for place, leaf in leaves(entry)]
        return [(type(value).__name__, len(value)), *inner]
    return [("", value)]


def assert_equal_values(one, other):
    for (place, leaf), (other_place, other_leaf) in zip(leaves(one), leaves(other), strict=True):
        assert place == other_place
        assert torch.equal(leaf, other_leaf) if isinstance(leaf, torch.Tensor) else leaf == other_leaf


def sequences(torch_generator, n):
    return [torch.randn(4, 2, 3, generator=torch_generator) for _ in range(n)]


@torch.no_grad()
def test_a_module_of_several_tensors_is_called_the_same():
    generator = torch.Generator().manual_seed(2)
    lstm = evaluated(module("LSTM", 3, 5, num_layers=2))
    state = [torch.randn(2, 2, 5, generator=generator) for _ in range(2)]
    attention = evaluated(module("MultiheadAttention", 3, 1))
    pair = evaluated(module("Bilinear", 3, 4, 5))
    calls = {
        "nested results": (lstm, [(x,) for x in sequences(generator, 6)]),
        "nested inputs": (lstm, [(x, tuple(state)) for x in sequences(generator, 6)]),
        "lists": (lstm, [(x, state) for x in sequences(generator, 6)]),
        "None among the inputs": (lstm, [(x, None) for x in sequences(generator, 6)]),
        "one tensor three times": (attention, [(x, x, x) for x in sequences(generator, 6)]),
        "two": (pair, [(x[0], torch.randn(2, 4, generator=generator)) for x in sequences(generator, 6)]),
    }
    for model, inputs in calls.values():
        expected = [call(model, *x) for x in inputs]
        taped(model)
        for x, result in zip(inputs, expected, strict=True):
            assert_equal_values(call(model, *x), result)
        taped(model, 0)


@torch.no_grad()
def test_repeated_tensors_are_another_form():
    generator = torch.Generator().manual_seed(5)
    model = evaluated(module("MultiheadAttention", 3, 1))
    x, y, z = sequences(generator, 3)
    expected = [call(model, *given) for given in [(x, x, x), (x, y, z), (x, y, y), (x, x, y)]]
    taped(model)
    for i in range(16):
        given = [(x, x, x), (x, y, z), (x, y, y), (x, x, y)][i % 4]
        assert_equal_values(call(model, *given), expected[i % 4])


@torch.no_grad()
def test_inputs_in_the_memory_of_each_other_run_as_ever():
    model = evaluated(module("Bilinear", 3, 3, 5))
    memory = torch.randn(5, 3, generator=torch.Generator().manual_seed(6))
    expected = call(model, memory[:4], memory[1:])
    spread = call(model, memory[:1].expand(4, 3), memory[1:])
    taped(model)
    for _ in range(4):
        assert torch.equal(call(model, memory[:4], memory[1:]), expected)
        assert torch.equal(call(model, memory[:1].expand(4, 3), memory[1:]), spread)


@torch.no_grad()
def test_none_among_the_results():
    """A module of a callback whose result has it."""
    model = Model.made("ctorch_module_new_of_values", b"Pair", give_nested, ffi.NULL, ffi.NULL)
    taped(evaluated(model))
    for i in range(5):
        x = torch.full((2,), float(i))
        assert_equal_values(call(model, x), (None, [x * 2, (x + 1, None)], x))


@torch.no_grad()
def test_other_nesting_is_another_tape():
    generator = torch.Generator().manual_seed(3)
    model = evaluated(module("LSTM", 3, 5))
    x, h = torch.randn(4, 2, 3, generator=generator), torch.randn(1, 2, 5, generator=generator)
    expected = [call(model, x), call(model, x, (h, h))]
    taped(model)
    for i in range(8):
        assert_equal_values(call(model, *([(x,), (x, (h, h))][i % 2])), expected[i % 2])


FORWARD = (
    "ctorch_callback_status(ctorch_value **, ctorch_module *, const ctorch_value *, const ctorch_value *,"
    " ctorch_error **, void *)"
)


@ffi.callback(FORWARD)
def give_nested(place, _model, args, _kwargs, error_place, _payload):
    (x,) = python(args)
    return attempt(lambda: give(place, (None, [x * 2, (x + 1, None)], x)), error_place)


@ffi.callback(FORWARD)
def give_a_dict(place, _model, args, _kwargs, error_place, _payload):
    return attempt(lambda: give(place, {"y": python(args)[0] * 1}), error_place)


@torch.no_grad()
def test_tapes_outlive_the_scope_that_they_were_captured_in():
    model = evaluated(module("LSTM", 3, 5))
    generator = torch.Generator().manual_seed(7)
    inputs = sequences(generator, 6)
    expected = [call(model, x) for x in inputs]
    taped(model)
    for x, result in zip(inputs, expected, strict=True):
        args, place, scope = value((x,)), out("ctorch_value *"), out("ctorch_scope *")
        ok(lib.ctorch_scope_begin(scope))
        try:
            for _ in range(2):  # the second one is captured
                ok(lib.ctorch_module_call(place, model.pointer, args, ffi.NULL))
            ok(lib.ctorch_scope_keep(ffi.NULL, place[0]))
        finally:
            lib.ctorch_scope_end(scope[0])
        given = python(place[0])
        lib.ctorch_value_release(place[0])
        for _ in range(50):  # what was freed has other content
            call(model, x[:, :1])
        assert_equal_values(given, result)
        assert_equal_values(call(model, x), result)


@torch.no_grad()
def test_more_than_tensors_is_not_captured():
    model = Model.made("ctorch_module_new_of_values", b"Named", give_a_dict, ffi.NULL, ffi.NULL)
    taped(evaluated(model))
    assert torch.equal(call(model, torch.ones(2))["y"], torch.ones(2))
    with pytest.raises(CtorchError, match="Named gives a dict with more than tensors") as raised:
        call(model, torch.ones(2))
    assert raised.value.kind == "UNSUPPORTED"


@torch.no_grad()
def test_a_copy_has_no_tapes():
    model = taped(evaluated(network()))
    x = torch.randn(2, 4)
    results = [forward(model, x) for _ in range(4)]
    other = Model.made("ctorch_module_copy", model.pointer)
    model.release()
    assert torch.equal(forward(other, x), results[0])
