"""coverage.md: what of PyTorch's operators is reachable, counted."""

from __future__ import annotations

from collections import Counter

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
        "of them not in this LibTorch": sum(f.operator is None for f in operators),
        "arguments": len(arguments),
        "arguments dropped": dropped,
        "arguments with a default": sum(a.default is not None for a in arguments),
        "optionals that cannot be None": sum(a.type.optional and a.default not in (None, "None") for a in arguments),
        "other functions": len(api.functions) - len(operators),
    }


class Coverage:
    def __init__(self, skipped: dict[str, str]):
        self.skipped = skipped

    def emit(self, api: Api) -> dict[str, str]:
        rows = {**totals(api), "operator overloads skipped": len(self.skipped)}
        kinds = Counter(str(a.type) for f in api.functions if f.operator for a in f.operator.arguments)
        lines = [f"# Coverage of LibTorch {api.torch_version} by ctorch {api.version}", ""]
        lines += ["| what | count |", "|---|---:|", *(f"| {k} | {v} |" for k, v in rows.items()), ""]
        lines += ["| schema type of an argument | count |", "|---|---:|"]
        lines += [f"| `{k}` | {v} |" for k, v in sorted(kinds.items(), key=lambda kv: (-kv[1], kv[0]))]
        lines += ["", "## Skipped", ""]
        lines += [f"- `aten::{name}`: {reason}" for name, reason in sorted(self.skipped.items())] or ["Nothing."]
        return {"coverage.md": "\n".join(lines) + "\n"}
