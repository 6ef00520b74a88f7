"""What a type checker must understand: mypy --strict passes this file, and refuses each line that is marked."""

import ctorch
from ctorch import aten, data, raw, transforms, tv_tensors
from ctorch.optim import lr_scheduler


class Square(ctorch.autograd.Function):
    @staticmethod
    def forward(ctx: ctorch.autograd.FunctionContext, x: ctorch.Tensor) -> ctorch.Tensor:
        ctx.save_for_backward(x)
        return x * x

    @staticmethod
    def backward(ctx: ctorch.autograd.FunctionContext, *gradients: ctorch.Tensor | None) -> ctorch.Tensor:
        (x,) = ctx.saved_tensors
        assert x is not None and gradients[0] is not None
        return x * 2 * gradients[0]


class Double(ctorch.autograd.Function):
    """As one writes it: each argument by its name and type."""

    @staticmethod
    def forward(ctx: ctorch.autograd.FunctionContext, x: ctorch.Tensor, factor: float) -> ctorch.Tensor:
        return x * factor

    @staticmethod
    def backward(ctx: ctorch.autograd.FunctionContext, gradient: ctorch.Tensor) -> tuple[ctorch.Tensor, None]:
        return gradient * 2, None


def names(x: ctorch.Tensor) -> ctorch.Tensor:
    best: ctorch.Tensor = x.max(dim=0).values
    best = x.max(axis=0, keepdims=True).values.sum(axis=0) + aten.cumsum(x, axis=0)
    positions: ctorch.Tensor = ctorch.sort(x).indices
    made: ctorch.Tensor = ctorch.zeros(2, 3, dtype=ctorch.long).float() + ctorch.cat([best, best])
    made = ctorch.randn(2, requires_grad=True)
    return made.double() + positions


def train(x: ctorch.Tensor) -> float:
    model = ctorch.nn.Linear(2, 1)
    optimizer: ctorch.optim.Optimizer = ctorch.optim.AdamW(model.parameters(), lr=1e-3, betas=(0.9, 0.99))
    optimizer.param_groups[0]["lr"] *= 0.5
    scheduler = ctorch.optim.lr_scheduler.SequentialLR(
        optimizer,
        [lr_scheduler.LambdaLR(optimizer, lambda epoch: 0.5**epoch), lr_scheduler.CyclicLR(optimizer, 0.1, [0.2])],
        [3],
    )
    scaler = ctorch.amp.GradScaler("cpu", init_scale=4.0)
    scaler.scale(model(x).sum()).backward()
    scaler.step(optimizer)
    scaler.update()
    scheduler.step()
    lr_scheduler.ReduceLROnPlateau(optimizer).step(0.5)
    average = ctorch.optim.swa_utils.AveragedModel(model)
    average.update_parameters(model)
    rate: float = scheduler.get_last_lr()[0]
    return rate


class Squares(data.Dataset):
    def __len__(self) -> int:
        return 4

    def __getitem__(self, index: int) -> tuple[ctorch.Tensor, int]:
        return ctorch.ones(2) * index, index % 2


def load() -> float:
    crop = transforms.Compose([transforms.RandomCrop(1), lambda x: x * 2])
    image: tv_tensors.Image = tv_tensors.Image(crop(ctorch.ones(1, 2, 2)))
    boxes = tv_tensors.BoundingBoxes([[0, 0, 1, 1]], format="XYXY", canvas_size=(2, 2))
    height: int = boxes.canvas_size[0] + image.shape[0]
    first, second = data.random_split(Squares(), [0.5, 0.5])
    loader = data.DataLoader(first + second, 2, shuffle=True, sampler=None, collate_fn=None)
    model = ctorch.nn.Linear(2, 2)
    trainer = ctorch.Trainer(model, ctorch.optim.SGD(model.parameters()), ctorch.nn.CrossEntropyLoss(), epochs=1)
    trainer.add_metric("mean", lambda output, batch: output.mean())
    trainer.add_callback("step", lambda trainer: trainer.stop())
    trainer.fit(loader)
    state: dict[str, object] = iter(loader).state_dict()
    waited: float = loader.statistics().consumer_waited
    return trainer.loss + waited + len(state) + height


def main() -> float:
    x = ctorch.tensor([[1.0, 2.0], [3.0, 4.0]], dtype=ctorch.float64, requires_grad=True)
    y: ctorch.Tensor = aten.add(x, 2, alpha=3)
    y = aten.add.Tensor(y, x) + 1.5
    values, indices = aten.max(y, 1)
    parts: list[ctorch.Tensor] = aten.split(values, [1, 1])
    same: bool = aten.allclose(y, y)
    z: ctorch.Tensor = x.sum(dim=[0, 1], keepdim=True).relu().flatten()
    z = aten.cat([z, *parts]).index_select(0, indices) @ y[0, ..., None].flatten()
    shape: tuple[int, ...] = z.shape
    size: int = raw.tensor_numel(z)
    with ctorch.no_grad():
        z.requires_grad
    x.register_hook(lambda gradient: gradient * 2)
    loss: float = aten.mse_loss(z, z).item()
    return loss + size + len(shape) + same


def wrong(x: ctorch.Tensor) -> None:
    aten.add(x, "2")  # error: call-overload
    aten.matmul(x)  # error: call-overload
    aten.matmul(x, x, alpha=1)  # error: call-overload
    x.sum(dim="rows")  # error: arg-type
    aten.relu(x) + "text"  # error: operator
    raw.tensor_numel(3)  # error: arg-type
    x.max(0).value  # error: attr-defined
    x.sum(axes=0)  # error: call-overload
    x.no_such_method()  # error: attr-defined
    aten.no_such_operator(x)  # error: attr-defined
    s: str = aten.size.int(x, 0)  # error: assignment
    del s
    ctorch.optim.SGD([x], rate=0.1)  # error: call-arg
    lr_scheduler.StepLR(x, 2)  # error: arg-type
    lr_scheduler.StepLR(ctorch.optim.SGD([x]), "2")  # error: arg-type
    data.DataLoader(x, shufle=True)  # error: call-arg
    transforms.RandomCrop("2")  # error: arg-type


main()
load()
