-- Each kind of error that a CPU can raise arrives as a Lua error object with its code, message and details.
local ctorch = require("ctorch")
local check = require("check")

local aten, core, fails, that = ctorch.aten, ctorch.core, check.fails, check.that
local ones = ctorch.ones

that("SHAPE_MISMATCH tells both shapes", function()
  local e = fails("SHAPE_MISMATCH", "cannot be multiplied", aten.mm, ones({ 2, 3 }), ones({ 4, 5 }))
  check.equal({ e.code, e.func }, { 20, "ctorch_aten_mm" })
  assert(#e.details.expected_shape > 0 and #e.details.got_shape > 0)
  assert(tostring(e):find("SHAPE_MISMATCH", 1, true))
end)

that("DTYPE_MISMATCH tells both dtypes", function()
  local e = fails("DTYPE_MISMATCH", "dtype", aten.mm, ones({ 2, 2 }), ones({ 2, 2 }, { dtype = "float64" }))
  check.equal({ e.details.expected_dtype, e.details.got_dtype }, { "float32", "float64" })
end)

that("DEVICE_MISMATCH tells both devices", function()
  local leaf, elsewhere = ones({ 2 }):requires_grad_(), ones({ 2 }, { device = "meta" })
  local e = fails("DEVICE_MISMATCH", "device", core.tensor_set_grad, leaf, elsewhere)
  assert(e.details.expected_device and e.details.got_device)
end)

that("OUT_OF_MEMORY tells the bytes", function()
  local e = fails("OUT_OF_MEMORY", "memory", ctorch.empty, { 2 ^ 45 })
  check.equal(e.details.requested_bytes, 2 ^ 47)
  assert(e.details.available_bytes > 0)
end)

that("INDEX", function() fails("INDEX", "out of range", aten.select, ones({ 2 }), 0, 5) end)
that("VALUE", function() fails("VALUE", "NUL", aten.einsum, "a\0", {}) end)
that("TYPE", function() fails("TYPE", "expected", aten.neg.default, 5) end)
that("RUNTIME", function() fails("RUNTIME", "grad", function() ones({ 2 }):backward() end) end)
that("NOT_IMPLEMENTED", function()
  fails("NOT_IMPLEMENTED", "", aten.bitwise_and, ones({ 2 }), ones({ 2 }))
end)
that("LINALG", function() fails("LINALG", "singular", aten.linalg_inv, ctorch.zeros({ 2, 2 })) end)
that("SYNTAX", function()
  local library = core.library_new("lua_syntax")
  fails("SYNTAX", "", core.library_define, library, "not a schema((")
end)
that("NULL_ARGUMENT", function() 
  fails("NULL_ARGUMENT", "out", function() require("ctorch.errors").check(ctorch.C.ctorch_aten_neg(nil, nil)) end)
end)
that("INVALID_ARGUMENT", function() fails("INVALID_ARGUMENT", "", core.threads_set_num, -1) end)
that("UNSUPPORTED", function() fails("UNSUPPORTED", "", core.graph_new, "cpu", false) end)
that("IO", function()
  core.profiler_start({ "cpu" }, 0)
  local profile = core.profiler_stop()
  fails("IO", "", core.profiler_result_export_chrome_trace, profile, "/no/such/folder/file")
end)
that("INVALID_HANDLE for a closed tensor", function()
  local t = ones({ 2 })
  t:close()
  fails("INVALID_HANDLE", "closed", aten.add, t, t)
  fails("INVALID_HANDLE", "closed", function() return t.shape end)
  fails("INVALID_HANDLE", "closed", aten.cat, { t })
end)

that("a new error of each code is raised as it is", function()
  local e = ctorch.error("FORMAT", "not a file of ours", "reader")
  local caught = check.raises(error, e)
  assert(rawequal(caught, e) and e.code == 35 and tostring(e) == "reader: not a file of ours [FORMAT]")
  check.raises(ctorch.error, "NO_SUCH_CODE", "x")
end)

that("every kind of code has a name", function()
  for name, code in pairs(require("ctorch.generated.enums").error_kind) do
    check.equal(ctorch.error(name:upper(), "x").code, code)
  end
end)

that("a failed call leaves its arguments usable", function()
  local a = ones({ 2 })
  for _ = 1, 300 do
    check.raises(aten.add, a, ones({ 3 }))
  end
  check.equal((a + a):totable(), { 2, 2 })
end)

that("failing calls in a hot loop", function()
  local a, count = ones({ 1, 2 }), 0
  local mm = aten.mm.default
  for _ = 1, 1000 do
    count = count + (pcall(mm, a, a) and 0 or 1)
  end
  check.equal(count, 1000)
end)

that("the function stands once in an error's text", function()
  for _, e in ipairs({
    fails("INVALID_ARGUMENT", "", core.threads_set_num, -1),
    fails("SHAPE_MISMATCH", "", aten.mm, ones({ 2, 3 }), ones({ 4, 5 })),
    fails("NULL_ARGUMENT", "out", function() require("ctorch.errors").check(ctorch.C.ctorch_aten_neg(nil, nil)) end),
  }) do
    local text = tostring(e)
    local first = assert(text:find(e.func, 1, true), text)
    assert(e.func ~= "" and not text:find(e.func, first + 1, true), text)
  end
  local text = tostring(fails("TYPE", "expected", aten.neg.default, 5))
  assert(text:sub(1, 4) == "neg:", text)
end)

check.done()
