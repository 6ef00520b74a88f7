"""Train on a folder of images (`image_folder.py FOLDER`): FOLDER/train and FOLDER/test have a folder for each class.

Images are read, decoded and transformed by worker threads; the trainer validates after each epoch. It is
examples/image_folder.c in Python, and prints the same.
"""

import sys
from pathlib import Path

import ctorch
from ctorch import data, datasets, nn, optim, transforms

SIZE, BATCH, WORKERS, EPOCHS, CHANNELS = 32, 20, 2, 15, 16


def network(classes):
    """Convolutions with batch norm, after each of which the image is halved; the greatest values; a linear layer."""
    layers = []
    for before, after in ((3, CHANNELS), (CHANNELS, 2 * CHANNELS), (2 * CHANNELS, 4 * CHANNELS)):
        layers += [
            nn.Conv2d(before, after, 3, padding=1),
            nn.BatchNorm2d(after),
            nn.ReLU(inplace=True),
            nn.MaxPool2d(2),
        ]
    return nn.Sequential(*layers, nn.AdaptiveMaxPool2d(1), nn.Flatten(), nn.Linear(4 * CHANNELS, classes))


def batches_of(folder, part):
    parts = [transforms.ToDtype(ctorch.float32, scale=True), transforms.Normalize([0.5] * 3, [0.5] * 3)]
    if part == "train":
        parts[:0] = [
            transforms.RandomResizedCrop(SIZE, scale=(0.8, 1)),
            transforms.RandomHorizontalFlip(),
            transforms.ColorJitter(brightness=0.2, contrast=0.2, hue=0.5),
        ]
    images = datasets.ImageFolder(f"{folder}/{part}", transforms.Compose(parts))
    return data.DataLoader(images, BATCH, shuffle=part == "train", num_workers=WORKERS)


def main(folder):
    ctorch.set_num_threads(1)  # the tensors are too small for more
    ctorch.manual_seed(0)
    train, test = batches_of(folder, "train"), batches_of(folder, "test")
    print("classes", train.dataset.classes)

    model = network(len(train.dataset.classes))
    trainer = ctorch.Trainer(model, optim.AdamW(model.parameters(), 3e-3), nn.CrossEntropyLoss(), epochs=EPOCHS)
    trainer.add_metric("accuracy")
    trainer.set_validation(test)
    trainer.fit(train)
    for epoch in trainer.history:
        names = ("loss", "val_loss", "val_accuracy")
        print(f"epoch {epoch['epoch']:2}", *(f"{name} {epoch[name]:.4f}" for name in names), sep="  ")


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else Path(__file__).parents[1] / "data/shapes")
