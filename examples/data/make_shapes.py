#!/usr/bin/env python3
"""Draw the images of shapes/: make_shapes.py [FOLDER], with Pillow.

A folder for each class, a light shape of any colour, size and place on a dark background.
"""

import math
import random
import sys
from pathlib import Path

from PIL import Image, ImageDraw

SIZE, CLASSES, COUNTS = 32, ("circle", "square", "triangle"), {"train": 40, "test": 12}
CORNERS = {"square": 4, "triangle": 3}


def colour(rng: random.Random, light: bool) -> tuple[int, ...]:
    return tuple(rng.randrange(140, 256) if light else rng.randrange(0, 110) for _ in range(3))


def draw(rng: random.Random, shape: str) -> Image.Image:
    image = Image.new("RGB", (SIZE, SIZE), colour(rng, light=False))
    radius = rng.uniform(7, 12)
    x, y = (rng.uniform(radius, SIZE - 1 - radius) for _ in range(2))
    fill, turned = colour(rng, light=True), rng.uniform(0, 2 * math.pi)
    if shape == "circle":
        ImageDraw.Draw(image).ellipse([x - radius, y - radius, x + radius, y + radius], fill)
    else:
        n = CORNERS[shape]
        angles = [turned + 2 * math.pi * i / n for i in range(n)]
        ImageDraw.Draw(image).polygon([(x + radius * math.cos(a), y + radius * math.sin(a)) for a in angles], fill)
    return image


def main() -> None:
    folder = Path(sys.argv[1] if len(sys.argv) > 1 else Path(__file__).parent / "shapes")
    rng = random.Random(0)
    for part, count in COUNTS.items():
        for shape in CLASSES:
            (folder / part / shape).mkdir(parents=True, exist_ok=True)
            for i in range(count):
                draw(rng, shape).save(folder / part / shape / f"{i:02}.png", optimize=True)


if __name__ == "__main__":
    main()
