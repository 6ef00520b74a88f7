"""What malloc has given out, for tests of memory that stays flat."""

from __future__ import annotations

import ctypes


class Allocated(ctypes.Structure):
    """`struct mallinfo2` of glibc."""

    _fields_ = [
        (name, ctypes.c_size_t)
        for name in "arena ordblks smblks hblks hblkhd usmblks fsmblks uordblks fordblks keepcost".split()
    ]


def allocated() -> int:
    """Bytes that malloc has given out; those resident would not show what fills a heap that has room."""
    answer = ctypes.CDLL(None).mallinfo2
    answer.restype = Allocated
    found = answer()
    return found.uordblks + found.hblkhd
