"""Where what the emitted functions use is defined: the modules of the hand-written layer, and the classes in it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping

from ...surface import Surface
from ...vocabulary import (
    DATASET,
    GENERATOR,
    ITERATOR,
    LOADER,
    LR_SCHEDULER,
    METRIC,
    MODULE,
    OPTIMIZER,
    SAMPLER,
    TRAINER,
    TRANSFORM,
)
from .names import CELLS, WIDTH

CONTIGUOUS = "contiguous_format"
MODULES = {  # where what the emitted functions use is defined
    "byref": "ctypes",
    "POINTER": "ctypes",
    **dict.fromkeys(CELLS.values(), "ctypes"),
    "c_char_p": "ctypes",
    "c_void_p": "ctypes",
    "native": "..library",
    "failure": "..errors",
    "Tensor": "..tensor",
    "TensorList": "..collections",
    "String": "..collections",
    "from_module": "..module_objects",
    "from_lr_scheduler": "..optimizer_objects",
    "from_optimizer": "..optimizer_objects",
    "layer": "..layers",
    "optimizer": "..optimizers",
    "scheduler": "..schedulers",
    "as_dataset": "..data_objects",
    "as_loader": "..loaders",
    "as_sampler": "..data_objects",
    "as_transform": "..transform_objects",
    "as_datasets": "..data_objects",
    "as_transforms": "..transform_objects",
    "dataset": "..data_objects",
    "from_dataset": "..data_objects",
    "from_generator": "..generators",
    "from_iterator": "..data_objects",
    "from_loader": "..loaders",
    "from_sampler": "..data_objects",
    "from_marked": "..tv_tensor_objects",
    "from_metric": "..metric_objects",
    "from_trainer": "..trainer_objects",
    "from_transform": "..transform_objects",
    "from_value": "..values",
    "loader": "..loaders",
    "metric": "..metric_objects",
    "sampler": "..data_objects",
    "split": "..data_objects",
    "transform": "..transform_objects",
    "tv_tensor": "..tv_tensor_objects",
    "overloaded": "..overloads",
    "as_value": "..values",
    "as_values": "..values",
    "mismatch": "..mismatch",
    "return_types": "..",
    "with_numbers": "..numbers_as_tensors",
    "DESTROY": "..callbacks",
    "FORGET_PACKED": "..callbacks",
    "forget": "..payloads",
    "keep": "..payloads",
    "trampoline": "..callbacks",
}
OPTIMIZER_CLASSES = {  # what torch.optim has beside the optimizers
    "Optimizer": "..optimizers",
    "register_optimizer_step_post_hook": "..optimizers",
    "register_optimizer_step_pre_hook": "..optimizers",
}
SCHEDULER_CLASSES = dict.fromkeys(("LRScheduler", "LambdaLR", "MultiplicativeLR"), "..schedulers")
# What torch.nn has beside the layers.
MODULE_CLASSES = {"Buffer": "..parameters", "Module": "..modules", "Parameter": "..parameters"}
# What torch.utils.data has beside the datasets, samplers and the loader.
DATA_CLASSES = {
    **dict.fromkeys(("Dataset", "IterableDataset", "Iterator", "Sampler"), "..data_objects"),
    **dict.fromkeys(("Statistics", "WorkerInfo", "get_worker_info"), "..loaders"),
}
METRIC_CLASSES = dict.fromkeys(("Metric", "MetricCollection"), "..metric_objects")
TRANSFORM_CLASSES = dict.fromkeys(("InterpolationMode", "Transform", "from_function"), "..transform_objects")
TV_TENSOR_CLASSES = dict.fromkeys(("BoundingBoxFormat", "TVTensor"), "..tv_tensor_objects")
CLASSES = {
    "layer": MODULE_CLASSES,
    "optimizer": OPTIMIZER_CLASSES,
    "scheduler": SCHEDULER_CLASSES,
    "loader": DATA_CLASSES,
    "transform": TRANSFORM_CLASSES,
    "metric": METRIC_CLASSES,
    "tv_tensor": TV_TENSOR_CLASSES,
}
# What the functions of a schema file make that is a class in Python, and what makes that class.
MAKERS = {
    "Optimizer": "optimizer",
    "LRScheduler": "scheduler",
    "Dataset": "dataset",
    "Sampler": "sampler",
    "Loader": "loader",
    "Transform": "transform",
    "Metric": "metric",
}
# Arguments for which an object of the user's may stand.
TAKEN = {DATASET: "as_dataset", LOADER: "as_loader", SAMPLER: "as_sampler", TRANSFORM: "as_transform"}
# Results whose class is not the emitted one.
GIVEN = {
    DATASET: "from_dataset",
    GENERATOR: "from_generator",
    ITERATOR: "from_iterator",
    LOADER: "from_loader",
    LR_SCHEDULER: "from_lr_scheduler",
    METRIC: "from_metric",
    MODULE: "from_module",
    OPTIMIZER: "from_optimizer",
    SAMPLER: "from_sampler",
    TRAINER: "from_trainer",
    TRANSFORM: "from_transform",
}
MARKED = ("transforms_functional", "tv_tensors")  # namespaces whose tensors are marked as images, boxes and so on


def is_layer(overloads: list[Surface]) -> bool:
    """Whether they make a module, which is a class in Python."""
    return any(s.function.schema.endswith(" -> Module") for s in overloads)


def maker(overloads: list[Surface]) -> str | None:
    """What makes a class of them; None if they stay functions."""
    returned = {s.function.schema.rpartition(" -> ")[2] for s in overloads}
    if overloads[0].path[0] == "tv_tensors" and overloads[0].member[0].isupper():
        return "tv_tensor"
    if overloads[0].member == "random_split":
        return "split"
    return next((word for type_, word in MAKERS.items() if type_ in returned), None)


def imports(used: set[str], by_hand: Mapping[str, str] | None = None) -> list[str]:
    modules: dict[str, set[str]] = defaultdict(set)
    for name in used:
        module = (by_hand or {}).get(name) or MODULES.get(name)
        if module is None:
            module = "..arguments" if name.startswith(("as_", "NOT", "DEFAULT")) else None
        if module is None and name.startswith(("from_", "Cell")):
            module = "..results"
        if module is None and name == CONTIGUOUS:
            module = "..constants"
        modules[module or "..objects"].add(name)
    order = sorted(modules, key=lambda m: (m.startswith("."), m))
    lines: list[str] = []
    for module in order:
        if lines and module.startswith("..") and lines[-1] and not any(line.startswith("from ..") for line in lines):
            lines.append("")
        names = sorted(modules[module], key=lambda n: (not n.isupper(), not n[0].isupper(), n))
        line = f"from {module} import {', '.join(names)}"
        if len(line) > WIDTH:
            lines += [f"from {module} import (", *(f"    {n}," for n in names), ")"]
            if module == "ctypes":
                lines.append("")
        else:
            lines.append(line)
    return lines
