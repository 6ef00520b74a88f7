"""torch.optim, its schedulers and GradScaler as a user of the Python package writes them, beside Python's torch."""

import gc
import pickle
import pickletools
import weakref

import pytest
import torch

from tests.languages import training_sample
from tests.languages.test_python import ctorch

lr_schedulers = ctorch.optim.lr_scheduler


def weights(torch):
    return torch.tensor([1.5, 2.0], requires_grad=True)


def stepped(torch, optimizer, weight):
    optimizer.zero_grad()
    (weight * weight).sum().backward()
    optimizer.step()


def numbers(value):
    """State dicts without tensors, to be compared."""
    if isinstance(value, dict):
        return {key: numbers(entry) for key, entry in value.items()}
    if isinstance(value, list | tuple):
        return type(value)(map(numbers, value))
    return value.tolist() if hasattr(value, "tolist") else value


def test_training_is_that_of_python():
    assert training_sample.computed(ctorch) == training_sample.computed(torch)


@pytest.fixture(params=[torch, ctorch], ids=["torch", "ctorch"])
def package(request):
    return request.param


# Optimizers


def test_groups_show_and_take_their_options(package):
    a, b = weights(package), weights(package)
    optimizer = package.optim.SGD([{"params": [a], "lr": 0.5}, {"params": b}], 0.25, momentum=0.5)
    assert [group["lr"] for group in optimizer.param_groups] == [0.5, 0.25]
    assert optimizer.param_groups[0]["params"][0] is not b
    optimizer.param_groups[1]["lr"] /= 2
    optimizer.param_groups[1]["note"] = [1, "two"]
    assert optimizer.param_groups[1]["lr"] == 0.125 and dict(optimizer.param_groups[1])["note"] == [1, "two"]
    assert "note" not in optimizer.param_groups[0] and "params" in optimizer.param_groups[0]
    optimizer.add_param_group({"params": iter([weights(package)]), "nesterov": True})
    assert len(optimizer.param_groups) == 3 and optimizer.param_groups[2]["nesterov"]
    with pytest.raises(KeyError):
        optimizer.param_groups[0]["nothing"]
    with pytest.raises(ValueError, match="empty parameter list"):
        package.optim.SGD([], lr=0.1)
    with pytest.raises(TypeError, match="rate"):
        package.optim.SGD([a], rate=0.1)
    with pytest.raises(TypeError):
        package.optim.SGD(a, lr=0.1)


def test_state_is_a_mapping(package):
    weight = weights(package)
    optimizer = package.optim.Adam([weight])
    assert len(optimizer.state) == 0
    stepped(package, optimizer, weight)
    assert list(optimizer.state[weight]) == ["step", "exp_avg", "exp_avg_sq"] and len(optimizer.state) == 1
    assert optimizer.state[weight]["step"].item() == 1
    other = package.optim.Adam([weights(package)], lr=7)
    other.load_state_dict(optimizer.state_dict())
    assert numbers(other.state_dict()) == numbers(optimizer.state_dict())


def test_a_closure_gives_the_loss(package):
    weight = weights(package)
    optimizer = package.optim.SGD([weight], lr=0.25)

    def closure():
        optimizer.zero_grad()
        loss = (weight * weight).sum()
        loss.backward()
        return loss

    assert optimizer.step(closure).item() == 6.25
    assert optimizer.step(lambda: 3) == 3


def test_hooks_see_steps_and_state_dicts(package):
    log = []
    optimizer = package.optim.SGD([weights(package)], lr=0.25)
    handles = [
        optimizer.register_step_pre_hook(lambda seen, args, kwargs: log.append(seen is optimizer)),
        optimizer.register_step_post_hook(lambda *_: log.append("post")),
        optimizer.register_state_dict_pre_hook(lambda _: log.append("saving")),
        optimizer.register_state_dict_post_hook(lambda _, state: {"mine": 7, **state}),
        optimizer.register_load_state_dict_pre_hook(lambda _, state: state["inner"]),
        optimizer.register_load_state_dict_post_hook(lambda _: log.append("loaded"), prepend=True),
    ]
    inner = package.optim.SGD([weights(package)], lr=0.5).state_dict()
    optimizer.step()
    assert optimizer.state_dict()["mine"] == 7
    optimizer.load_state_dict({"inner": inner})
    assert log == [True, "post", "saving", "loaded"] and optimizer.param_groups[0]["lr"] == 0.5
    for handle in handles:
        handle.remove()
    optimizer.step()
    assert len(log) == 4


def test_a_closed_optimizer_is_refused():
    optimizer = ctorch.optim.SGD([weights(ctorch)], lr=0.25)
    scheduler = lr_schedulers.StepLR(optimizer, 1)
    scheduler.close()
    optimizer.close()
    with pytest.raises(ValueError, match="closed"):
        optimizer.step()
    with pytest.raises(ValueError, match="closed"):
        scheduler.step()
    assert repr(optimizer) == "<SGD closed>" and "StepLR closed" in repr(scheduler)
    with pytest.raises(TypeError):
        ctorch.optim.Optimizer([weights(ctorch)], {})


# Schedulers

MADE = {
    "StepLR": lambda lr, o: lr.StepLR(o, 2, gamma=0.5),
    "MultiStepLR": lambda lr, o: lr.MultiStepLR(o, [2, 3, 3], gamma=0.5),
    "ConstantLR": lambda lr, o: lr.ConstantLR(o, factor=0.25, total_iters=3),
    "LinearLR": lambda lr, o: lr.LinearLR(o, total_iters=4),
    "ExponentialLR": lambda lr, o: lr.ExponentialLR(o, 0.9),
    "PolynomialLR": lambda lr, o: lr.PolynomialLR(o, total_iters=4, power=2.0),
    "CosineAnnealingLR": lambda lr, o: lr.CosineAnnealingLR(o, T_max=5),
    "CosineAnnealingWarmRestarts": lambda lr, o: lr.CosineAnnealingWarmRestarts(o, 2, T_mult=2),
    "CyclicLR": lambda lr, o: lr.CyclicLR(o, 0.1, [0.5, 1.0], step_size_up=2, mode="triangular2"),
    "CyclicLR scale_fn": lambda lr, o: lr.CyclicLR(o, 0.1, 0.5, 2, 3, "triangular", 1.0, lambda x: 1 / (1 + x)),
    "OneCycleLR": lambda lr, o: lr.OneCycleLR(o, max_lr=0.5, total_steps=20),
    "LambdaLR": lambda lr, o: lr.LambdaLR(o, lambda epoch: 1 / (1 + epoch)),
    "LambdaLR list": lambda lr, o: lr.LambdaLR(o, [lambda epoch: 1 / (1 + epoch), lambda epoch: 2.0**-epoch]),
    "MultiplicativeLR": lambda lr, o: lr.MultiplicativeLR(o, lambda epoch: 0.9),
    "SequentialLR": lambda lr, o: lr.SequentialLR(o, [lr.ConstantLR(o, 0.5), lr.ExponentialLR(o, 0.9)], [3]),
    "ChainedScheduler": lambda lr, o: lr.ChainedScheduler([lr.ConstantLR(o, 0.5), lr.ExponentialLR(o, 0.9)], o),
}


@pytest.mark.parametrize("name", MADE)
def test_rates_attributes_and_states_are_those_of_python(name):
    found = []
    for package in (torch, ctorch):
        a, b = weights(package), weights(package)
        optimizer = package.optim.SGD([{"params": [a]}, {"params": [b], "lr": 0.5}], lr=1.0, momentum=0.5)
        scheduler = MADE[name](package.optim.lr_scheduler, optimizer)
        assert type(scheduler).__name__ == name.split()[0] and scheduler.optimizer is optimizer
        rates = []
        for _ in range(12):
            optimizer.step()
            scheduler.step()
            rates.append([*(group["lr"] for group in optimizer.param_groups), *scheduler.get_last_lr()])
        state = scheduler.state_dict()
        other = MADE[name](package.optim.lr_scheduler, optimizer)
        other.load_state_dict(state)
        for key in ("base_lrs", "last_epoch", "_step_count", "gamma", "milestones"):
            if name != "ChainedScheduler" and hasattr(scheduler, key):
                rates.append((key, numbers(getattr(other, key)), isinstance(getattr(other, key), list)))
        found.append((rates, {key for key in state if not key.startswith("_")}))
    assert found[0] == found[1]


def test_a_plateau_takes_a_metric(package):
    optimizer = package.optim.SGD([weights(package)], lr=1.0)
    scheduler = package.optim.lr_scheduler.ReduceLROnPlateau(optimizer, factor=0.5, patience=1, min_lr=[0.125])
    rates = []
    for metric in (1.0, 0.5, 0.75, package.tensor(0.75), 0.75, 0.75):
        scheduler.step(metric)
        rates += scheduler.get_last_lr()
    assert rates == [1.0, 1.0, 1.0, 0.5, 0.5, 0.25]
    assert scheduler.num_bad_epochs == 0 and scheduler.best == 0.5
    with pytest.raises(TypeError):
        scheduler.step()


class Halving:
    """A function with a state of its own."""

    def __init__(self):
        self.factor = 0.5

    def __call__(self, epoch):
        return self.factor**epoch


def test_functions_with_a_state_are_saved(package):
    optimizer = package.optim.SGD([weights(package)], lr=1.0)
    scheduler = package.optim.lr_scheduler.LambdaLR(optimizer, Halving())
    scheduler.lr_lambdas[0].factor = 0.25
    state = scheduler.state_dict()
    assert state["lr_lambdas"] == [{"factor": 0.25}]
    other = package.optim.lr_scheduler.LambdaLR(optimizer, Halving())
    other.load_state_dict(state)
    optimizer.step()
    other.step()
    assert other.get_last_lr() == [0.25]
    with pytest.raises(ValueError, match="Expected 1 lr_lambdas, but got 2"):
        package.optim.lr_scheduler.LambdaLR(optimizer, [Halving(), Halving()])


def test_attributes_are_read_and_assigned(package):
    optimizer = package.optim.SGD([weights(package)], lr=1.0)
    scheduler = package.optim.lr_scheduler.StepLR(optimizer, 2, gamma=0.5)
    scheduler.gamma, scheduler.note = 0.25, ["mine"]
    optimizer.step()
    scheduler.step()
    scheduler.step()
    assert scheduler.get_last_lr() == [0.25] and scheduler.state_dict()["note"] == ["mine"]
    with pytest.raises(AttributeError, match="nothing"):
        scheduler.nothing
    with pytest.raises(TypeError):
        package.optim.lr_scheduler.StepLR(weights(package), 2)


def test_what_a_function_raises_comes_out_and_it_goes_with_the_scheduler():
    optimizer = ctorch.optim.SGD([weights(ctorch)], lr=1.0)

    def fails(epoch):
        raise LookupError("mine")

    with pytest.raises(LookupError, match="mine"):
        lr_schedulers.LambdaLR(optimizer, fails)
    with pytest.raises(TypeError, match="must return a number, not str"):
        lr_schedulers.LambdaLR(optimizer, lambda epoch: "text")
    function = Halving()
    seen = weakref.ref(function)
    scheduler = lr_schedulers.LambdaLR(optimizer, function)
    del function, scheduler
    gc.collect()
    assert seen() is None


# Averages and scaling


def test_averages_of_models(package):
    swa_utils = package.optim.swa_utils
    models = []
    for value in (1.0, 2.0, 4.0):
        models.append(package.nn.Linear(1, 1, bias=False))
        with package.no_grad():
            models[-1].weight.fill_(value)
    equal = swa_utils.AveragedModel(models[0])
    ema = swa_utils.AveragedModel(models[0], multi_avg_fn=swa_utils.get_ema_multi_avg_fn(0.5))
    one = swa_utils.AveragedModel(models[0], avg_fn=swa_utils.get_ema_avg_fn(0.5))
    own = swa_utils.AveragedModel(models[0], avg_fn=lambda average, current, count: average + current)
    for average in (equal, ema, one, own):
        for model in models:
            average.update_parameters(model)
    assert [a.module.weight.item() for a in (equal, ema, one, own)] == [pytest.approx(7 / 3), 2.75, 2.75, 7.0]
    assert equal(package.ones(1, 1)).item() == pytest.approx(7 / 3)
    with pytest.raises(ValueError, match="decay"):
        swa_utils.get_ema_avg_fn(2.0)
    optimizer = package.optim.SGD([weights(package)], lr=1.0)
    scheduler = swa_utils.SWALR(optimizer, swa_lr=0.5, anneal_epochs=2, anneal_strategy="linear")
    for _ in range(3):
        optimizer.step()
        scheduler.step()
    assert scheduler.get_last_lr() == [0.5]


def test_statistics_of_batch_norms_are_computed_anew(package):
    model = package.nn.Sequential(package.nn.BatchNorm1d(2))
    batches = [package.tensor([[1.0, 2.0], [3.0, 6.0]]), [package.tensor([[5.0, 6.0], [7.0, 2.0]]), "label"]]
    package.optim.swa_utils.update_bn(batches, model)
    assert model[0].running_mean.tolist() == [4.0, 4.0]


def test_a_scaler_scales_unscales_and_leaves_steps_out(package):
    weight = weights(package)
    optimizer, scaler = package.optim.SGD([weight], lr=0.25), package.amp.GradScaler("cpu", init_scale=8.0)
    assert scaler.is_enabled() and scaler.get_scale() == 8 and scaler.get_growth_interval() == 2000
    scaler.scale((weight * weight).sum()).backward()
    assert weight.grad.tolist() == [24.0, 32.0]
    scaler.unscale_(optimizer)
    assert weight.grad.tolist() == [3.0, 4.0]
    with pytest.raises(RuntimeError):
        scaler.unscale_(optimizer)
    scaler.step(optimizer)
    scaler.update()
    assert weight.tolist() == [0.75, 1.0]
    optimizer.zero_grad()
    scaler.scale((weight / 0).sum()).backward()
    scaler.step(optimizer)
    scaler.update()
    assert weight.tolist() == [0.75, 1.0] and scaler.get_scale() == 4
    first, (second,) = scaler.scale([package.tensor(1.5), (package.tensor(2.5),)])
    assert (first.item(), second.item()) == (6.0, 10.0)
    scaler.update(16.0)
    scaler.update(package.tensor(32.0))
    scaler.set_growth_factor(3.0)
    other = package.amp.GradScaler("cpu")
    other.load_state_dict(scaler.state_dict())
    assert other.get_scale() == 32 and other.get_growth_factor() == 3 and other.state_dict() == scaler.state_dict()
    disabled = package.amp.GradScaler("cpu", enabled=False)
    assert disabled.step(optimizer, closure=lambda: 5) == 5 and disabled.state_dict() == {}
    with pytest.raises(RuntimeError):
        scaler.step(optimizer, closure=lambda: None)
    with pytest.raises((ValueError, AssertionError)):
        package.amp.GradScaler("cpu", growth_factor=1.0)


@pytest.mark.parametrize(
    "name", "Adadelta Adafactor Adagrad Adam AdamW Adamax ASGD NAdam RAdam RMSprop Rprop SGD".split()
)
def test_a_state_dict_is_the_same_pickle(name):
    """Its keys are in Python's order."""
    pickles = []
    for package in (torch, ctorch):
        weight = package.tensor([1.5, 2.0], requires_grad=True)
        optimizer = getattr(package.optim, name)([weight], lr=0.25)
        stepped(package, optimizer, weight)
        pickles.append(pickle.dumps(numbers(optimizer.state_dict())))
    assert pickletools.optimize(pickles[0]) == pickletools.optimize(pickles[1])
