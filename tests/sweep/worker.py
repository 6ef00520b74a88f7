"""Call functions of libctorch with the cases of cases.py, survive what kills the process, and report.

The process loads the library once and then forks: each function gets a child of its own, so that what one call does
to the heap does not reach the next function. Before each call the child notes its number in shared memory; if it
dies or hangs, the parent knows the culprit and goes on behind it in a new child.

    worker.py --library build/cmake/libctorch.so --api build/cmake/generated/api.json --report FILE [--part 0/2]
              [--only REGEX] [--case NUMBER]
"""

from __future__ import annotations

import argparse
import json
import mmap
import os
import re
import struct
import sys
from collections.abc import Callable
from itertools import islice
from pathlib import Path

# One thread: nothing to inherit across fork, and an exception in a kernel reaches the caller the same way each time.
os.environ.update(OMP_NUM_THREADS="1", MKL_NUM_THREADS="1", CTORCH_DEBUG_HANDLES="1")

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from tests.sweep.calls import COUNTED, Function, Library, Outcome  # noqa: E402
from tests.sweep.cases import ANY_ERROR, INVALID_ARGUMENT, NULL_ARGUMENT, Case, cases_of  # noqa: E402
from tests.sweep.replay import HANG_SIGNALS, limit_memory, limit_time  # noqa: E402
from tests.sweep.tensors import Handles, ReferenceCounts  # noqa: E402
from tests.sweep.values import ABSENT  # noqa: E402

# Of computing. Nearly all calls take well under a millisecond; a Laguerre polynomial of degree 2^31 takes 7 seconds.
HANG_SECONDS = 15
KEEPS_ARGUMENT = {"ctorch_tensor_set_grad"}
# Beyond the call and the release of what it gave.
KEEPS_PAYLOAD = {
    "ctorch_interrupt_set_callback",
    "ctorch_memory_pressure_set_callback",
    "ctorch_memory_pressure_set_thread_callback",
    "ctorch_warning_set_callback",
    *(
        f"ctorch_module_hooks_register_global_{kind}hook"
        for kind in ("forward_pre_", "forward_", "backward_pre_", "backward_")
    ),
    "ctorch_optimizer_register_step_pre_hook_for_all",
    "ctorch_optimizer_register_step_post_hook_for_all",
}
# What a call that succeeded is undone with, where it is not `_push` and `_pop`.
UNDO: dict[str, str] = {}
FAILING = (("callback", "error"), ("callback", "late error"))
MAX_CRASHES = 40  # of one function; the rest of its cases is then left out
MAX_HANGS = 1
MAX_PROBLEMS = 20  # reported for one function


class Runner:
    """Makes the arguments of a case, calls, and checks what every call must keep."""

    def __init__(self, library: Library, handles: Handles) -> None:
        self.library = library
        self.handles = handles
        self.counts = ReferenceCounts(library, handles.masters["float"])
        self.live = library.live_handles
        if self.live() < 0:
            raise RuntimeError("handles are not counted: CTORCH_DEBUG_HANDLES has no effect")
        direct = library.direct
        self.code, self.function_of = direct["ctorch_error_kind_of"], direct["ctorch_error_function"]
        self.text, self.release_error = direct["ctorch_error_message"], direct["ctorch_error_release"]
        self.codes = set(next(e["values"] for e in library.api["enums"] if e["name"] == "ctorch_error_kind").values())
        self.kept: dict[tuple, int] = {}

    def begin(self, function: Function) -> None:
        """Before the first case of a function: its own clones, unless it changes its arguments."""
        self.kept = {}
        self.fresh = function.mutates or function.entry["kind"] == "core"

    def handle(self, kind: str, payload: object, position: int) -> int | None:
        if kind == "handle" or payload is None:
            return payload
        if self.fresh:
            opaque, handle = self.handles.make(kind, payload)
            if not opaque.startswith("struct "):  # those are consumed, or nobody's to release
                self.made.append((opaque, handle))
        else:
            key = (kind, payload, position % 4)
            if key not in self.kept:
                self.kept[key] = self.handles.make(kind, payload)[1]
            handle = self.kept[key]
        if kind == "tensor":
            self.tensors.append((handle, self.counts.of(handle)))
        return handle

    def run(self, function: Function, case: Case) -> tuple[str, list[str]]:
        """Call once; "error" or "success", and what was wrong about it."""
        self.made: list[tuple[str, int]] = []
        self.tensors: list[tuple[int, int]] = []
        live, kept = self.live(), len(self.kept)
        destroyed = self.library.destroyed
        outcome = function(case.args, self.handle, case.null_outs, COUNTED)
        problems = []
        if outcome.error is not None:
            problems += self.check_error(function, case, outcome)
        elif case.expect is not None:
            problems.append(f"succeeded, where an error {case.expect or ''} is due")
        if outcome.error is None and function.has_error:
            problems += [f"output {name} was not written by a call that succeeded" for name in outcome.unwritten]
        for opaque, handle in outcome.owned:
            self.library.release(opaque, handle)
        self.undo(function, outcome)
        problems += self.check_counts(function, case, outcome)
        self.give_back(function, lambda opaque: opaque == "ctorch_tensor")
        if function.destroys and function.name not in KEEPS_PAYLOAD:
            calls, due = self.library.destroyed - destroyed, int(outcome.error is None)
            if calls != due:
                problems.append(f"destroy ran {calls} times, not {due}")
        leaked = self.live() - live - (len(self.kept) - kept)
        if leaked:
            problems.append(f"{leaked:+d} live handles")
        return ("error" if outcome.error is not None else "success"), problems

    def check_counts(self, function: Function, case: Case, outcome: Outcome) -> list[str]:
        """What was wrong with the reference counts of the tensors that went in."""
        if function.name in KEEPS_ARGUMENT or function.name.endswith(("_retain", "_release", "_end")):
            return []
        if any(v == ("tensor", "grad") for v in case.args.values()):
            # A graph that hangs on an argument holds references: where the argument is changed in place, and where
            # PyTorch returns a leaf as it is and makes it its own ancestor (lift, dequantize).
            returned = {handle for _, handle in outcome.owned}
            if function.mutates or any(handle in returned for handle, _ in self.tensors):
                return []
        changed = ((count, self.counts.of(handle)) for handle, count in self.tensors)
        return [f"reference count of an argument went from {a} to {b}" for a, b in changed if a != b]

    def undo(self, function: Function, outcome: Outcome) -> None:
        """Close what the call opened, and give back what the case made but for its tensors."""
        if function.name.endswith("_retain"):
            for opaque, handle in self.made:
                self.library.release(opaque, handle)
        self.give_back(function, lambda opaque: opaque != "ctorch_tensor")
        undo = UNDO.get(function.name) or re.sub("_push$", "_pop", function.name)
        if undo != function.name and undo in self.library.entries and outcome.error is None:
            undone = self.library.function(undo)
            answer = undone({p["name"]: ABSENT for p, _, _ in undone.inputs}, self.handle)
            assert answer.error is None
            for opaque, handle in answer.owned:
                self.library.release(opaque, handle)

    def give_back(self, function: Function, chosen: Callable[[str], bool]) -> None:
        if not function.name.endswith(("_release", "_scope_end")):
            for opaque, handle in reversed(self.made):
                if chosen(opaque):
                    self.library.release(opaque, handle)

    def check_error(self, function: Function, case: Case, outcome: Outcome) -> list[str]:
        error, problems = outcome.error, []
        code, name = self.code(error), self.function_of(error).decode(errors="backslashreplace")
        try:
            text = self.text(error).decode()
        except UnicodeDecodeError:
            problems.append("the message is not UTF-8")
            text = ""
        self.release_error(error)
        if outcome.touched:
            problems.append("an output was written by a call that failed")
        if name == "" and text == "made" and any(v in FAILING for v in case.args.values()):
            return problems  # it comes from a callback
        # What stands above tensors and their operators fails as they do.
        above = function.entry["kind"] not in ("aten", "core") or function.name.startswith(
            ("ctorch_module_", "ctorch_optimizer_", "ctorch_optim_")
        )
        below = above and name.startswith(("ctorch_aten_", "ctorch_tensor_"))
        if name != function.name and not below:
            problems.append(f"the error names {name!r}")
        if code not in self.codes or code == 92:
            problems.append(f"error code {code}: {text}")
        if not text:
            problems.append("the message is empty")
        if code in (NULL_ARGUMENT, INVALID_ARGUMENT):
            if "\n" in text:
                problems.append(f"the message has several lines: {text}")
            names = case.null_outs if case.family == "null out" else [p["name"] for p in function.params]
            # An operator that is called by its name has its own arguments.
            of_operator = "_op_call" in function.name and re.search(r"argument '\w+'", text)
            if not of_operator and not any(re.search(rf"\b{re.escape(n)}\b", text) for n in names):
                problems.append(f"the message names no argument: {text}")
        if case.expect is not None and case.expect != ANY_ERROR and code not in case.expect:
            problems.append(f"error {code}, where {case.expect} is due: {text[:200]}")
        return problems


class Sweep:
    """The parent: a child for each function, and a note of each death."""

    def __init__(self, library: Library, report: Path) -> None:
        self.library = library
        self.report = report
        self.log = os.open(report, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_APPEND)
        self.progress = mmap.mmap(-1, 8)
        self.errors = os.open(f"{report}.stderr", os.O_RDWR | os.O_CREAT | os.O_TRUNC)
        self.handles = Handles(library)

    def write(self, **entry: object) -> None:
        os.write(self.log, (json.dumps(entry) + "\n").encode())

    def child(self, name: str, first: int, last: int | None) -> int:
        """Run cases in a child process; its wait status."""
        struct.pack_into("q", self.progress, 0, first)
        os.ftruncate(self.errors, 0)
        pid = os.fork()
        if pid == 0:
            status = 1
            try:
                self.cases(name, first, last)
                status = 0
            except BaseException as error:
                import traceback

                self.write(kind="bug", function=name, error=repr(error), traceback=traceback.format_exc())
            finally:
                os._exit(status)
        return os.waitpid(pid, 0)[1]

    def cases(self, name: str, first: int, last: int | None) -> None:
        limit_memory()
        os.lseek(self.errors, 0, os.SEEK_SET)
        os.dup2(self.errors, 1)
        os.dup2(self.errors, 2)
        function = self.library.function(name)
        runner = Runner(self.library, self.handles)
        runner.begin(function)
        counts = {"error": 0, "success": 0}
        reported = 0
        for number, case in enumerate(islice(cases_of(function.entry), first, last), first):
            struct.pack_into("q", self.progress, 0, number)
            limit_time(HANG_SECONDS)
            answer, problems = runner.run(function, case)
            counts[answer] += 1
            for problem in problems if reported < MAX_PROBLEMS else ():
                reported += 1
                self.write(kind="problem", function=name, case=number, family=case.family, problem=problem)
        self.write(kind="done", function=name, **counts)

    def function(self, name: str, first: int = 0, last: int | None = None) -> None:
        crashes = hangs = 0
        while True:
            status = self.child(name, first, last)
            if not os.WIFSIGNALED(status):
                return  # finished, or a bug of this program that it has reported
            number = struct.unpack_from("q", self.progress, 0)[0]
            stderr = os.pread(self.errors, 4000, max(os.fstat(self.errors).st_size - 4000, 0))
            killed_by = os.WTERMSIG(status)
            hung = killed_by in HANG_SIGNALS
            alone = status if hung else self.child(name, number, number + 1)
            case = next(islice(cases_of(self.library.entries[name]), number, None))
            self.write(
                kind="hang" if hung else "crash",
                function=name,
                case=number,
                family=case.family,
                refusable=case.expect is not None,
                args={name: (kind, _text(payload)) for name, (kind, payload) in case.args.items()},
                signal=killed_by,
                alone=os.WTERMSIG(alone) if os.WIFSIGNALED(alone) else 0,
                stderr=stderr.decode(errors="replace").strip("\0")[-300:],
            )
            crashes += 1
            hangs += hung
            first = number + 1
            if crashes >= MAX_CRASHES or hangs >= MAX_HANGS or (last is not None and first >= last):
                self.write(kind="cut", function=name, case=first)
                return


def _text(payload: object) -> object:
    """With strings that JSON can hold."""
    if isinstance(payload, tuple):
        return tuple(_text(item) for item in payload)
    return payload.decode("latin-1") if isinstance(payload, bytes) else payload


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--library", type=Path, required=True)
    parser.add_argument("--api", type=Path, required=True)
    parser.add_argument("--report", type=Path, required=True)
    parser.add_argument("--part", default="0/1", help="this worker's share of the functions")
    parser.add_argument("--only", default="", help="functions whose name matches")
    parser.add_argument("--case", type=int, help="one case only")
    args = parser.parse_args()
    library = Library(args.library, args.api)
    sweep = Sweep(library, args.report)
    part, parts = map(int, args.part.split("/"))
    for position, name in enumerate(n for n in library.entries if re.search(args.only, n)):
        if position % parts == part:
            if args.case is None:
                sweep.function(name)
            else:
                sweep.function(name, args.case, args.case + 1)
    sweep.write(kind="end")


if __name__ == "__main__":
    main()
    os._exit(0)  # without the report of live handles: the masters are still there
