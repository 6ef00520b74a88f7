"""ctorch.data, .datasets, .transforms, .tv_tensors and Trainer as a user writes them, beside Python's torch."""

import gc
import itertools
import math
import re
import threading
import weakref

import pytest
import torch

from tests.harness.vision import has_torchvision, torchvision  # noqa: E402
from tests.languages import data_program
from tests.languages.test_python import PROGRAMS, ROOT, ctorch, ours, run, same, theirs

X, Y = torch.arange(40.0).reshape(20, 2), torch.arange(20) % 3


@pytest.fixture(params=[torch, ctorch], ids=["torch", "ctorch"])
def package(request):
    return request.param


@pytest.fixture(params=[0, 2])
def workers(request):
    return request.param


def plain(value):
    """A batch without tensors, to be compared; tuples stay tuples."""
    if isinstance(value, dict):
        return {key: plain(entry) for key, entry in value.items()}
    if isinstance(value, list | tuple):
        return type(value)(map(plain, value))
    return (str(value.dtype).rpartition(".")[2], value.tolist()) if hasattr(value, "tolist") else value


def rows(package):
    convert = ours if package is ctorch else lambda tensor: tensor
    return convert(X), convert(Y)


class Squares:
    """A dataset of nobody's class."""

    def __len__(self):
        return 7

    def __getitem__(self, index):
        return {"index": index, "square": (float(index**2), str(index))}


def squares_of(package):
    class Mine(package.utils.data.Dataset, Squares):
        __getitem__ = Squares.__getitem__

    return Mine()


def lines_of(package):
    class Mine(package.utils.data.IterableDataset):
        def __iter__(self):
            info = package.utils.data.get_worker_info()
            first, step = (info.id, info.num_workers) if info else (0, 1)
            return iter(range(first, 10, step))

    return Mine()


# Loaders beside Python's


def every_loader(package, workers):
    data = package.utils.data
    x, y = rows(package)
    generator = package.Generator().manual_seed(4)
    tensors = data.TensorDataset(x, y)
    yield data.DataLoader(tensors, 6, num_workers=workers)
    yield data.DataLoader(tensors, batch_size=6, shuffle=True, drop_last=True, generator=generator, num_workers=workers)
    yield data.DataLoader(squares_of(package), 3, True, num_workers=workers)
    yield data.DataLoader(squares_of(package), batch_size=None, num_workers=workers)
    yield data.DataLoader(lines_of(package), 4, num_workers=workers)
    yield data.DataLoader(tensors, sampler=[3, 1, 2], num_workers=workers)
    yield data.DataLoader(tensors, batch_sampler=[[3], [1, 2]], num_workers=workers)
    yield data.DataLoader(data.Subset(tensors, [5, 6, 7]), sampler=data.SubsetRandomSampler([2, 0]))
    yield data.DataLoader(data.ConcatDataset([tensors, data.Subset(tensors, range(2))]), 8, num_workers=workers)
    yield data.DataLoader(data.StackDataset(a=tensors, b=list(range(20))), 7, num_workers=workers)
    yield data.DataLoader(data.StackDataset(tensors, list("abcdefghijklmnopqrst")), 7, num_workers=workers)
    yield data.DataLoader(tensors + tensors, 16, num_workers=workers)
    yield data.DataLoader([1.5, 2.5], 2, collate_fn=lambda samples: ("batch", samples))
    yield data.DataLoader(tensors, 4, sampler=data.WeightedRandomSampler([0.1, 0.9, 0.5], 9), num_workers=workers)
    yield data.DataLoader(tensors, 4, sampler=data.DistributedSampler(tensors, 3, 1), num_workers=workers)
    yield data.DataLoader(tensors, batch_sampler=data.BatchSampler(data.RandomSampler(tensors), 3, False))


def seeded(seed):
    return ctorch.Generator().manual_seed(seed)


def test_generators(package):
    generator = package.Generator().manual_seed(-3)
    assert generator.initial_seed() == 2**64 - 3 and generator.device.type == "cpu"
    state = generator.get_state()
    drawn = package.rand([3], generator=generator).tolist()
    generator.set_state(state)
    assert package.rand([3], generator=generator.clone_state()).tolist() == drawn
    generator.seed()
    assert generator.initial_seed() != 2**64 - 3 and isinstance(package.manual_seed(1), package.Generator)


def test_batches_are_those_of_python(workers):
    for mine, their in zip(every_loader(ctorch, workers), every_loader(torch, workers), strict=True):
        for loader in (mine, their):
            torch.manual_seed(2)
            loader.found = [[plain(batch) for batch in loader] for _ in range(2)]
        if isinstance(their.dataset, torch.utils.data.IterableDataset):
            mine.found, their.found = ([sorted(map(str, e)) for e in loader.found] for loader in (mine, their))
        assert mine.found == their.found
        if not isinstance(their.dataset, torch.utils.data.IterableDataset):
            assert len(mine) == len(their)


def test_an_object_of_any_class_is_a_dataset(workers):
    loader = ctorch.data.DataLoader(Squares(), 4, num_workers=workers)
    assert [batch["index"].tolist() for batch in loader] == [[0, 1, 2, 3], [4, 5, 6]]
    assert isinstance(loader.dataset, Squares)
    part = ctorch.data.Subset(Squares(), [-1, 2])
    assert part[0] == {"index": 6, "square": (36.0, "6")} and len(part) == 2 and part.indices == [-1, 2]


def test_parts_of_a_split_are_those_of_python(package):
    data = package.utils.data
    package.manual_seed(3)
    parts = data.random_split(data.TensorDataset(*rows(package)), [0.5, 0.25, 0.25])
    torch.manual_seed(3)
    expected = torch.utils.data.random_split(range(20), [0.5, 0.25, 0.25])
    assert [[int(part[i][0][0]) // 2 for i in range(len(part))] for part in parts] == [list(e) for e in expected]
    with pytest.raises(ValueError, match="[Ss]um of input lengths"):
        data.random_split(data.TensorDataset(*rows(package)), [3, 4])


def test_one_dataset_after_another_and_side_by_side(package):
    data = package.utils.data
    both = data.ChainDataset([lines_of(package), lines_of(package)])
    assert list(both) == [*range(10), *range(10)] and isinstance(both, data.IterableDataset)
    assert list(lines_of(package) + lines_of(package)) == list(both)
    with pytest.raises(ValueError, match="Size mismatch"):
        data.StackDataset(["a", "b"], squares_of(package))
    x, y = rows(package)
    tensors = data.TensorDataset(x, y)
    assert plain(tensors[-1]) == plain((x[-1], y[-1])) and tensors.tensors[0] is x and len(tensors) == 20
    with pytest.raises(IndexError):
        tensors[20]


def test_samplers_are_those_of_python():
    found = []
    for package in (torch, ctorch):
        data = package.utils.data
        package.manual_seed(9)
        source = [0] * 11
        distributed = data.DistributedSampler(source, 2, 1, seed=5)
        orders = [list(distributed)]
        distributed.set_epoch(3)
        samplers = [
            distributed,
            data.SequentialSampler(source),
            data.RandomSampler(source),
            data.RandomSampler(source, True, 5),
            data.SubsetRandomSampler([5, 7, 9]),
            data.WeightedRandomSampler([1.0, 3.0], 4),
            data.BatchSampler(range(5), 2, False),
        ]
        assert [len(sampler) for sampler in samplers] == [6, 11, 11, 5, 3, 4, 3]
        orders += [list(sampler) for sampler in samplers]
        found.append(orders)
    assert found[0] == found[1]


def test_what_workers_know_and_what_calls_prepare_them():
    seen, lock = set(), threading.Lock()

    def prepare(worker):
        info = ctorch.data.get_worker_info()
        with lock:
            seen.add((worker, info.id, info.num_workers, threading.get_ident() != main))

    main = threading.get_ident()
    generator = seeded(1)
    list(ctorch.data.DataLoader(range(4), num_workers=2, worker_init_fn=prepare, generator=generator))
    assert seen == {(0, 0, 2, True), (1, 1, 2, True)}
    prepare.may_thread, _ = False, seen.clear()
    list(ctorch.data.DataLoader(range(4), num_workers=2, worker_init_fn=prepare))
    assert seen == {(0, 0, 2, False), (1, 1, 2, False)}
    assert ctorch.data.get_worker_info() is None


def test_what_may_not_be_called_on_other_threads_is_not():
    class Here(Squares):
        may_thread = False

        def __getitem__(self, index):
            threads.add(threading.get_ident())
            return index

    threads = set()
    assert len(list(ctorch.data.DataLoader(Here(), num_workers=2))) == 7
    assert threads == {threading.get_ident()}
    Here.may_thread = True
    threads.clear()
    list(ctorch.data.DataLoader(Here(), num_workers=2))
    assert threading.get_ident() not in threads


class Failing(Squares):
    def __getitem__(self, index):
        if index == 4:
            raise LookupError("no sample 4")
        return index


def test_an_exception_arrives_and_batches_behind_it_too(workers):
    loader = ctorch.data.DataLoader(Failing(), 2, num_workers=workers)
    batches = iter(loader)
    assert [next(batches).tolist(), next(batches).tolist()] == [[0, 1], [2, 3]]
    with pytest.raises(LookupError, match="no sample 4") as failed:
        next(batches)
    assert getattr(failed.value, "__notes__", ["in sample 4"]) == ["in sample 4"]
    assert next(batches).tolist() == [6]
    with pytest.raises(StopIteration):
        next(batches)


def raising(*_):
    raise ArithmeticError("here")


@pytest.mark.parametrize(
    "make",
    [
        lambda: ctorch.data.DataLoader(Squares(), collate_fn=raising),
        lambda: ctorch.data.DataLoader(Squares(), num_workers=1, collate_fn=raising),
        lambda: ctorch.data.DataLoader(Squares(), num_workers=1, worker_init_fn=raising),
        lambda: ctorch.data.DataLoader(Squares(), sampler=map(raising, [1])),
        lambda: ctorch.data.DataLoader(map(raising, [1])),
        lambda: ctorch.data.DataLoader(ctorch.data.TransformedDataset(range(3), raising)),
    ],
)
def test_exceptions_of_all_callbacks_arrive(make):
    with pytest.raises(ArithmeticError, match="here"):
        list(make())


def test_a_sample_may_be_none_and_has_to_be_what_a_value_holds():
    assert list(ctorch.data.DataLoader([None, 1], batch_size=None)) == [None, 1]
    assert list(ctorch.data.DataLoader(iter([None, 1]), batch_size=None)) == [None, 1]
    with pytest.raises(TypeError, match="object"):
        list(ctorch.data.DataLoader([object()], batch_size=None))


def test_wrong_arguments_are_named():
    tensors = ctorch.data.TensorDataset(ours(X))
    with pytest.raises(TypeError, match=r"argument 'dataset' \(position 1\) must be Dataset, not int"):
        ctorch.data.DataLoader(7)
    with pytest.raises(TypeError, match="has no __len__"):
        ctorch.data.DataLoader(type("Endless", (), {"__getitem__": lambda self, i: i})())
    with pytest.raises(TypeError, match="argument 'sampler'"):
        ctorch.data.DataLoader(tensors, sampler=3)
    with pytest.raises(ValueError, match="sampler"):
        ctorch.data.DataLoader(tensors, shuffle=True, sampler=[1])
    with pytest.raises(ValueError, match="batch_size"):
        ctorch.data.DataLoader(tensors, batch_size=-1)
    with pytest.raises(TypeError, match="argument 'transform'"):
        ctorch.data.TransformedDataset(tensors, 3)
    with pytest.raises(AttributeError, match="'TensorDataset' object has no attribute 'nothing'"):
        tensors.nothing
    with pytest.raises(AttributeError, match="set_epoch|no epoch"):
        ctorch.data.SequentialSampler(tensors).set_epoch(1)
    tensors.close()
    with pytest.raises(ValueError, match="closed"):
        len(tensors)


def test_a_position_is_saved_and_gone_on_from(workers):
    loader = ctorch.data.DataLoader(Squares(), 2, shuffle=True, num_workers=workers)
    batches = iter(loader)
    next(batches)
    state = batches.state_dict()
    rest = [batch["index"].tolist() for batch in batches]
    assert len(rest) == 3
    again = ctorch.data.DataLoader(Squares(), 2, shuffle=True, num_workers=workers)
    assert [batch["index"].tolist() for batch in again.iterate_from(state)] == rest
    begun = iter(again)
    begun.load_state_dict(state)
    assert [batch["index"].tolist() for batch in begun] == rest
    with pytest.raises((TypeError, IndexError, ValueError)):
        again.iterate_from({"what": 1})


class Counting:
    """Batches of a user's own, which know where they are."""

    def __init__(self, number):
        self.at, self.number = 0, number

    def __iter__(self):
        return Counting(self.number)

    def __next__(self):
        if self.at == self.number:
            raise StopIteration
        self.at += 1
        return self.at

    def state_dict(self):
        return {"at": self.at}

    def load_state_dict(self, state):
        self.at = state["at"]


def test_iterators_of_ones_own_know_where_they_are():
    loader = ctorch.raw.loader_from_callback(None, lambda: ctorch.data_objects.as_iterator(Counting(4)))
    batches = iter(loader)
    assert [next(batches), next(batches), batches.state_dict()["at"]] == [1, 2, 2]
    assert list(loader.iterate_from({"at": 3})) == [4]
    with pytest.raises(TypeError):
        len(loader)
    plain_ones = ctorch.data_objects.as_iterator([1, 2])
    with pytest.raises(NotImplementedError):
        plain_ones.state_dict()


def test_statistics(workers):
    loader = ctorch.data.DataLoader(Squares(), 2, num_workers=workers)
    list(loader)
    found = loader.statistics()
    assert found.batches == 4 and found.consumer_waited >= 0
    assert (found.workers_worked > 0) == bool(workers)


def test_early_exits_leave_nothing_behind(workers):
    class Sample(Squares):
        pass

    dataset = Sample()
    gone = weakref.ref(dataset)
    for _ in range(3):
        for _ in itertools.islice(ctorch.data.DataLoader(dataset, num_workers=workers), 2):
            pass
    del dataset
    gc.collect()
    for _ in range(100):  # a worker may be at its last sample
        if gone() is None:
            break
        threading.Event().wait(0.05)
    assert gone() is None


def test_exceptions_that_nobody_asks_for_are_forgotten():
    failed = []

    class All(Squares):
        def __getitem__(self, index):
            failed.append(index)
            raise LookupError(f"no sample {len(failed)}")

    for _ in range(40):
        before = len(failed)
        with iter(ctorch.data.DataLoader(All(), num_workers=2)):
            while len(failed) < before + 2:
                threading.Event().wait(0.001)
    assert len(failed) >= 80 and len(ctorch.payloads._exceptions) <= 64


# Datasets of files


@pytest.fixture
def pictures(tmp_path):
    """Two folders of three small PNGs each."""
    from ctorch import raw

    for name, level in (("bright", 200), ("dark", 50)):
        (tmp_path / name).mkdir()
        for i in range(3):
            image = ctorch.full([3, 8, 6], level + i, dtype=ctorch.uint8)
            raw.image_encode_png_file(image, 6, str(tmp_path / name / f"{i}.png"))
    return tmp_path


def test_a_folder_of_images(pictures, workers):
    transform = ctorch.transforms.ToDtype(ctorch.float32, scale=True)
    folder = ctorch.datasets.ImageFolder(str(pictures), transform, target_transform=lambda target: target * 10)
    assert folder.classes == ["bright", "dark"] and folder.class_to_idx == {"bright": 0, "dark": 1}
    assert folder.targets.tolist() == [0, 0, 0, 1, 1, 1] and folder.root == str(pictures) and len(folder) == 6
    image, target = folder[4]
    assert target == 10 and image.shape == (3, 8, 6) and image[0, 0, 0].item() == pytest.approx(51 / 255)
    (batch, targets), rest = ctorch.data.DataLoader(folder, 4, num_workers=workers)
    assert batch.shape == (4, 3, 8, 6) and targets.tolist() == [0, 0, 0, 10]
    assert [round(v * 255) for v in batch[:, 1, 2, 3].tolist()] == [200, 201, 202, 50]
    with pytest.raises(OSError, match="nowhere"):
        ctorch.datasets.ImageFolder(str(pictures / "nowhere"))


def test_a_table_and_lines(tmp_path):
    (tmp_path / "a.csv").write_text("name,age\nAda,36\nAlan,\n")
    table = ctorch.datasets.CSVFile(str(tmp_path / "a.csv"))
    assert table[0] == {"name": "Ada", "age": 36.0} and math.isnan(table[1]["age"])
    assert table.columns["name"] == ["Ada", "Alan"]
    columns = ctorch.csv.load(b"a;b\n1;x\n?;y", ";", missing=["?"], fill=-1, types=["int64", "string"])
    assert (columns["a"].tolist(), columns["b"]) == ([1, -1], ["x", "y"])
    assert ctorch.csv.load_lines(b"one\r\ntwo") == ["one", "two"]
    (tmp_path / "a.txt").write_text("one\ntwo\n")
    assert list(ctorch.datasets.TextFile(str(tmp_path / "a.txt"), str.upper)) == ["ONE", "TWO"]


def test_images_sounds_and_arrays(tmp_path):
    image = ours(torch.arange(3 * 4 * 5).reshape(3, 4, 5).to(torch.uint8))
    same(ctorch.io.decode_image(ctorch.io.encode_png(image)), theirs(image))
    ctorch.io.write_png(image, tmp_path / "a.png", compression_level=0)
    assert ctorch.io.decode_image(tmp_path / "a.png", "RGB_ALPHA").shape == (4, 4, 5)
    ctorch.io.write_jpeg(image, tmp_path / "a.jpg", quality=90)
    (tmp_path / "b.jpg").write_bytes(ctorch.io.encode_jpeg(image, 90))
    assert (tmp_path / "a.jpg").read_bytes() == (tmp_path / "b.jpg").read_bytes()
    with pytest.raises(ValueError, match="none of UNCHANGED"):
        ctorch.io.decode_image(tmp_path / "a.png", "PINK")
    with pytest.raises(ValueError, match="is no PNG"):
        ctorch.io.decode_image(b"no image")
    sound = ours(torch.tensor([[0, 16384, -32768]], dtype=torch.int16))
    ctorch.wav.save(tmp_path / "a.wav", sound, 8000)
    found, rate = ctorch.wav.load(tmp_path / "a.wav", frame_offset=1)
    assert (found.tolist(), rate) == ([[0.5, -1.0]], 8000)
    digits = ROOT / "examples/data/t10k-labels-idx1-ubyte"
    assert ctorch.idx.load(digits).tolist() == list(digits.read_bytes()[8:])


# Transforms


def test_transforms_print_and_are_what_they_were_made_of():
    flip = ctorch.transforms.RandomHorizontalFlip(p=1.0)
    both = ctorch.transforms.Compose([flip, ctorch.transforms.Resize(size=[4, 5], interpolation="nearest"), negated])
    assert repr(flip) == "RandomHorizontalFlip(p=1.0)"
    assert [line.strip() for line in repr(both).splitlines()][:2] == ["Compose(", "RandomHorizontalFlip(p=1.0)"]
    assert "negated" in repr(both)
    nearest = ctorch.transforms.InterpolationMode.NEAREST
    assert "interpolation=nearest" in repr(ctorch.transforms.Resize(4, interpolation=nearest))
    back = ctorch.from_value(ctorch.to_value({"a": [flip]}))["a"][0]
    assert type(back) is ctorch.transforms.RandomHorizontalFlip and repr(back) == repr(flip)
    same(both(ours(X[None])), -torch.nn.functional.interpolate(X[None, None].flip(3), (4, 5))[0])
    for wrong, error in ((lambda: ctorch.transforms.Resize(sizes=3), "sizes"), (lambda: flip(3, 4, 5, k=1), "k")):
        with pytest.raises(TypeError, match=error):
            wrong()
    with pytest.raises(ValueError, match="p"):
        ctorch.transforms.RandomHorizontalFlip(p=2.0)
    with pytest.raises(TypeError, match="from_function"):
        ctorch.transforms.Transform()


OF_TORCHVISION = {
    "Resize": lambda v2, tv: v2.Resize(5, antialias=False),
    "RandomCrop": lambda v2, tv: v2.RandomCrop(5, padding=2, fill={tv.Image: 1}),
    "RandomResizedCrop": lambda v2, tv: v2.RandomResizedCrop((4, 6), scale=(0.5, 1.0)),
    "RandomAffine": lambda v2, tv: v2.RandomAffine(
        10, (0.1, 0.2), shear=5, interpolation=v2.InterpolationMode.BILINEAR
    ),
    "ColorJitter": lambda v2, tv: v2.ColorJitter(0.5, (0.2, 0.9), hue=0.1),
    "GaussianBlur": lambda v2, tv: v2.GaussianBlur(3, sigma=(0.1, 2.0)),
    "TrivialAugmentWide": lambda v2, tv: v2.TrivialAugmentWide(),
    "TenCrop": lambda v2, tv: v2.TenCrop(4, vertical_flip=True),
    "RandomApply": lambda v2, tv: v2.RandomApply([v2.RandomHorizontalFlip(1.0), v2.RandomSolarize(100, 1.0)]),
    "Compose": lambda v2, tv: v2.Compose([v2.RandomRotation(30), lambda image: v2.functional.invert(image)]),
    "Lambda": lambda v2, tv: v2.Lambda(lambda image: image.flip(0), tv.Image),
}


@pytest.mark.skipif(not has_torchvision(), reason="no torchvision for this torch")
@pytest.mark.parametrize("name", OF_TORCHVISION)
def test_transforms_are_those_of_torchvision(name):
    v2, tv = torchvision("transforms.v2"), torchvision("tv_tensors")
    image = (torch.arange(3 * 9 * 8) % 251).reshape(3, 9, 8).to(torch.uint8)
    for seed in (1, 2):
        torch.manual_seed(seed)
        expected = OF_TORCHVISION[name](v2, tv)(tv.Image(image))
        torch.manual_seed(seed)
        found = OF_TORCHVISION[name](ctorch.transforms, ctorch.tv_tensors)(ctorch.tv_tensors.Image(ours(image)))
        several = (found, expected) if isinstance(expected, tuple) else ((found,), (expected,))
        for mine, their in zip(*several, strict=True):
            same(mine, their.as_subclass(torch.Tensor))
            assert type(mine).__name__ == type(their).__name__


def negated(x):
    return -x


def test_draws_are_those_of_the_generator():
    image = ours(torch.arange(300).reshape(3, 10, 10).to(torch.uint8))
    crop = ctorch.transforms.Compose([ctorch.transforms.RandomCrop(4), ctorch.transforms.RandomVerticalFlip()])
    torch.manual_seed(11)
    expected = theirs(crop(image)).clone()
    same(crop(image, generator=seeded(11)), expected)

    def mine(sample, generator):
        given.append(generator)
        return ctorch.rand([2], generator=generator)

    given = []
    drawing = ctorch.transforms.from_function(mine, "Mine")
    assert repr(drawing) == "Mine()"
    same(drawing(image, generator=seeded(5)), torch.rand(2, generator=torch.Generator().manual_seed(5)))
    torch.manual_seed(5)
    same(ctorch.transforms.Compose([drawing])(image), torch.rand(2, generator=torch.Generator().manual_seed(5)))
    assert given[0] is not None


def test_draws_do_not_depend_on_workers():
    found = []
    for workers in (0, 1, 3):
        torch.manual_seed(8)
        crop = ctorch.transforms.RandomCrop([2, 2])
        dataset = ctorch.data.TransformedDataset([ours(torch.arange(64).reshape(1, 8, 8))] * 12, crop)
        loader = ctorch.data.DataLoader(dataset, 5, num_workers=workers)
        found.append([plain(batch) for _ in range(2) for batch in loader])
    assert found[0] == found[1] == found[2] and found[0][0] != found[0][3]


def test_marks_tell_what_tensors_are():
    tv = ctorch.tv_tensors
    image = tv.Image(ours(torch.zeros(3, 10, 20)))
    boxes = tv.BoundingBoxes([[1, 2, 5, 6]], format=tv.BoundingBoxFormat.XYXY, canvas_size=(10, 20))
    points = tv.KeyPoints([[1, 2]], canvas_size=(10, 20))
    sample = {"image": image, "boxes": boxes, "points": points, "mask": tv.Mask(ours(torch.zeros(10, 20)))}
    flipped = ctorch.transforms.RandomHorizontalFlip(1.0)(sample)
    assert [type(v) for v in flipped.values()] == [tv.Image, tv.BoundingBoxes, tv.KeyPoints, tv.Mask]
    assert flipped["boxes"].tolist() == [[15, 2, 19, 6]] and flipped["boxes"].canvas_size == (10, 20)
    assert flipped["boxes"].format == "XYXY" and boxes.clamping_mode == "soft"
    other = ctorch.transforms.ConvertBoundingBoxFormat("CXCYWH")(boxes)
    assert other.format is tv.BoundingBoxFormat.CXCYWH and other.tolist() == [[3, 4, 4, 4]]
    assert type(image + 1) is ctorch.Tensor and isinstance(image, ctorch.Tensor) and isinstance(image, tv.TVTensor)
    assert type(tv.wrap(image + 1, like=image)) is tv.Image
    assert type(ctorch.transforms.functional.horizontal_flip(image)) is tv.Image
    with pytest.raises(ValueError, match="2D"):
        tv.Image(ours(torch.zeros(3)))
    zero = ctorch.transforms.RandomZoomOut(fill={tv.Image: 1.0, tv.Mask: 2.0}, p=1.0)
    torch.manual_seed(0)
    out, mask = zero(image, sample["mask"])
    assert out.max().item() == 1 and mask.max().item() == 2


# The trainer


TX, TY = torch.randn(50, 4, generator=torch.Generator().manual_seed(0)), torch.arange(50) % 3


def begun(package, workers=0):
    """Model, optimizer, loss, loader and loader for validation, from the same seed."""
    package.manual_seed(1)
    nn, data = package.nn, package.utils.data
    x, y = (TX, TY) if package is torch else (ours(TX), ours(TY))
    model = nn.Sequential(nn.Linear(4, 8), nn.Dropout(0.25), nn.Tanh(), nn.Linear(8, 3))
    optimizer = package.optim.SGD(model.parameters(), lr=0.1, momentum=0.9, foreach=False)
    tensors = data.TensorDataset(x, y)
    loader = data.DataLoader(tensors, 8, shuffle=True, num_workers=workers)
    return model, optimizer, nn.CrossEntropyLoss(), loader, data.DataLoader(tensors, 25)


def plain_loop(epochs):
    model, optimizer, loss_of, loader, validation = begun(torch)
    scheduler = torch.optim.lr_scheduler.StepLR(optimizer, 1, 0.5)
    losses, history = [], []
    for _ in range(epochs):
        model.train()
        mine, hits = [], 0
        for x, y in loader:
            output = model(x)
            loss = loss_of(output, y)
            loss.backward()
            torch.nn.utils.clip_grad_norm_(model.parameters(), 0.5)
            optimizer.step()
            optimizer.zero_grad()
            mine.append(loss.item())
            hits += (output.argmax(1) == y).sum().item()
        scheduler.step()
        model.eval()
        with torch.no_grad():
            outputs = [(model(x), y) for x, y in validation]
        losses += mine
        history.append(
            {
                "loss": sum(mine) / len(mine),
                "accuracy": hits / 50,
                "val_loss": sum(loss_of(o, y).item() for o, y in outputs) / 2,
                "val_accuracy": sum((o.argmax(1) == y).sum().item() for o, y in outputs) / 50,
            }
        )
    return losses, history


def trainer_of(epochs, workers=0, **options):
    model, optimizer, loss, loader, validation = begun(ctorch, workers)
    trainer = ctorch.Trainer(model, optimizer, loss, epochs=epochs, **options)
    trainer.add_metric("accuracy")
    trainer.add_metric("mean", lambda output, batch: output.mean() + 0 * len(batch))
    trainer.set_clipping(max_norm=0.5)
    trainer.set_lr_scheduler(ctorch.optim.lr_scheduler.StepLR(optimizer, 1, 0.5))
    trainer.set_validation(validation)
    losses = []
    trainer.add_callback("batch_end", lambda trainer: losses.append(trainer.loss))
    return trainer, loader, losses


def near(mine, expected):
    assert len(mine) == len(expected)
    for a, b in zip(mine, expected):
        assert all(math.isclose(a[name], b[name], rel_tol=1e-12) for name in b)


def test_the_trainer_is_the_loop_in_python(workers):
    losses, history = plain_loop(2)
    trainer, loader, mine = trainer_of(2, workers)
    trainer.fit(loader)
    assert mine == losses
    near(trainer.history, history)
    assert (trainer.epoch, trainer.step, trainer.stopped) == (2, 14, False)
    assert repr(trainer) == "<ctorch.Trainer at epoch 2, step 14>"
    assert trainer.evaluate(begun(ctorch)[3])["loss"] > 0


def test_it_is_stopped_and_resumed_from_snapshots(tmp_path):
    losses, history = plain_loop(3)
    trainer, loader, head = trainer_of(3)
    trainer.set_snapshots(ctorch.Snapshots(tmp_path))
    trainer.add_callback("step", lambda trainer: trainer.step == 9 and trainer.stop())
    trainer.fit(loader)
    assert trainer.stopped and trainer.step == 9
    trainer, loader, tail = trainer_of(3)
    ctorch.manual_seed(77)
    trainer.set_snapshots(ctorch.Snapshots(tmp_path))
    trainer.fit(loader)
    assert head + tail == losses
    near(trainer.history, history)


def test_events_come_in_their_order():
    trainer, loader, _ = trainer_of(1, steps=2)
    seen = []
    for event in "begin epoch_begin batch_end gradients step validation epoch_end end".split():
        trainer.add_callback(event, lambda given, event=event: seen.append((event, given is trainer)))
    trainer.fit(loader)
    assert [event for event, _ in seen[:5]] == ["begin", "epoch_begin", "batch_end", "gradients", "step"]
    assert seen[-1] == ("end", True) and all(right for _, right in seen)


def test_a_step_and_batches_of_ones_own():
    class Model(ctorch.nn.Module):
        def __init__(self):
            super().__init__()
            self.weight = ctorch.nn.Parameter(ctorch.ones(1))

        def forward(self, x):
            return self.weight * x

    def step(trainer, module, batch):
        seen.append((trainer.step, type(module)))
        return (module(batch["x"]) - 3).square().mean()

    model, seen = Model(), []
    trainer = ctorch.Trainer(model, ctorch.optim.SGD(model.parameters(), lr=0.25), epochs=2)
    trainer.set_step(step)
    trainer.fit([{"x": ctorch.ones(2)}, {"x": ctorch.ones(4)}])
    assert seen == [(i, Model) for i in range(4)]
    assert model.weight.item() == 3 - 2 * 0.5**4


def test_failures_of_the_trainer():
    model, optimizer, loss, loader, _ = begun(ctorch)
    with pytest.raises(ValueError, match="neither a loss nor a step"):
        ctorch.Trainer(model, optimizer).fit(loader)
    with pytest.raises(ValueError, match="none of none, lines, live, auto"):
        ctorch.Trainer(model, optimizer, loss, progress="loud")
    trainer = ctorch.Trainer(model, optimizer, loss)
    with pytest.raises(ValueError, match="there was no batch yet"):
        trainer.loss
    trainer.add_callback("step", lambda trainer: trainer.set_length(4))
    with pytest.raises(RuntimeError, match="at work"):
        trainer.fit(loader)
    trainer = ctorch.Trainer(model, optimizer, loss)
    trainer.add_metric("wrong", raising)
    with pytest.raises(ArithmeticError, match="here"):
        trainer.fit(loader)
    with pytest.raises(ValueError, match="there is a metric"):
        trainer.add_metric("wrong")
    with pytest.raises(TypeError, match="argument 'loader'"):
        trainer.fit(3)
    trainer.close()
    with pytest.raises(ValueError, match="closed"):
        trainer.history


def test_a_trainer_goes_with_all_that_it_holds():
    trainer, loader, _ = trainer_of(1)
    trainer.fit(loader)
    gone = weakref.ref(trainer)
    del trainer
    gc.collect()
    assert gone() is None


def test_a_program_prints_the_numbers_of_python(tmp_path):
    folder = data_program.give(tmp_path)
    data_program.check(run(PROGRAMS / "data.py", folder).stdout, folder)


def test_the_second_program_of_the_readme(tmp_path):
    text = (ROOT / "bindings-gen/languages/python/README.md").read_text()
    (tmp_path / "program.py").write_text(re.findall(r"```python\n(.*?)```", text, re.DOTALL)[1])
    assert run(tmp_path / "program.py").stdout == "1.0\n"


def test_no_handle_is_left():
    assert run(PROGRAMS / "data_leaks.py").stdout.split() == ["0"]
