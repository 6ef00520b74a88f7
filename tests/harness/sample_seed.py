"""The seed of what a sample's transforms draw in a loader: SplitMix64 (Steele, Lea, Flood 2014), one over the other."""

from __future__ import annotations


def seed_of(base_seed: int, epoch: int, index: int) -> int:
    x = 0
    for part in (base_seed, epoch, index):
        x = ((x ^ part) + 0x9E3779B97F4A7C15) % 2**64
        x = ((x ^ (x >> 30)) * 0xBF58476D1CE4E5B9) % 2**64
        x = ((x ^ (x >> 27)) * 0x94D049BB133111EB) % 2**64
        x ^= x >> 31
    return x
