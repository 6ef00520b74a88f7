"""What data_program.py has in Python's torch, with ctorch: a line of numbers for each case."""

import sys

import ctorch
from ctorch import data, datasets, nn, optim, transforms

x = ctorch.arange(40, dtype=ctorch.float32).view(10, 4) / 8
y = ctorch.arange(10) % 3
pairs = data.TensorDataset(x, ctorch.arange(10))


def show(name, numbers):
    print(f"{name}: {' '.join(map(repr, numbers))}")


def generator(seed):
    return ctorch.Generator().manual_seed(seed)


def labels(loader):
    return [n for _, labels in loader for n in [*labels.tolist(), -1]]


def orders():
    for workers in (0, 2):
        ctorch.manual_seed(5)
        loader = data.DataLoader(pairs, 3, shuffle=True, num_workers=workers)
        show(f"shuffled {workers}", labels(loader) + labels(loader))
    random = data.RandomSampler(pairs, generator=generator(1))
    show("random", [*random, *random])
    show("replaced", data.RandomSampler(pairs, replacement=True, num_samples=7, generator=generator(2)))
    show("weighted", data.WeightedRandomSampler([0.1, 0.2, 0.3, 0.4], 6, generator=generator(3)))
    show("subset", data.SubsetRandomSampler([4, 6, 8, 9], generator=generator(4)))
    distributed = data.DistributedSampler(pairs, 3, 1, seed=6)
    distributed.set_epoch(2)
    show("distributed", [n for batch in data.BatchSampler(distributed, 3, False) for n in [*batch, -1]])
    parts = data.random_split(pairs, [7, 3], generator(7))
    show("split", [n for part in parts for n in part.indices.tolist()])


class Squares(data.Dataset):
    def __len__(self):
        return 7

    def __getitem__(self, index):
        return ctorch.full((2,), float(index)), index * index


def callbacks():
    for workers in (0, 2):
        batches = data.DataLoader(Squares(), 3, num_workers=workers)
        show(f"callback {workers}", [n for a, b in batches for n in [*a.flatten().tolist(), *b.tolist()]])


def images(folder):
    image = ctorch.arange(3 * 8 * 8, dtype=ctorch.uint8).view(3, 8, 8)
    crop, flip = transforms.RandomCrop([4, 4]), transforms.RandomHorizontalFlip(0.5)
    both, drawn = transforms.Compose([crop, flip, transforms.ToDtype(ctorch.float32, scale=True)]), generator(8)
    show("transformed", [n for _ in range(3) for n in both(image, generator=drawn).flatten().tolist()])
    noisy = transforms.from_function(lambda row, generator: row + ctorch.rand([3], generator=generator), "Noisy")
    drawn = generator(9)
    show("noisy", [n for _ in range(3) for n in noisy(image[0, 0, :3], generator=drawn).tolist()])
    samples = datasets.ImageFolder(folder + "/images")
    show("folder", [n for pixels, label in samples for n in [*pixels.flatten().tolist(), label]])


def train(epochs, snapshots=None, step=None):
    ctorch.manual_seed(1)
    model = nn.Sequential(nn.Linear(4, 8), nn.Tanh(), nn.Linear(8, 3))
    optimizer = optim.SGD(model.parameters(), lr=0.1, momentum=0.9, foreach=False)
    trainer = ctorch.Trainer(model, optimizer, epochs=epochs)
    trainer.set_validation(data.DataLoader(data.TensorDataset(x[:4], y[:4]), 2))
    if step is not None:
        trainer.set_step(step)
    else:
        trainer.set_loss(nn.CrossEntropyLoss())
        trainer.add_metric("accuracy", lambda output, batch: (output.argmax(1) == batch[1]).double().mean())
    if snapshots is not None:
        trainer.set_snapshots(ctorch.Snapshots(snapshots))
    losses = []
    trainer.add_callback("batch_end", lambda trainer: losses.append(trainer.loss))
    trainer.fit(data.DataLoader(data.TensorDataset(x, y), 3, shuffle=True))
    return losses, trainer.history


def cross_entropy(trainer, model, batch):
    return nn.functional.cross_entropy(model(batch[0]), batch[1])


def trained(folder):
    losses, history = train(2)
    show("losses", losses)
    names = ("loss", "accuracy", "val_loss", "val_accuracy")
    show("history", [epoch[name] for epoch in history for name in names])
    train(1, folder + "/snapshots")
    show("resumed", train(2, folder + "/snapshots")[0])
    show("step", train(2, step=cross_entropy)[0])


orders()
callbacks()
images(sys.argv[1])
trained(sys.argv[1])
