"""examples/image_folder.c beside the same program of PyTorch's and torchvision's own classes."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

torch = pytest.importorskip("torch")
from torch import nn  # noqa: E402

from tests.harness.sample_seed import seed_of  # noqa: E402
from tests.harness.vision import has_torchvision, torchvision  # noqa: E402

DATA = Path(__file__).parents[2] / "examples/data"
PROGRAM = Path(os.environ.get("CTORCH_BUILD", "")) / "examples/image_folder"

pytestmark = pytest.mark.skipif(
    not os.environ.get("CTORCH_BUILD") or not PROGRAM.exists(), reason="CTORCH_BUILD names no build of the examples"
)


def run(folder: Path) -> subprocess.CompletedProcess:
    environment = {**os.environ, "CTORCH_DEBUG_HANDLES": "1"}
    return subprocess.run([PROGRAM, folder], env=environment, capture_output=True, text=True, timeout=120, check=False)


def network(classes: int) -> nn.Module:
    layers = []
    for from_, to in ((3, 16), (16, 32), (32, 64)):
        layers += [nn.Conv2d(from_, to, 3, padding=1), nn.BatchNorm2d(to), nn.ReLU(), nn.MaxPool2d(2)]
    return nn.Sequential(*layers, nn.AdaptiveMaxPool2d(1), nn.Flatten(), nn.Linear(64, classes))


class Samples:
    """An ImageFolder whose transforms draw as those of a loader of ctorch do."""

    def __init__(self, folder: Path, training: bool) -> None:
        v2 = torchvision("transforms.v2")
        augmentation = [v2.RandomResizedCrop(32, (0.8, 1)), v2.RandomHorizontalFlip(), v2.ColorJitter(0.2, 0.2, 0, 0.5)]
        numbers = [v2.ToDtype(torch.float32, scale=True), v2.Normalize([0.5] * 3, [0.5] * 3)]
        self.transform = v2.Compose([*(augmentation if training else []), *numbers])
        self.images = torchvision("datasets").ImageFolder(folder, transform=v2.PILToTensor())
        self.base_seed = self.epoch = 0

    def __len__(self) -> int:
        return len(self.images)

    def __getitem__(self, index: int) -> tuple[torch.Tensor, int]:
        image, target = self.images[index]
        with torch.random.fork_rng(devices=[]):
            torch.manual_seed(seed_of(self.base_seed, self.epoch, index))
            return self.transform(image), target


def train_in_python(folder: Path) -> list[list[float]]:
    torch.manual_seed(0)
    train, test = Samples(folder / "train", True), Samples(folder / "test", False)
    batches, test_batches = (torch.utils.data.DataLoader(s, 20, shuffle=s is train) for s in (train, test))
    model, history = network(len(train.images.classes)), []
    optimizer = torch.optim.AdamW(model.parameters(), 3e-3, fused=True)
    for epoch in range(15):
        model.train()
        iterator, losses = iter(batches), []
        train.base_seed, train.epoch = iterator._base_seed, epoch
        for images, targets in iterator:
            loss = nn.functional.cross_entropy(model(images), targets)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            losses.append(loss.item())
        model.eval()
        with torch.no_grad():
            found = [(model(images), targets) for images, targets in test_batches]
        val_losses = [nn.functional.cross_entropy(*pair).item() for pair in found]
        right = sum((scores.argmax(1) == targets).sum().item() for scores, targets in found)
        history.append([sum(losses) / len(losses), sum(val_losses) / len(val_losses), right / len(test)])
    return history


@pytest.mark.skipif(not has_torchvision(), reason="no torchvision for this torch")
def test_it_learns_as_in_python():
    done = run(DATA / "shapes")
    assert (done.returncode, done.stderr) == (0, "")
    classes, *lines = done.stdout.splitlines()
    assert classes == "classes ['circle', 'square', 'triangle']"
    ours = [[float(n) for n in re.findall(r" (\d\.\d{4})", line)] for line in lines]
    threads = torch.get_num_threads()
    try:
        torch.set_num_threads(1)
        theirs = train_in_python(DATA / "shapes")
    finally:
        torch.set_num_threads(threads)
    assert len(ours) == 15 and ours[-1][2] >= 0.95
    for epoch in range(15):
        assert ours[epoch] == pytest.approx(theirs[epoch], abs=1e-4 if epoch < 3 else 0.02)


def test_a_folder_that_is_missing_is_named(tmp_path):
    done = run(tmp_path / "nowhere")
    assert done.returncode == 1 and f"{tmp_path}/nowhere/train" in done.stderr


def test_the_images_are_those_that_the_script_draws(tmp_path):
    image = pytest.importorskip("PIL.Image")
    subprocess.run([sys.executable, DATA / "make_shapes.py", tmp_path], check=True)
    drawn = sorted(path.relative_to(tmp_path) for path in tmp_path.rglob("*.png"))
    assert drawn == sorted(path.relative_to(DATA / "shapes") for path in (DATA / "shapes").rglob("*.png"))
    for path in drawn:
        assert image.open(tmp_path / path).tobytes() == image.open(DATA / "shapes" / path).tobytes()
