"""Learning rate schedulers beside Python's: the same rates to the last bit, the same options of the groups, the same
state after each of many steps, saved in one and continued in the other."""

from __future__ import annotations

import copy
import importlib
import inspect
import itertools
import math
import warnings

import pytest
import torch

from tests.nn.test_nn import ctorch, raw
from tests.optim.compare import Pair, across, back, from_value, ours, same, to_value

STEPS = 100
typed = importlib.import_module("ctorch.lr_scheduler")
SCHEDULERS = torch.optim.lr_scheduler

# Each scheduler with its options, those that take numbers or lists.
PLAIN = {
    "StepLR": [
        {"step_size": 7},
        {"step_size": 1, "gamma": 0.97},
        {"step_size": 30, "gamma": 1.1},
        {"step_size": 3, "gamma": 1},
        {"step_size": -3, "gamma": 0.9},
    ],
    "MultiStepLR": [
        {"milestones": [5, 30, 80]},
        {"milestones": [], "gamma": 0.5},
        {"milestones": [9, 2, 9, 9, 60], "gamma": 0.7},
        {"milestones": (0, 1, 2), "gamma": 0.3},
    ],
    "ConstantLR": [{}, {"factor": 0.7, "total_iters": 20}, {"factor": 1}, {"factor": 0.1, "total_iters": 0}],
    "LinearLR": [
        {},
        {"start_factor": 0.01, "end_factor": 0.5, "total_iters": 50},
        {"start_factor": 1, "end_factor": 0, "total_iters": 70},
        {"total_iters": 1},
    ],
    "ExponentialLR": [{"gamma": 0.9}, {"gamma": 1}, {"gamma": 1.01}],
    "PolynomialLR": [{}, {"total_iters": 60, "power": 2.5}, {"total_iters": 100, "power": 1}, {"total_iters": 1}],
    "CosineAnnealingLR": [
        {"T_max": 10},
        {"T_max": 33, "eta_min": 1e-3},
        {"T_max": 100, "eta_min": 0.5},
        {"T_max": 1},
    ],
    "CosineAnnealingWarmRestarts": [
        {"T_0": 10},
        {"T_0": 3, "T_mult": 2, "eta_min": 1e-4},
        {"T_0": 1},
        {"T_0": 7, "T_mult": 3},
    ],
    "CyclicLR": [
        {"base_lr": 0.01, "max_lr": 0.1},
        {"base_lr": 0.01, "max_lr": 0.1, "step_size_up": 7, "step_size_down": 11},
        {"base_lr": 0.01, "max_lr": 0.1, "step_size_up": 5, "mode": "triangular2"},
        {"base_lr": 0.01, "max_lr": 0.1, "step_size_up": 5, "mode": "exp_range", "gamma": 0.98},
        {"base_lr": 0.01, "max_lr": 0.1, "step_size_up": 5, "cycle_momentum": False},
        {"base_lr": 0.01, "max_lr": 0.1, "step_size_up": 4, "base_momentum": 0.5, "max_momentum": 0.99},
        {"base_lr": [0.01, 0.02], "max_lr": [0.1, 0.3], "step_size_up": 4, "base_momentum": [0.5, 0.6]},
    ],
    "OneCycleLR": [
        {"max_lr": 0.5, "total_steps": STEPS},
        {"max_lr": 0.5, "epochs": 10, "steps_per_epoch": 10},
        {"max_lr": 0.5, "total_steps": STEPS, "three_phase": True},
        {"max_lr": 0.5, "total_steps": STEPS, "anneal_strategy": "linear", "pct_start": 0.1},
        {"max_lr": 0.5, "total_steps": STEPS, "cycle_momentum": False, "div_factor": 7, "final_div_factor": 100},
        {"max_lr": [0.5, 0.25], "total_steps": STEPS, "max_momentum": [0.9, 0.95], "base_momentum": 0.7},
        {"max_lr": 1, "total_steps": STEPS, "pct_start": 0.45, "three_phase": True, "anneal_strategy": "linear"},
    ],
    "SWALR": [
        {"swa_lr": 0.05},
        {"swa_lr": 0.05, "anneal_epochs": 40, "anneal_strategy": "linear"},
        {"swa_lr": [0.05, 1], "anneal_epochs": 3},
        {"swa_lr": 0.05, "anneal_epochs": 0},
        {"swa_lr": 0.05, "anneal_epochs": 0, "anneal_strategy": "linear"},
    ],
}
CASES = [(name, kwargs) for name, some in PLAIN.items() for kwargs in some]
OPTIMIZERS = {
    "sgd": ("SGD", {"momentum": 0.9}, None),
    "adam": ("Adam", {"betas": (0.8, 0.99)}, None),
    "int": ("SGD", {"momentum": 0.9}, 1),
    "tensor": ("SGD", {"momentum": 0.9}, torch.tensor(0.1)),
    "tensor64": ("AdamW", {}, torch.tensor([0.1], dtype=torch.float64)),
}


def class_of(name):
    return torch.optim.swa_utils.SWALR if name == "SWALR" else getattr(SCHEDULERS, name)


def optimizers(kind, rates=(0.1, 0.03)):
    """The same optimizer twice, of two groups."""
    name, kwargs, lr = OPTIMIZERS[kind]
    torch.manual_seed(3)
    params = [torch.randn(3, requires_grad=True) for _ in range(3)]
    groups = [{"params": [0, 1], "lr": rates[0]}, {"params": [2], "lr": rates[1]}]
    if isinstance(lr, torch.Tensor):
        for group in groups:
            group["lr"] = torch.full_like(lr, group["lr"])
    elif lr is not None:
        groups[0]["lr"] = lr
    pair = Pair.__new__(Pair)
    pair.torch_params = params
    pair.ctorch_params = [ours(p) for p in params]
    pair.torch = getattr(torch.optim, name)(filled(groups, params), foreach=False, **kwargs)
    own = to_value((across_groups(groups, pair.ctorch_params),))
    pair.ctorch = raw.optim_create(name, own, to_value({"foreach": False, **kwargs}))
    return pair


def filled(groups, params):
    return [{k: [params[i] for i in v] if k == "params" else copy.copy(v) for k, v in g.items()} for g in groups]


def across_groups(groups, params):
    return [{k: [params[i] for i in v] if k == "params" else across(v) for k, v in g.items()} for g in groups]


def create(name, optimizer, kwargs):
    return raw.lr_scheduler_create(name, optimizer, None, to_value(across(kwargs)))


def state(scheduler):
    return back(from_value(raw.lr_scheduler_state_dict(scheduler)))


def options(optimizer, group):
    return back(from_value(raw.optimizer_options(optimizer, group)))


def last_lr(scheduler):
    return back(from_value(raw.lr_scheduler_last_lr(scheduler)))


def exact(expected, got, where):
    """Equal in type too: an int stays an int."""
    same(expected, got, where)
    if isinstance(expected, (list, tuple)):
        for a, b in zip(expected, got):
            exact(a, b, where)
    elif isinstance(expected, dict):
        for key, value in expected.items():
            exact(value, got[key], f"{where}[{key!r}]")
    elif not isinstance(expected, torch.Tensor):
        assert isinstance(got, type(expected)) or isinstance(expected, dict), f"{where}: {got!r}, expected {expected!r}"


def check_groups(pair, where):
    """An optimizer's own defaults may be floats where Python has ints; what a scheduler writes is of the same type."""
    for i, group in enumerate(pair.torch.param_groups):
        expected, got = {k: v for k, v in group.items() if k != "params"}, options(pair.ctorch, i)
        same(expected, got, f"{where}group {i}")
        for key in group.keys() & WRITTEN:
            exact(expected[key], got[key], f"{where}group {i}[{key!r}]")


WRITTEN = {"lr", "initial_lr", "max_lr", "min_lr", "swa_lr", "momentum", "betas", "max_momentum", "base_momentum"}


class Schedule:
    """A scheduler twice, each on its own optimizer."""

    def __init__(self, pair, theirs, own):
        self.pair, self.torch, self.ctorch = pair, theirs, own

    @classmethod
    def of(cls, name, kwargs, kind="sgd", pair=None):
        pair = pair or optimizers(kind)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return cls(pair, class_of(name)(pair.torch, **copy.deepcopy(kwargs)), create(name, pair.ctorch, kwargs))

    def check(self, where=""):
        check_groups(self.pair, where)
        expected = plain(self.torch.state_dict())
        got = state(self.ctorch)
        assert list(expected) == list(got), f"{where}: {list(got)}, expected {list(expected)}"
        exact(expected, got, f"{where}state")
        exact(self.torch.get_last_lr(), last_lr(self.ctorch), f"{where}last_lr")

    def step(self, *args):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            self.torch.step(*args)
            step(self.ctorch, *args)

    def run(self, steps):
        """Rates are compared after each step, all the rest after some."""
        for i in range(steps):
            self.step()
            if i < 3 or i % 9 == 0 or i == steps - 1:
                self.check(f"step {i}: ")
            else:
                exact(self.torch.get_last_lr(), last_lr(self.ctorch), f"step {i}: last_lr")


def step(scheduler, *args):
    if not args:
        raw.lr_scheduler_step(scheduler)
    else:
        raw.lr_scheduler_step_epoch(scheduler, float(args[0]))


def plain(state_dict):
    """A Counter as the dict that ours is."""
    return {k: dict(v) if k == "milestones" else v for k, v in state_dict.items()}


def steps_of(kwargs):
    return STEPS - 1 if "max_lr" in kwargs and "base_lr" not in kwargs else STEPS


@pytest.mark.turns
@pytest.mark.parametrize("kind", OPTIMIZERS)
@pytest.mark.parametrize("name, kwargs", CASES, ids=lambda x: str(x))
def test_rates_options_and_state_of_each_step(name, kwargs, kind):
    schedule = Schedule.of(name, kwargs, kind)
    schedule.check("at first: ")
    schedule.run(steps_of(kwargs))


@pytest.mark.parametrize("name, kwargs", [c for c in CASES if c[0] not in ("OneCycleLR", "SWALR")], ids=str)
def test_epochs_out_of_turn(name, kwargs):
    schedule = Schedule.of(name, kwargs)
    for epoch in (3, 0, 7, 8, 30, 29, 60, 99, 5):
        schedule.step(epoch)
        schedule.check(f"epoch {epoch}: ")
        schedule.step()
        schedule.check(f"after epoch {epoch}: ")


@pytest.mark.parametrize("kwargs", PLAIN["CosineAnnealingWarmRestarts"], ids=str)
def test_fractions_of_epochs(kwargs):
    schedule = Schedule.of("CosineAnnealingWarmRestarts", kwargs)
    for i in range(150):
        schedule.step(i / 3)
        same(schedule.torch.state_dict(), state(schedule.ctorch), f"epoch {i / 3}: state")
        same(schedule.torch.get_last_lr(), last_lr(schedule.ctorch), f"epoch {i / 3}: last_lr")
    for _ in range(20):
        schedule.step()
        same(schedule.torch.state_dict(), state(schedule.ctorch), "state after fractions")


@pytest.mark.parametrize("kind", ["sgd", "tensor"])
@pytest.mark.parametrize("name, kwargs", CASES, ids=lambda x: str(x))
def test_a_state_saved_in_one_continues_in_the_other(name, kwargs, kind):
    first, second = Schedule.of(name, kwargs, kind), Schedule.of(name, kwargs, kind)
    first.run(20)
    saved, own = copy.deepcopy(first.torch.state_dict()), state(first.ctorch)
    groups, own_groups = first.pair.torch.state_dict(), first.pair.state_dict()
    raw.optimizer_load_state_dict(second.pair.ctorch, to_value(across(groups)))
    raw.lr_scheduler_load_state_dict(second.ctorch, to_value(across(plain(saved))))
    second.pair.torch.load_state_dict(own_groups)
    second.torch.load_state_dict(own)
    second.run(30)


def test_a_counter_of_a_file_is_taken_too():
    schedule = Schedule.of("MultiStepLR", {"milestones": [3, 5]})
    counter = ctorch.PythonObject("collections", "Counter", ({2: 1, 4: 2},))
    raw.lr_scheduler_load_state_dict(schedule.ctorch, to_value({"milestones": counter}))
    schedule.torch.milestones = type(schedule.torch.milestones)({2: 1, 4: 2})
    for _ in range(6):
        schedule.step()
        exact(schedule.torch.get_last_lr(), last_lr(schedule.ctorch), "last_lr")
    schedule.step(4)
    exact(schedule.torch.get_last_lr(), last_lr(schedule.ctorch), "last_lr")


# Callbacks.


def lambdas(name, pair, functions, **kwargs):
    make = {"LambdaLR": raw.lr_scheduler_lambda_lr, "MultiplicativeLR": raw.lr_scheduler_multiplicative_lr}[name]
    last_epoch = kwargs.get("last_epoch", -1)
    theirs = getattr(SCHEDULERS, name)(pair.torch, lr_lambda=functions, **kwargs)
    if isinstance(functions, list):
        return Schedule(pair, theirs, make(pair.ctorch, lambda group, epoch: functions[group](epoch), last_epoch))
    return Schedule(pair, theirs, make(pair.ctorch, lambda group, epoch: functions(epoch), last_epoch))


@pytest.mark.parametrize("kind", OPTIMIZERS)
@pytest.mark.parametrize("name", ["LambdaLR", "MultiplicativeLR"])
def test_functions_of_the_epoch(name, kind):
    for functions in (
        lambda e: 0.95**e if name == "LambdaLR" else 0.97,
        [lambda e: 1 / (e + 1), lambda e: 0.5 + e / 99],
    ):
        schedule = lambdas(name, optimizers(kind), functions)
        schedule.check("at first: ")
        schedule.run(STEPS)
        schedule.step(4)
        schedule.check("epoch 4: ")


def test_a_state_of_functions():
    first, second = (lambdas("LambdaLR", optimizers("sgd"), lambda e: 0.9**e) for _ in range(2))
    first.run(10)
    saved = first.torch.state_dict()
    assert saved["lr_lambdas"] == [None, None]
    second.torch.load_state_dict(state(first.ctorch))
    raw.lr_scheduler_load_state_dict(second.ctorch, to_value(across(saved)))
    second.run(10)
    with pytest.raises(IndexError, match="state_dict.*lr_lambdas"):
        raw.lr_scheduler_load_state_dict(second.ctorch, to_value({"last_epoch": 1}))


@pytest.mark.parametrize("scale_mode, cycle_momentum", [*itertools.product(["cycle", "iterations"], [True, False])])
@pytest.mark.parametrize("kind", ["sgd", "adam", "tensor"])
def test_a_function_scales_cycles(scale_mode, cycle_momentum, kind):
    def scale(x):
        return 0.5 * (1 + math.sin(x * math.pi / 2.0))

    pair = optimizers(kind)
    theirs = SCHEDULERS.CyclicLR(
        pair.torch, [0.01, 0.02], 0.1, 5, 7, scale_fn=scale, scale_mode=scale_mode, cycle_momentum=cycle_momentum
    )
    own = raw.lr_scheduler_cyclic_lr(
        pair.ctorch, [0.01, 0.02], [0.1], 5, 7, scale, scale_mode, cycle_momentum, 0.8, 0.9, -1
    )
    schedule = Schedule(pair, theirs, own)
    schedule.check("at first: ")
    schedule.run(60)


def test_a_function_that_fails():
    def fail(group, epoch):
        if epoch == 3:
            raise KeyError("third")
        return 0.5

    scheduler = raw.lr_scheduler_lambda_lr(optimizers("sgd").ctorch, fail, -1)
    step(scheduler), step(scheduler)
    with pytest.raises(KeyError, match="third"):
        step(scheduler)
    assert raw.lr_scheduler_last_epoch(scheduler) == 3  # as in Python, which counts before it computes
    assert not state(scheduler)["_get_lr_called_within_step"]
    step(scheduler)


# ReduceLROnPlateau.

PLATEAU = [
    {},
    {"mode": "max", "factor": 0.5, "patience": 2},
    {"patience": 0, "threshold": 0.05, "cooldown": 3},
    {"patience": 1, "threshold": 0.05, "threshold_mode": "abs", "min_lr": 0.01},
    {"mode": "max", "patience": 1, "threshold": 0.05, "threshold_mode": "abs"},
    {"patience": 1, "min_lr": [0.05, 0.001], "factor": 0.7},
    {"patience": 0, "eps": 0.02, "factor": 0.9},
    {"patience": 2, "cooldown": 1, "factor": 0},
]


@pytest.mark.turns
@pytest.mark.parametrize("kind", OPTIMIZERS)
@pytest.mark.parametrize("kwargs", PLATEAU, ids=str)
def test_plateau(kwargs, kind):
    first, second = (Schedule.of("ReduceLROnPlateau", kwargs, kind) for _ in range(2))
    generator = torch.Generator().manual_seed(5)
    metrics = [1 / (1 + i) + 0.2 * torch.rand((), generator=generator).item() for i in range(60)] + [math.nan, math.inf]

    def run(schedule, metrics):
        for i, metric in enumerate(metrics):
            schedule.torch.step(metric)
            raw.lr_scheduler_step_metric(schedule.ctorch, metric)
            schedule.check(f"step {i}: ")

    first.check("at first: ")
    run(first, metrics)
    second.torch.load_state_dict(state(first.ctorch))
    raw.lr_scheduler_load_state_dict(second.ctorch, to_value(across(first.torch.state_dict())))
    run(second, metrics)


@pytest.mark.parametrize("min_lr", [0.01, [0.01, 0.02]], ids=str)
def test_plateau_of_a_group_that_came_later(min_lr):
    schedule = Schedule.of("ReduceLROnPlateau", {"patience": 0, "min_lr": min_lr})
    late = torch.zeros(2, requires_grad=True)
    schedule.pair.torch.add_param_group({"params": [late], "lr": 0.4})
    raw.optimizer_add_param_group(schedule.pair.ctorch, to_value({"params": [ours(late)], "lr": 0.4}))
    raw.lr_scheduler_step_metric(schedule.ctorch, 1.0)
    schedule.torch.step(1.0)
    if isinstance(min_lr, list):
        with pytest.raises(RuntimeError, match="min_lrs"):
            raw.lr_scheduler_step_metric(schedule.ctorch, 1.0)
        return
    for _ in range(5):
        raw.lr_scheduler_step_metric(schedule.ctorch, 1.0)
        schedule.torch.step(1.0)
        schedule.check()


# Schedulers of schedulers.


def parts(pair, *some):
    theirs = [class_of(name)(pair.torch, **kwargs) for name, kwargs in some]
    return theirs, [create(name, pair.ctorch, kwargs) for name, kwargs in some]


LINEAR, EXPONENTIAL = ("LinearLR", {"start_factor": 0.1, "total_iters": 10}), ("ExponentialLR", {"gamma": 0.95})
SEQUENCES = [
    ([LINEAR, EXPONENTIAL], [10]),
    ([LINEAR, ("CosineAnnealingLR", {"T_max": 20}), ("StepLR", {"step_size": 4})], [5, 30]),
    ([("ConstantLR", {"total_iters": 3}), ("CosineAnnealingWarmRestarts", {"T_0": 6})], [7]),
    ([EXPONENTIAL, ("PolynomialLR", {"total_iters": 15}), ("MultiStepLR", {"milestones": [2, 4]})], [0, 20]),
    ([EXPONENTIAL], []),
]


@pytest.mark.parametrize("kind", ["sgd", "int", "tensor"])
@pytest.mark.parametrize("some, milestones", SEQUENCES, ids=str)
@pytest.mark.filterwarnings("ignore")
def test_one_after_the_other(some, milestones, kind):
    def make():
        pair = optimizers(kind)
        theirs, own = parts(pair, *some)
        sequential = SCHEDULERS.SequentialLR(pair.torch, theirs, milestones=milestones)
        return Schedule(pair, sequential, typed.lr_scheduler_SequentialLR(pair.ctorch, own, milestones))

    first, second = make(), make()
    check_nested(first, second)


@pytest.mark.parametrize("kind", ["sgd", "int", "tensor"])
@pytest.mark.parametrize("some", [[LINEAR, EXPONENTIAL], [("StepLR", {"step_size": 3}), EXPONENTIAL, LINEAR]], ids=str)
@pytest.mark.parametrize("with_optimizer", [True, False])
@pytest.mark.filterwarnings("ignore")
def test_all_at_once(some, kind, with_optimizer):
    def make():
        pair = optimizers(kind)
        theirs, own = parts(pair, *some)
        chained = SCHEDULERS.ChainedScheduler(theirs, pair.torch if with_optimizer else None)
        return Schedule(
            pair, chained, typed.lr_scheduler_ChainedScheduler(own, pair.ctorch if with_optimizer else None)
        )

    first, second = make(), make()
    check_nested(first, second)
    with pytest.raises(IndexError, match="last_epoch"):
        raw.lr_scheduler_last_epoch(first.ctorch)


@pytest.mark.filterwarnings("ignore")
def test_a_sequence_in_a_sequence_and_a_chain_in_both():
    def make():
        pair = optimizers("sgd")
        theirs, own = parts(pair, LINEAR, EXPONENTIAL, ("StepLR", {"step_size": 5}), ("ConstantLR", {}))
        theirs = [SCHEDULERS.SequentialLR(pair.torch, theirs[:2], [8]), *theirs[2:]]
        own = [typed.lr_scheduler_SequentialLR(pair.ctorch, own[:2], [8]), *own[2:]]
        theirs = [SCHEDULERS.ChainedScheduler([theirs[0], theirs[2]]), theirs[1]]
        own = [typed.lr_scheduler_ChainedScheduler([own[0], own[2]]), own[1]]
        theirs = SCHEDULERS.SequentialLR(pair.torch, theirs, [20])
        return Schedule(pair, theirs, typed.lr_scheduler_SequentialLR(pair.ctorch, own, [20]))

    check_nested(make(), make())


def nested(state_dict):
    result = plain(state_dict)
    if "_schedulers" in result:
        result["_schedulers"] = [nested(s) for s in result["_schedulers"]]
    return result


def check_nested(first, second):
    def check(schedule, where):
        check_groups(schedule.pair, where)
        exact(nested(schedule.torch.state_dict()), state(schedule.ctorch), f"{where}state")
        exact(schedule.torch.get_last_lr(), last_lr(schedule.ctorch), f"{where}last_lr")

    check(first, "at first: ")
    for i in range(20):
        first.step()
        if i % 4 == 3:
            check(first, f"step {i}: ")
    raw.optimizer_load_state_dict(second.pair.ctorch, to_value(across(first.pair.torch.state_dict())))
    raw.lr_scheduler_load_state_dict(second.ctorch, to_value(across(nested(first.torch.state_dict()))))
    own = state(first.ctorch)
    second.pair.torch.load_state_dict(first.pair.state_dict())
    second.torch.load_state_dict(copy.deepcopy(own))
    for i in range(30):
        second.step()
        if i % 4 == 3:
            check(second, f"step {i} after loading: ")


# Beginning anew, and warnings.


@pytest.mark.parametrize(
    "name, kwargs", [c for c in CASES if "total_iters" not in c[1] or c[1]["total_iters"]], ids=str
)
def test_a_last_epoch_that_is_given(name, kwargs):
    pair = optimizers("sgd")
    with pytest.raises(IndexError, match="last_epoch.*initial_lr"):
        create(name, pair.ctorch, {**kwargs, "last_epoch": 5})
    pair = optimizers("sgd")
    first = Schedule.of(name, kwargs, pair=pair)
    for _ in range(5):
        first.step()
    again = Schedule.of(name, {**kwargs, "last_epoch": 4}, pair=pair)
    again.check("at first: ")
    again.run(20)


def messages(call):
    """How many warnings of users there are."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        call()
    return len([w for w in caught if issubclass(w.category, UserWarning)])


@pytest.mark.parametrize("stepped", ["never", "before the scheduler", "after it", "between two"])
def test_warnings_are_those_of_python(stepped):
    pair = optimizers("sgd")
    if stepped == "before the scheduler":
        pair.step([torch.ones(3)] * 3)
    if stepped == "between two":
        Schedule.of("StepLR", {"step_size": 3}, pair=pair)
        pair.step([torch.ones(3)] * 3)
    schedule = Schedule.of("StepLR", {"step_size": 3}, pair=pair)
    if stepped == "after it":
        pair.step([torch.ones(3)] * 3)
    for i in range(3):
        theirs, own = messages(schedule.torch.step), messages(lambda: step(schedule.ctorch))
        assert theirs == own == (1 if i == 0 and stepped in ("never", "before the scheduler") else 0)
    assert messages(lambda: schedule.torch.step(2)) == messages(lambda: step(schedule.ctorch, 2)) == 1
    assert messages(schedule.torch.get_lr) == messages(lambda: raw.lr_scheduler_get_lr(schedule.ctorch)) == 1


@pytest.mark.parametrize("name, kwargs", CASES, ids=lambda x: str(x))
@pytest.mark.filterwarnings("ignore")
def test_get_lr(name, kwargs):
    schedule = Schedule.of(name, kwargs, "tensor")
    for _ in range(3):
        schedule.step()
        exact(schedule.torch.get_lr(), back(from_value(raw.lr_scheduler_get_lr(schedule.ctorch))), "get_lr")
        schedule.check("after get_lr: ")


# What is refused.

REFUSED = [
    ("ConstantLR", {"factor": 1.1}, ValueError, "factor"),
    ("ConstantLR", {"factor": -0.1}, ValueError, "factor"),
    ("LinearLR", {"start_factor": 0}, ValueError, "start_factor"),
    ("LinearLR", {"start_factor": 1.5}, ValueError, "start_factor"),
    ("LinearLR", {"end_factor": 2}, ValueError, "end_factor"),
    ("LinearLR", {"end_factor": -1}, ValueError, "end_factor"),
    ("CosineAnnealingWarmRestarts", {"T_0": 0}, ValueError, "T_0"),
    ("CosineAnnealingWarmRestarts", {"T_0": 2.5}, ValueError, "T_0"),
    ("CosineAnnealingWarmRestarts", {"T_0": 2, "T_mult": 0}, ValueError, "T_mult"),
    ("CosineAnnealingWarmRestarts", {"T_0": 2, "eta_min": "x"}, ValueError, "eta_min"),
    ("CyclicLR", {"base_lr": 0.1, "max_lr": 0.2, "mode": "square"}, ValueError, "mode"),
    ("CyclicLR", {"base_lr": [0.1], "max_lr": 0.2}, ValueError, "base_lr"),
    ("CyclicLR", {"base_lr": 0.1, "max_lr": [0.2, 0.3, 0.4]}, ValueError, "max_lr"),
    ("CyclicLR", {"base_lr": 0.1, "max_lr": 0.2, "base_momentum": [1, 2, 3]}, ValueError, "base_momentum"),
    ("OneCycleLR", {"max_lr": 1}, ValueError, "total_steps"),
    ("OneCycleLR", {"max_lr": 1, "epochs": 3}, ValueError, "total_steps"),
    ("OneCycleLR", {"max_lr": 1, "total_steps": 0}, ValueError, "total_steps"),
    ("OneCycleLR", {"max_lr": 1, "total_steps": 10.0}, ValueError, "total_steps"),
    ("OneCycleLR", {"max_lr": 1, "epochs": 0, "steps_per_epoch": 4}, ValueError, "epochs"),
    ("OneCycleLR", {"max_lr": 1, "epochs": 4, "steps_per_epoch": -4}, ValueError, "steps_per_epoch"),
    ("OneCycleLR", {"max_lr": 1, "total_steps": 10, "pct_start": 1.2}, ValueError, "pct_start"),
    ("OneCycleLR", {"max_lr": 1, "total_steps": 10, "pct_start": 1}, ValueError, "pct_start"),
    ("OneCycleLR", {"max_lr": 1, "total_steps": 10, "anneal_strategy": "exp"}, ValueError, "anneal_strategy"),
    ("OneCycleLR", {"max_lr": [1, 2, 3], "total_steps": 10}, ValueError, "max_lr"),
    ("ReduceLROnPlateau", {"factor": 1}, ValueError, "factor"),
    ("ReduceLROnPlateau", {"mode": "avg"}, ValueError, "mode"),
    ("ReduceLROnPlateau", {"threshold_mode": "avg"}, ValueError, "threshold_mode"),
    ("ReduceLROnPlateau", {"min_lr": [0.1]}, ValueError, "min_lr"),
    ("SWALR", {"swa_lr": 1, "anneal_strategy": "exp"}, ValueError, "anneal_strategy"),
    ("SWALR", {"swa_lr": 1, "anneal_epochs": -1}, ValueError, "anneal_epochs"),
    ("SWALR", {"swa_lr": 1, "anneal_epochs": 1.5}, ValueError, "anneal_epochs"),
    ("SWALR", {"swa_lr": [1]}, ValueError, "swa_lr"),
    ("StepLR", {}, TypeError, "step_size"),
    ("StepLR", {"step_size": 1, "gama": 1}, TypeError, "gama"),
]


@pytest.mark.parametrize("name, kwargs, kind, text", REFUSED, ids=str)
def test_bad_arguments(name, kwargs, kind, text):
    pair = optimizers("sgd")
    with pytest.raises(kind):
        class_of(name)(pair.torch, **kwargs)
    with pytest.raises(kind, match=text):
        create(name, pair.ctorch, kwargs)


@pytest.mark.parametrize("name", ["CyclicLR", "OneCycleLR"])
def test_momentum_that_the_optimizer_does_not_have(name):
    params = [torch.zeros(2, requires_grad=True)]
    kwargs = {"max_lr": 1, **({"base_lr": 0.1} if name == "CyclicLR" else {"total_steps": 5})}
    optimizer = raw.optim_create("Adagrad", to_value(([ours(p) for p in params],)), None) if has("Adagrad") else None
    if optimizer is None:
        pytest.skip("no optimizer without momentum")
    with pytest.raises(ValueError):
        class_of(name)(torch.optim.Adagrad(params), **kwargs)
    with pytest.raises(ValueError, match="cycle_momentum.*Adagrad"):
        create(name, optimizer, kwargs)


def has(name):
    try:
        raw.optim_create(name, None, None)
    except IndexError:
        return False
    except TypeError:
        return True
    return True


def test_more_steps_than_one_cycle_has():
    schedule = Schedule.of("OneCycleLR", {"max_lr": 1, "total_steps": 5})
    schedule.run(5)
    with pytest.raises(ValueError):
        schedule.torch.step()
    with pytest.raises(ValueError, match="step 6"):
        step(schedule.ctorch)
    exact(schedule.torch.state_dict(), state(schedule.ctorch), "state")


def test_divisions_by_zero():
    for name, kwargs, error in (
        ("StepLR", {"step_size": 0}, ZeroDivisionError),
        ("CosineAnnealingLR", {"T_max": 0}, ZeroDivisionError),
        ("CyclicLR", {"base_lr": 0.1, "max_lr": 1, "step_size_up": 0}, ZeroDivisionError),
    ):
        pair = optimizers("sgd")
        with pytest.raises(error):
            class_of(name)(pair.torch, **kwargs).step()
        with pytest.raises(ValueError, match="division by zero"):
            step(create(name, pair.ctorch, kwargs))


def test_steps_that_do_not_fit():
    pair = optimizers("sgd")
    plateau = create("ReduceLROnPlateau", pair.ctorch, {})
    linear = create("LinearLR", pair.ctorch, {})
    restarts = create("CosineAnnealingWarmRestarts", pair.ctorch, {"T_0": 4})
    chained = typed.lr_scheduler_ChainedScheduler([linear])
    with pytest.raises(TypeError, match="metric"):
        raw.lr_scheduler_step(plateau)
    with pytest.raises(TypeError, match="metric"):
        raw.lr_scheduler_step_metric(linear, 1.0)
    with pytest.raises(TypeError, match="epoch"):
        raw.lr_scheduler_step_epoch(chained, 1.0)
    with pytest.raises(ValueError, match="epoch"):
        raw.lr_scheduler_step_epoch(restarts, -1.0)
    with pytest.raises(NotImplementedError):
        raw.lr_scheduler_get_lr(chained)


def test_schedulers_that_do_not_go_together():
    pair, other = optimizers("sgd"), optimizers("sgd")
    step_lr = create("StepLR", pair.ctorch, {"step_size": 2})
    plateau = create("ReduceLROnPlateau", pair.ctorch, {})
    foreign = create("StepLR", other.ctorch, {"step_size": 2})
    for some, milestones, text in (
        ([], [], "schedulers: expected at least one"),
        ([step_lr, plateau], [3], "ReduceLROnPlateau.*metric"),
        ([step_lr, foreign], [3], "StepLR.*another optimizer"),
        ([step_lr, step_lr], [], "milestones"),
    ):
        with pytest.raises(ValueError, match=text):
            typed.lr_scheduler_SequentialLR(pair.ctorch, some, milestones)
        if "milestones" not in text:
            with pytest.raises(ValueError, match=text):
                typed.lr_scheduler_ChainedScheduler(some, pair.ctorch)


def test_groups_and_attributes_that_do_not_fit():
    pair = optimizers("sgd")
    scheduler = create("CosineAnnealingWarmRestarts", pair.ctorch, {"T_0": 5})
    raw.optimizer_add_param_group(pair.ctorch, to_value({"params": [ours(torch.zeros(1, requires_grad=True))]}))
    with pytest.raises(ValueError, match="base_lrs: 2 values for 3 groups"):
        step(scheduler)
    scheduler = create("ExponentialLR", pair.ctorch, {"gamma": 0.5})
    raw.lr_scheduler_set_attribute(scheduler, "gamma", to_value("half"))
    with pytest.raises(TypeError, match="gamma"):
        step(scheduler)
    with pytest.raises(IndexError, match="delta"):
        raw.lr_scheduler_attribute(scheduler, "delta")


def test_a_state_that_does_not_fit_changes_nothing():
    pair = optimizers("sgd")
    own = [create("StepLR", pair.ctorch, {"step_size": 2}), create("ExponentialLR", pair.ctorch, {"gamma": 0.5})]
    chained = typed.lr_scheduler_ChainedScheduler(own)
    before = state(chained)
    for bad, kind in (
        ({}, IndexError),
        ({"_schedulers": [{}, {}, {}]}, IndexError),
        ({"_schedulers": [{"gamma": 3}, 4]}, TypeError),
        ({"_schedulers": [{"gamma": 3}, {5: 4}]}, TypeError),
    ):
        with pytest.raises(kind, match="state_dict"):
            raw.lr_scheduler_load_state_dict(chained, to_value(bad))
        exact(before, state(chained), "state")
    plateau = create("ReduceLROnPlateau", pair.ctorch, {})
    with pytest.raises(ValueError, match="mode"):
        raw.lr_scheduler_load_state_dict(plateau, to_value({"mode": "avg"}))


def test_typed_functions_have_pythons_names_and_defaults():
    for name in (*PLAIN, "ReduceLROnPlateau"):
        mine = inspect.signature(getattr(typed, f"lr_scheduler_{name}")).parameters
        expected = [p for p in inspect.signature(class_of(name)).parameters if p != "scale_fn"]
        assert list(mine) == expected
    for make, name, kwargs in (
        (typed.lr_scheduler_StepLR, "StepLR", {"step_size": 3}),
        (typed.lr_scheduler_ReduceLROnPlateau_min_lr, "ReduceLROnPlateau", {"min_lr": [0.1, 0.2]}),
        (typed.lr_scheduler_CyclicLR_base_lr, "CyclicLR", {"base_lr": [0.1, 0.2], "max_lr": [1.0, 2.0]}),
        (typed.lr_scheduler_OneCycleLR_max_lr, "OneCycleLR", {"max_lr": [1.0, 2.0], "total_steps": 50}),
        (typed.lr_scheduler_OneCycleLR, "OneCycleLR", {"max_lr": 1.0, "epochs": 5, "steps_per_epoch": 10}),
        (typed.lr_scheduler_SWALR_swa_lr, "SWALR", {"swa_lr": [0.1, 0.2]}),
        (typed.lr_scheduler_CosineAnnealingLR, "CosineAnnealingLR", {"T_max": 9}),
    ):
        pair = optimizers("sgd")
        theirs = class_of(name)(pair.torch, **kwargs)
        own = make(pair.ctorch, **kwargs)
        assert raw.lr_scheduler_name(own) == name
        for _ in range(12):
            if name == "ReduceLROnPlateau":
                theirs.step(1.0), raw.lr_scheduler_step_metric(own, 1.0)
            else:
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore")
                    theirs.step(), step(own)
            same(theirs.get_last_lr(), last_lr(own), name)
        same(theirs.state_dict(), state(own), name)
