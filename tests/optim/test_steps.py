"""Steps of every optimizer beside Python's: parameters and states equal to the last bit."""

from __future__ import annotations

import pytest
import torch

from . import cases
from .compare import Pair, across, create, ours, raw, same, theirs, to_value


def is_broken_in_libtorch(name, dtype, way, options):
    """Its fused SGD reads memory that it has not written, with momentum in 16 bits."""
    return name == "SGD" and way.get("fused") and dtype == cases.BF16 and options.get("momentum")


def pair_of(name, dtype, way, options):
    return Pair(name, cases.parameters(name, dtype, way), **way, **options)


@pytest.mark.parametrize("name", cases.DENSE)
def test_each_option_for_50_steps_and_pairs_of_them(name):
    for way in cases.ways(name):
        for options in cases.combinations(name):
            if not cases.accepted(name, {**way, **options}) or (way == {} and cases.fuses(name, way)):
                continue
            params = [torch.randn(3, 4, generator=torch.Generator().manual_seed(1)).requires_grad_()]
            params.append(torch.ones(4, 2).requires_grad_())
            pair = Pair(name, params, **way, **options)
            is_pair = options not in ({}, *cases.OPTIONS[name])
            cases.steps(pair, 8 if is_pair else 50, name, way)
            pair.check(f"{way} {options}: ")


@pytest.mark.parametrize("name", cases.DENSE)
def test_each_dtype_and_parameters_of_all_forms(name):
    for dtype in cases.dtypes(name):
        for way in cases.ways(name):
            if (dtype.is_complex and way.get("fused")) or (way == {} and cases.fuses(name, way)):
                continue
            for options in [{}, *cases.OPTIONS[name]]:
                if not cases.accepted(name, {**way, **options}) or is_broken_in_libtorch(name, dtype, way, options):
                    continue
                pair = pair_of(name, dtype, way, options)
                cases.steps(pair, 4, name, way)
                pair.check(f"{dtype} {way} {options}: ")


@pytest.mark.parametrize("name", cases.FUSED)
def test_without_a_wish_it_is_the_fused_kernel(name):
    for dtype in (cases.F32, cases.F64, cases.BF16):
        params = cases.parameters(name, dtype, {})
        pair = Pair(name, params)
        pair.torch = getattr(torch.optim, name)(pair.torch_params, fused=True)
        cases.steps(pair, 7, name, {"fused": True})
        expected = [p.detach() for p in pair.torch_params]
        same(expected, [theirs(q).detach() for q in pair.ctorch_params], f"{name} {dtype}")


def test_fused_sgd_with_momentum_is_right_in_16_bits():
    pair = Pair("SGD", [torch.randn(120, dtype=cases.BF16).requires_grad_()], momentum=0.9, fused=True)
    pair.torch = torch.optim.SGD(pair.torch_params, momentum=0.9, foreach=False)
    cases.steps(pair, 4, "SGD", {"fused": True})
    same(pair.torch_params[0].detach(), theirs(pair.ctorch_params[0]).detach(), "SGD")
    same(pair.torch.state_dict()["state"], pair.state_dict()["state"], "SGD")


@pytest.mark.parametrize("name", cases.FUSED)
def test_a_gradient_of_another_memory_format_is_no_matter(name):
    """Fused kernels go through memory as it lies, and read the wrong elements in Python."""
    param = torch.randn(2, 3, 4, 5).to(memory_format=torch.channels_last).requires_grad_()
    pair = Pair(name, [param])
    pair.torch = getattr(torch.optim, name)(pair.torch_params, foreach=False)
    for _ in range(3):
        pair.step([torch.randn(2, 3, 4, 5)])
    same(param.detach(), theirs(pair.ctorch_params[0]).detach(), name, tolerance=1e-5)


@pytest.mark.parametrize("name", cases.DENSE)
def test_rates_that_are_tensors(name):
    rates = [torch.tensor(0.05), torch.tensor([0.05]), torch.tensor(0.05, dtype=torch.float64)]
    for dtype in (cases.F32,):
        for way in cases.ways(name):
            for rate in rates:
                for options in [{}, *(o for o in cases.OPTIONS[name][1:4] if "lr" not in o)]:
                    kwargs = {**way, **options, "lr": rate}
                    if not cases.accepted(name, kwargs) or (way == {} and cases.fuses(name, way)):
                        continue
                    pair = pair_of(name, dtype, way, {**options, "lr": rate})
                    cases.steps(pair, 3, name, way)
                    pair.check(f"{dtype} {way} {options} {rate!r}: ")


@pytest.mark.parametrize("name", cases.DENSE)
def test_the_rate_is_read_at_each_step(name):
    pair = pair_of(name, cases.F32, {"foreach": False} if name not in cases.LOOP_ONLY else {}, {})
    for lr in (0.1, 0.01):
        pair.torch.param_groups[0]["lr"] = lr
        raw.optimizer_set_lr(pair.ctorch, lr)
        cases.steps(pair, 2)
    pair.check()
    assert raw.optimizer_get_lr(pair.ctorch, 0) == 0.01


class Differentiable:
    """Steps of both optimizers in a graph: from leaves, the value and the gradient of a parameter, and a rate."""

    def __init__(self, name, count, **kwargs):
        generator = torch.Generator().manual_seed(2)
        self.leaves = [torch.randn(3, 4, dtype=cases.F64, generator=generator), torch.ones(3, 4, dtype=cases.F64)]
        self.leaves += [value for value in kwargs.values() if isinstance(value, torch.Tensor)]
        self.leaves = [leaf.detach().requires_grad_() for leaf in self.leaves]
        self.name, self.count, self.kwargs = name, count, {"differentiable": True, **kwargs}

    def gradients_in_python(self):
        kwargs = {k: self.leaves[2] if isinstance(v, torch.Tensor) else v for k, v in self.kwargs.items()}
        param = self.leaves[0].clone()
        param.grad = self.leaves[1] * 2
        optimizer = getattr(torch.optim, self.name)([param], **kwargs)
        for _ in range(self.count):
            optimizer.step()
        param.pow(2).sum().backward()
        return [leaf.grad for leaf in self.leaves]

    def gradients(self):
        leaves = [ours(leaf) for leaf in self.leaves]
        kwargs = {k: leaves[2] if isinstance(v, torch.Tensor) else v for k, v in self.kwargs.items()}
        param = leaves[0].clone()
        param.grad = leaves[1] * 2
        optimizer = create(self.name, [param], across(kwargs))
        for _ in range(self.count):
            raw.optimizer_step(optimizer)
        param.pow(2).sum().backward()
        return [None if leaf.grad is None else theirs(leaf.grad) for leaf in leaves]


def check_gradients_through(name, **kwargs):
    """Two steps, or one where a second changes what Python's first needs."""
    try:
        case = Differentiable(name, 2, **kwargs)
        expected = case.gradients_in_python()
    except RuntimeError:
        with pytest.raises(Exception, match="inplace operation"):
            case.gradients()
        case = Differentiable(name, 1, **kwargs)
        expected = case.gradients_in_python()
    same(expected, case.gradients(), f"{kwargs}")


WITH_GRADIENTS = [n for n in cases.DENSE if n not in cases.LOOP_ONLY and n != "Adafactor"]


@pytest.mark.parametrize("name", WITH_GRADIENTS)
def test_gradients_flow_through_a_differentiable_step(name):
    for options in [{}, *cases.OPTIONS[name]]:
        if cases.accepted(name, {"differentiable": True, **options}):
            check_gradients_through(name, **options)


@pytest.mark.parametrize("name", ["NAdam", "RAdam", "Adam", "AdamW", "SGD"])
def test_gradients_flow_to_the_rate(name):
    check_gradients_through(name, lr=torch.tensor(0.1, dtype=cases.F64))


def sparse_gradient(param, generator, coalesced):
    rows = torch.tensor([1, 3, 1, 0])
    values = torch.randn(4, *param.shape[1:], dtype=param.dtype, generator=generator)
    gradient = torch.sparse_coo_tensor(rows[None], values, param.shape)
    return gradient.coalesce() if coalesced else gradient


@pytest.mark.parametrize("name", ["SGD", "Adagrad", "SparseAdam"])
def test_sparse_gradients(name):
    options = {
        "SGD": [{}, {"maximize": True}, {"momentum": 0.0, "lr": torch.tensor(0.1)}],
        "Adagrad": [{}, {"lr_decay": 0.1}, {"maximize": True}, {"lr": torch.tensor(0.1)}, {"foreach": False}],
        "SparseAdam": [{}, *cases.OPTIONS["SparseAdam"], {"lr": torch.tensor(0.1)}, {"lr": torch.tensor([0.1])}],
    }[name]
    complex_too = [cases.C64] if name == "Adagrad" else []
    for dtype in [cases.F32, cases.F64, *complex_too]:
        for kwargs in options:
            for coalesced in (False, True):
                generator = torch.Generator().manual_seed(4)
                params = [torch.randn(5, 3, dtype=dtype).requires_grad_(), torch.randn(4, dtype=dtype).requires_grad_()]
                pair = Pair(name, params, **kwargs)
                for number in range(7):
                    grads = [sparse_gradient(p, generator, coalesced) for p in params]
                    if number == 3:
                        grads[1] = torch.sparse_coo_tensor(
                            torch.zeros(1, 0, dtype=torch.long), torch.zeros(0, dtype=dtype), (4,)
                        )
                    if number == 5 and name != "SparseAdam":
                        grads[1] = torch.ones_like(params[1])
                    pair.step(grads)
                pair.check(f"{dtype} {kwargs} {coalesced}: ")


def test_adagrad_has_its_states_from_the_beginning():
    for way in ({}, {"fused": True}):
        params = [torch.randn(3, requires_grad=True), torch.randn(2, dtype=cases.C64, requires_grad=True)]
        pair = Pair("Adagrad", params[: 1 if way else 2], initial_accumulator_value=0.25, **way)
        pair.check()
        more = torch.randn(2, requires_grad=True)
        pair.torch.add_param_group({"params": [more], "initial_accumulator_value": 7.0})
        own = ours(more)
        raw.optimizer_add_param_group(pair.ctorch, to_value({"params": [own], "initial_accumulator_value": 7.0}))
        pair.torch_params.append(more)
        pair.ctorch_params.append(own)
        pair.check("another group has none yet: ")
        pair.torch.param_groups[0]["foreach"] = None
        cases.steps(pair, 3, "SGD", {"fused": True})
        pair.check("after steps: ", tolerance=1e-6)


def test_the_dtype_of_the_first_gives_adafactor_its_eps():
    params = [torch.randn(3, 2, dtype=d).requires_grad_() for d in (cases.BF16, cases.F32, cases.F64)]
    pair = Pair("Adafactor", params, foreach=False)
    cases.steps(pair, 5)
    pair.check()
