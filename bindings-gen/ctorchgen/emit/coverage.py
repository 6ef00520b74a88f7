"""coverage.md: what of PyTorch's operators is reachable, counted."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from ..api import Api


def totals(api: Api) -> dict[str, int]:
    operators = [f for f in api.functions if f.kind == "aten"]
    arguments = [a for f in operators if f.operator for a in f.operator.arguments]
    # By count, not by name: a renamed argument is there under the name that the lock gave it.
    dropped = sum(
        max(0, len(f.operator.arguments) - sum(p.role == "in" for p in f.params)) for f in operators if f.operator
    )
    return {
        "operator overloads": len(operators),
        "of them public": sum(f.header == "ctorch/generated/aten.h" for f in operators),
        "of them not in this LibTorch": sum(not f.available for f in operators),
        "of them substituted": sum(f.substitute is not None for f in operators),
        "arguments": len(arguments),
        "arguments dropped": dropped,
        "arguments with a default": sum(a.default is not None for a in arguments),
        "optionals that cannot be None": sum(a.type.optional and a.default not in (None, "None") for a in arguments),
        "other functions": len(api.functions) - len(operators),
    }


@dataclass(frozen=True)
class LeftOut:
    """The operators of LibTorch that have no function: each for a reason of its own, or for a type of its schema."""

    skipped: dict[str, str]  # operator -> reason
    out_of_abi: dict[str, str]  # type -> reason
    with_type: Counter[str]


def rows(api: Api, left_out: LeftOut) -> dict[str, int]:
    """The totals, and what is left out."""
    return {
        **totals(api),
        "operator overloads skipped": len(left_out.skipped),
        **{f"operator overloads out of the ABI for {t}": left_out.with_type[t] for t in left_out.out_of_abi},
    }


class Coverage:
    def __init__(self, left_out: LeftOut) -> None:
        self.left_out = left_out

    def emit(self, api: Api) -> dict[str, str]:
        counted = rows(api, self.left_out)
        kinds = Counter(str(a.type) for f in api.functions if f.operator for a in f.operator.arguments)
        lines = [f"# Coverage of LibTorch {api.torch_version} by ctorch {api.version}", ""]
        lines += ["| what | count |", "|---|---:|", *(f"| {k} | {v} |" for k, v in counted.items()), ""]
        lines += ["| schema type of an argument | count |", "|---|---:|"]
        lines += [f"| `{k}` | {v} |" for k, v in sorted(kinds.items(), key=lambda kv: (-kv[1], kv[0]))]
        lines += ["", "## Skipped", ""]
        skipped = sorted(self.left_out.skipped.items())
        lines += [f"- `aten::{name}`: {reason}" for name, reason in skipped] or ["Nothing."]
        lines += ["", "## Out of the ABI", ""]
        types = sorted(self.left_out.out_of_abi.items())
        lines += [f"- {self.left_out.with_type[t]} operators with {t}: {reason}" for t, reason in types]
        return {"coverage.md": "\n".join(lines) + "\n"}
