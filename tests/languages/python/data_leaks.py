"""Load, transform and train a bit, leave early, fail, forget it all, and print how many handles are left."""

import gc
import itertools
import sys
import tempfile
import time

import ctorch
from ctorch import data, raw, transforms


class Samples(data.Dataset):
    def __len__(self):
        return 12

    def __getitem__(self, index):
        if index == 11:
            raise LookupError("the last")
        return ctorch.full([2], float(index)), index % 2


def failing(*_):
    raise LookupError("all")


def work():
    flip = transforms.Compose([transforms.RandomHorizontalFlip(), lambda x: x + 1])
    dataset = data.TransformedDataset(Samples(), transforms.Lambda(lambda x: x, ctorch.Tensor))
    for workers in (0, 2):
        for collate in (None, list):
            right = data.DataLoader(data.Subset(dataset, range(11)), 3, True, num_workers=workers, collate_fn=collate)
            for _ in itertools.islice(right, 2):
                pass
            batches = iter(right)
            next(batches), right.iterate_from(batches.state_dict()), list(batches)
        for wrong in (data.DataLoader(dataset, 3), data.DataLoader([1], collate_fn=failing)):
            try:
                list(wrong)  # to the end: an exception that nobody asks for is kept
                raise SystemExit("that should have failed")
            except LookupError:
                pass
    flip(ctorch.ones(1, 2, 2)), ctorch.from_value(ctorch.to_value([flip])), repr(flip)
    model = ctorch.nn.Linear(2, 2)
    optimizer = ctorch.optim.SGD(model.parameters(), lr=0.1)
    trainer = ctorch.Trainer(model, optimizer, ctorch.nn.CrossEntropyLoss(), epochs=2)
    trainer.add_metric("mean", lambda output, batch: output.mean())
    trainer.add_callback("step", lambda trainer: trainer.loss)
    loader = data.DataLoader(data.Subset(Samples(), range(11)), 4)
    trainer.set_validation(loader)
    with tempfile.TemporaryDirectory() as folder, ctorch.Snapshots(folder) as snapshots:
        trainer.set_snapshots(snapshots)
        trainer.fit(loader)
        trainer.history, trainer.evaluate(loader)
        trainer.set_snapshots(None)
    trainer.add_callback("end", failing)
    trainer.set_length(3)
    try:
        trainer.fit(loader)
    except LookupError:
        pass


work()
gc.collect()
for _ in range(100):  # workers end after what they are doing
    if not raw.debug_live_handles():
        break
    time.sleep(0.05)
print(raw.debug_live_handles())
if raw.debug_live_handles():
    print(raw.debug_report(), file=sys.stderr)
