"""What the objects of a library use of one another, as the linker sees it."""

from __future__ import annotations

import subprocess
from pathlib import Path


def uses(objects: list[Path]) -> dict[Path, dict[Path, list[str]]]:
    """For each object the others that define what it leaves undefined, and the symbols.

    Weak definitions (inline functions, templates) are in every object that uses them and lead nowhere.
    """
    defined: dict[str, Path] = {}
    undefined: dict[Path, list[str]] = {}
    for path in objects:
        lines = subprocess.run(["nm", "-P", str(path)], check=True, capture_output=True, text=True).stdout.splitlines()
        undefined[path] = []
        for line in lines:
            name, kind, *_ = line.split()
            if kind in "TDBRC":
                if name in defined:
                    raise ValueError(f"{name} is defined in {defined[name]} and in {path}")
                defined[name] = path
            elif kind == "U":
                undefined[path].append(name)
    graph: dict[Path, dict[Path, list[str]]] = {}
    for path, names in undefined.items():
        graph[path] = {}
        for name in names:
            if name in defined:
                graph[path].setdefault(defined[name], []).append(name)
    return graph


def circles(graph: dict[Path, dict[Path, list[str]]]) -> list[list[Path]]:
    """The strongly connected components of more than one node (Tarjan 1972)."""
    index: dict[Path, int] = {}
    low: dict[Path, int] = {}
    stack: list[Path] = []
    found: list[list[Path]] = []

    def visit(node: Path) -> None:
        index[node] = low[node] = len(index)
        stack.append(node)
        for other in graph[node]:
            if other not in index:
                visit(other)
                low[node] = min(low[node], low[other])
            elif other in stack:
                low[node] = min(low[node], index[other])
        if low[node] == index[node]:
            component = []
            while not component or component[-1] != node:
                component.append(stack.pop())
            if len(component) > 1:
                found.append(sorted(component))

    for node in sorted(graph):
        if node not in index:
            visit(node)
    return found
