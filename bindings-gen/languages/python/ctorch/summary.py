"""Event files of TensorBoard, with the names of torch.utils.tensorboard; and loggers.

with ctorch.summary.SummaryWriter("runs/first") as writer:
    writer.add_scalar("loss/train", 0.25, step)
    writer.add_histogram("weights", model.weight, step)

trainer.add_logger(ctorch.summary.Logger.csv("log.csv"))    # or json_lines, or Logger.of(writer)

for event in ctorch.summary.read("runs/first"):
    print(event.tag, event.step, event.value)
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from types import TracebackType
from typing import Any, NamedTuple

from . import objects, raw
from .constants import SummaryKind
from .construction import tensor as _tensor_of
from .dlpack import from_dlpack
from .streams import path_of
from .tensor import Tensor
from .values import from_value


def _tensor(data: Any) -> Tensor:
    if isinstance(data, Tensor):
        return data
    return from_dlpack(data) if hasattr(data, "__dlpack__") else _tensor_of(data)


def _step(global_step: int | None) -> int:
    return 0 if global_step is None else global_step


def _number(value: Any) -> float:
    return float(value.item() if isinstance(value, Tensor) else value)


class SummaryWriter(objects.SummaryWriter):
    """What writes the events of a run. Several threads may write at once."""

    __slots__ = ()

    def __init__(
        self,
        log_dir: Any = None,
        comment: str = "",
        purge_step: int | None = None,
        max_queue: int = 10,
        flush_secs: float = 120,
        filename_suffix: str = "",
    ) -> None:
        folder = None if log_dir is None else path_of(log_dir)
        made = raw.summary_writer_open(folder, comment, purge_step, max_queue, flush_secs, filename_suffix)
        self._summary_writer = made._summary_writer

    def __enter__(self) -> SummaryWriter:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    @property
    def log_dir(self) -> str:
        return raw.summary_writer_log_dir(self)

    def get_logdir(self) -> str:
        return self.log_dir

    def set_rotation(self, max_bytes: int = 0, max_secs: float = 0) -> None:
        """Begin another file when one is so large or so old; 0: never."""
        raw.summary_writer_set_rotation(self, max_bytes, max_secs)

    def flush(self) -> None:
        raw.summary_writer_flush(self)

    def close(self) -> None:
        raw.summary_writer_finish(self)

    def add_scalar(
        self,
        tag: str,
        scalar_value: Any,
        global_step: int | None = None,
        walltime: float | None = None,
        new_style: bool = False,
        double_precision: bool = False,
    ) -> None:
        value = _number(scalar_value)
        raw.summary_writer_add_scalar(self, tag, value, _step(global_step), walltime, new_style, double_precision)

    def add_scalars(
        self,
        main_tag: str,
        tag_scalar_dict: Mapping[str, Any],
        global_step: int | None = None,
        walltime: float | None = None,
    ) -> None:
        values = [_number(value) for value in tag_scalar_dict.values()]
        raw.summary_writer_add_scalars(self, main_tag, list(tag_scalar_dict), values, _step(global_step), walltime)

    def add_tensor(self, tag: str, tensor: Any, global_step: int | None = None, walltime: float | None = None) -> None:
        raw.summary_writer_add_tensor(self, tag, _tensor(tensor), _step(global_step), walltime)

    def add_histogram(
        self,
        tag: str,
        values: Any,
        global_step: int | None = None,
        bins: str | Sequence[float] = "tensorflow",
        walltime: float | None = None,
        max_bins: int | None = None,
    ) -> None:
        step, most = _step(global_step), max_bins or 0
        if isinstance(bins, str):
            raw.summary_writer_add_histogram(self, tag, _tensor(values), step, bins, walltime, most)
        else:
            edges = [float(edge) for edge in bins]
            raw.summary_writer_add_histogram_edges(self, tag, _tensor(values), step, edges, walltime, most)

    def add_image(
        self,
        tag: str,
        img_tensor: Any,
        global_step: int | None = None,
        walltime: float | None = None,
        dataformats: str = "CHW",
    ) -> None:
        raw.summary_writer_add_image(self, tag, _tensor(img_tensor), _step(global_step), walltime, dataformats)

    def add_images(
        self,
        tag: str,
        img_tensor: Any,
        global_step: int | None = None,
        walltime: float | None = None,
        dataformats: str = "NCHW",
    ) -> None:
        self.add_image(tag, img_tensor, global_step, walltime, dataformats)

    def add_image_with_boxes(
        self,
        tag: str,
        img_tensor: Any,
        box_tensor: Any,
        global_step: int | None = None,
        walltime: float | None = None,
        rescale: float = 1,
        dataformats: str = "CHW",
    ) -> None:
        """As Python's, but for labels."""
        image, boxes = _tensor(img_tensor), _tensor(box_tensor)
        step, scale = _step(global_step), float(rescale)
        raw.summary_writer_add_image_with_boxes(self, tag, image, boxes, step, walltime, scale, dataformats)

    def add_audio(
        self,
        tag: str,
        snd_tensor: Any,
        global_step: int | None = None,
        sample_rate: int = 44100,
        walltime: float | None = None,
    ) -> None:
        raw.summary_writer_add_audio(self, tag, _tensor(snd_tensor), _step(global_step), sample_rate, walltime)

    def add_text(
        self, tag: str, text_string: str, global_step: int | None = None, walltime: float | None = None
    ) -> None:
        raw.summary_writer_add_text(self, tag, text_string, _step(global_step), walltime)

    def add_graph(self, model: Any, input_to_model: Any = (), walltime: float | None = None) -> None:
        inputs = [input_to_model] if isinstance(input_to_model, Tensor) else list(input_to_model)
        raw.summary_writer_add_graph(self, model, inputs, walltime)

    def add_hparams(
        self,
        hparam_dict: Mapping[str, Any],
        metric_dict: Mapping[str, Any],
        hparam_domain_discrete: Mapping[str, Sequence[Any]] | None = None,
        run_name: str | None = None,
        global_step: int | None = None,
        walltime: float | None = None,
    ) -> None:
        metrics = {name: _number(value) for name, value in metric_dict.items()}
        domain = None if hparam_domain_discrete is None else {k: list(v) for k, v in hparam_domain_discrete.items()}
        step = _step(global_step)
        raw.summary_writer_add_hparams(self, dict(hparam_dict), metrics, domain, run_name, step, walltime)

    def add_embedding(
        self,
        mat: Any,
        metadata: Sequence[Any] | None = None,
        label_img: Any = None,
        global_step: int | None = None,
        tag: str = "default",
        metadata_header: Sequence[str] | None = None,
    ) -> None:
        images = None if label_img is None else _tensor(label_img)
        rows = None if metadata is None else list(metadata)
        raw.summary_writer_add_embedding(self, _tensor(mat), rows, images, _step(global_step), tag, metadata_header)

    def add_pr_curve(
        self,
        tag: str,
        labels: Any,
        predictions: Any,
        global_step: int | None = None,
        num_thresholds: int = 127,
        weights: Any = None,
        walltime: float | None = None,
    ) -> None:
        how = None if weights is None else _tensor(weights)
        raw.summary_writer_add_pr_curve(
            self, tag, _tensor(labels), _tensor(predictions), _step(global_step), num_thresholds, how, walltime
        )

    def add_custom_scalars(self, layout: Mapping[str, Any]) -> None:
        raw.summary_writer_add_custom_scalars(self, dict(layout), None)


class Logger(objects.Logger):
    """What takes the numbers of a training run by their names: `trainer.add_logger(logger)`."""

    __slots__ = ()

    def __init__(self, made: objects.Logger) -> None:
        self._logger = made._logger

    @classmethod
    def csv(cls, path: Any) -> Logger:
        """A table, whose header grows with the names."""
        return cls(raw.logger_open_csv(path_of(path)))

    @classmethod
    def json_lines(cls, path: Any) -> Logger:
        return cls(raw.logger_open_json_lines(path_of(path)))

    @classmethod
    def of(cls, target: SummaryWriter | Callable[..., Any]) -> Logger:
        """Scalars of a SummaryWriter, or what a function makes of names, values, step and wall time."""
        if isinstance(target, objects.SummaryWriter):
            return cls(raw.logger_from_summary_writer(target))
        return cls(raw.logger_from_callback(target))

    def log(self, values: Mapping[str, Any], step: int, walltime: float | None = None) -> None:
        raw.logger_log(self, list(values), [_number(value) for value in values.values()], step, walltime)

    def flush(self) -> None:
        raw.logger_flush(self)


class Event(NamedTuple):
    """A value of an event file."""

    tag: str
    step: int
    wall_time: float
    kind: SummaryKind
    value: Any
    """A scalar's float, a text's str, the tensor of a tensor, of a histogram its edges and counts; None of others."""


def runs(folder: Any) -> list[str]:
    """The runs below a folder."""
    return from_value(raw.summary_reader_runs(path_of(folder)))  # type: ignore[no-any-return]


def read(path: Any) -> Iterator[Event]:
    """The values in a file, or of a folder's files in their order. A part at the end that is torn is left out."""
    reader = raw.summary_reader_open(path_of(path))
    while raw.summary_reader_next(reader):
        kind = SummaryKind(raw.summary_reader_kind(reader))
        get = _VALUES.get(kind)
        yield Event(
            raw.summary_reader_tag(reader),
            raw.summary_reader_step(reader),
            raw.summary_reader_wall_time(reader),
            kind,
            None if get is None else get(reader),
        )


_VALUES: dict[SummaryKind, Callable[[Any], Any]] = {
    SummaryKind.SCALAR: raw.summary_reader_scalar,
    SummaryKind.HISTOGRAM: raw.summary_reader_bins,
    SummaryKind.TEXT: raw.summary_reader_data,  # a text may have NUL inside
    SummaryKind.TENSOR: raw.summary_reader_tensor,
}

__all__ = ["Event", "Logger", "SummaryWriter", "read", "runs"]
