-- The C library. CTORCH_LIBRARY names it; without that the system's loader looks for libctorch.so.0.
local ffi = require("ffi")

ffi.cdef(require("ctorch.generated.cdef"))

return ffi.load(os.getenv("CTORCH_LIBRARY") or "libctorch.so.0")
