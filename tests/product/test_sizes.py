"""The scanner of sizes finds what it should, and the limits hold both ways."""

from __future__ import annotations

from tests.product import check_sizes

C = """
#define OPEN {
namespace a {
struct b {
  int f() const { return '{'; }
};
/* { */
static const int table[] = {1, 2};
static int
g(
    int x) {
  if (x) { // }
    return "}"[0];
  }
  return 0;
}
}  // namespace a
ctorch_error *h(void) { return NULL; }
"""


def test_functions_of_c_with_their_lines():
    assert list(check_sizes.c_functions(C)) == [("f", 1), ("g", 8), ("h", 1)]


def test_what_is_too_large_and_what_is_no_exception_any_more(monkeypatch):
    monkeypatch.setattr(check_sizes, "EXCEPTIONS", {"same": 90, "grown": 90, "shrunk": 90, "small": 90, "gone": 90})
    found = {"new": 81, "same": 90, "grown": 91, "shrunk": 89, "small": 70}
    assert list(check_sizes.problems({name: (size, 80) for name, size in found.items()})) == [
        "new: 81 lines or characters, at most 80",
        "grown: 91 lines or characters, at most 90",
        "shrunk: 89 now: write that into EXCEPTIONS, for 90",
        "small: 70 now: no exception",
        "gone: 0 now: no exception",
    ]
