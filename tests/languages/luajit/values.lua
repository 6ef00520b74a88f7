-- Values on their way in and out: numbers, lists, options, names, indices.
local ffi = require("ffi")
local ctorch = require("ctorch")
local check = require("check")

local aten, equal, that = ctorch.aten, check.equal, check.that
local inf, nan = 1 / 0, 0 / 0

that("defaults and keywords", function()
  local a, b = ctorch.tensor({ 1, 2 }), ctorch.tensor({ 10, 20 })
  equal(aten.add(a, b):totable(), { 11, 22 })
  equal(aten.add(a, b, { alpha = 2 }):totable(), { 21, 42 })
  equal(aten.add({ self = a, other = b, alpha = 0.5 }):totable(), { 6, 12 })
  equal(aten.add.Tensor(a, { other = b }):totable(), { 11, 22 })
end)

that("overloads by the types of the arguments", function()
  local a = ctorch.tensor({ { 1, 5 }, { 7, 3 } })
  equal(aten.max(a):item(), 7)
  local values, indices = aten.max(a, 1)
  equal({ values:totable(), indices:totable() }, { { 5, 7 }, { 1, 0 } })
  equal(aten.max(a, ctorch.tensor({ 4, 4 })):totable(), { { 4, 5 }, { 7, 4 } })
  equal(a:sum():item(), 16)
  equal(a:sum({ dim = 0 }):totable(), { 8, 8 })
  equal(a:sum({ 0, 1 }):item(), 16)
  equal(a:to("int64").dtype, "int64")
  equal(a:pow(2):totable(), { { 1, 25 }, { 49, 9 } })
  equal(aten.pow(2, a):totable(), { { 2, 32 }, { 128, 8 } })
  equal(a:split(1)[2]:totable(), { { 7, 3 } })
  equal(aten.div(a, a, { rounding_mode = "floor" }):totable(), { { 1, 1 }, { 1, 1 } })
end)

that("modules of schema files, with what Python draws and computes from the same seed", function()
  ctorch.core.random_manual_seed(0)
  local conv = ctorch.nn.Conv2d(1, 2, { 3, 2 }, { stride = 2, padding = 1 })
  local y = ctorch.core.module_forward(conv, ctorch.ones({ 1, 1, 4, 4 }))
  equal(y.shape, { 1, 2, 2, 3 })
  equal(math.floor(y[0][1][1][2]:item() * 1e6 + 0.5), -438072) -- the last digits are the processor's
  equal(#ctorch.core.module_parameters(conv, true), 2)
  ctorch.core.random_manual_seed(0)
  conv = ctorch.nn.Conv2d(1, 2, 3, { padding = "same", bias = false })
  y = ctorch.core.module_forward(conv, ctorch.ones({ 1, 1, 4, 4 }))
  equal(y[0][0][0][0]:item(), 0.19571614265441895)
  ctorch.core.random_manual_seed(0)
  local weight = ctorch.zeros({ 2, 2 })
  equal(rawequal(ctorch.init.kaiming_uniform_(weight, { nonlinearity = "relu" }), weight), true)
  equal(weight[1][0]:item(), -1.425555944442749)
  equal(tostring(ctorch.nn.Conv2d), "ctorch.nn.Conv2d")
  check.fails("VALUE", "groups must be positive", ctorch.nn.Conv2d, 1, 1, 1, { groups = 0 })
  check.fails("TYPE", "no overload of Conv2d", ctorch.nn.Conv2d, 1, 1, "3")
end)

that("64-bit integers are exact", function()
  local big = 9007199254740993LL -- 2^53 + 1
  local t = ctorch.full({ 2 }, big, { dtype = "int64" })
  equal(t[0]:item(), big)
  equal(t:totable(), { big, big })
  equal(ctorch.full({}, -0x7fffffffffffffffLL - 1, { dtype = "int64" }):item(), -0x7fffffffffffffffLL - 1)
  equal(ctorch.tensor({ 0x7fffffffffffffffLL }):item(), 0x7fffffffffffffffLL)
  equal(ctorch.tensor({ 3LL }):item(), 3)
  equal(type(ctorch.tensor({ 3LL }):item()), "number")
  equal(ctorch.full({}, 0xffffffffffffffffULL, { dtype = "uint64" }):item(), 0xffffffffffffffffULL)
  ctorch.core.random_manual_seed(0xfffffffffffffffeULL)
  equal(ctorch.core.random_initial_seed("cpu"), 0xfffffffffffffffeULL)
end)

that("numbers that are no 64-bit integers are refused", function()
  local t = ctorch.tensor({ 1 })
  for _, value in ipairs({ 1.5, inf, nan, 2 ^ 53 + 2, "1", true, { 1 } }) do
    check.fails("TYPE", "integer", function() aten.select.int(t, 0, value) end, nil)
  end
end)

that("whole numbers are integer Scalars, others are floats", function()
  local function sum(value) return aten.add(ctorch.zeros({}, { dtype = "int64" }), value).dtype end
  equal({ sum(2), sum(2.5), sum(ctorch.float(2)), sum(2LL) }, { "int64", "float32", "float32", "int64" })
  equal({ ctorch.arange(2).dtype, ctorch.arange(2.5).dtype }, { "int64", "float32" })
end)

that("where a number alone decides the dtype, it is that of its type", function()
  for _, value in ipairs({ 0, 1, 0.5, -3 }) do
    equal({ ctorch.full({ 1 }, value).dtype, ctorch.full({}, value):item() }, { "float32", value })
  end
  equal({ ctorch.full({}, 2LL).dtype, ctorch.full({}, ctorch.int(2)).dtype }, { "int64", "int64" })
  equal({ ctorch.full({}, true).dtype, ctorch.full({}, ctorch.complex(1, 2)).dtype }, { "bool", "complex64" })
  local mask = ctorch.tensor({ true, false })
  equal({ aten.where(mask, 1, 0).dtype, aten.where(mask, 0.5, 0).dtype }, { "float32", "float32" })
  equal(aten.where(mask, 1LL, 0LL).dtype, "int64")
  equal(1 / ctorch.full({}, -0.0):item(), -inf)
end)

that("NaN and infinity", function()
  local t = ctorch.tensor({ inf, -inf, nan })
  local values = t:totable()
  assert(values[1] == inf and values[2] == -inf and values[3] ~= values[3])
  assert(ctorch.full({}, inf):item() == inf)
end)

that("complex", function()
  local z = ctorch.full({ 1 }, ctorch.complex(1.5, -2)):item()
  equal({ z.re, z.im }, { 1.5, -2 })
  equal((ctorch.full({}, ffi.new("complex", 0, 1)) * ffi.new("complex", 0, 1)):item().re, -1)
end)

that("empty lists, and none in lists", function()
  equal(ctorch.zeros({}).ndim, 0)
  equal(ctorch.zeros({ 0, 3 }):totable(), {})
  local t = ctorch.tensor({ { 1, 2 }, { 3, 4 } })
  equal(aten.index.Tensor(t, { ctorch.none, ctorch.tensor({ 1LL }) }):totable(), { { 2 }, { 4 } })
  check.fails("VALUE", "non-empty", aten.cat, {})
  equal(aten.sum(t, {}):item(), 10)
  equal(aten.sum(t, ctorch.none):item(), 10)
end)

that("results: several, lists, undefined, numbers, booleans, names", function()
  local values, indices = ctorch.tensor({ 3, 1, 2 }):sort()
  equal({ values:totable(), indices:totable() }, { { 1, 2, 3 }, { 1, 2, 0 } })
  local parts = ctorch.arange(5):split(2)
  equal({ parts.n, parts[3]:totable() }, { 3, { 4 } })
  local x, w = ctorch.ones({ 1, 1, 3, 3 }), ctorch.ones({ 1, 1, 2, 2 })
  local a, b, c = aten.convolution_backward(
    ctorch.ones({ 1, 1, 2, 2 }), x, w, ctorch.none, { 1, 1 }, { 0, 0 }, { 1, 1 }, false, { 0, 0 }, 1,
    { true, false, true })
  equal({ a.shape, b == nil, c:item() }, { { 1, 1, 3, 3 }, true, 4 })
  equal(x:equal(x), true)
  equal(aten.result_type(x, 1), "float32")
  equal(aten.sym_size(x, 2), 3)
  equal(aten.q_scale(aten.quantize_per_tensor(x, 0.25, 3, "quint8")), 0.25)
end)

that("in-place operators and out= give the argument back", function()
  local t = ctorch.tensor({ 1, 2 })
  assert(rawequal(t:add_(1), t) and rawequal(t:mul_(2):sub_(1), t))
  equal(t:totable(), { 3, 5 })
  local out = ctorch.empty({ 0 })
  assert(rawequal(aten.add(t, t, { out = out }), out))
  equal(out:totable(), { 6, 10 })
  local a, b = ctorch.empty({ 0 }), ctorch.empty({ 0 }, { dtype = "int64" })
  local values, indices = aten.sort(t, { descending = true, values = a, indices = b })
  assert(rawequal(values, a) and rawequal(indices, b))
  local noise = ctorch.zeros({ 2 }) -- changed as well, but not returned
  assert(rawequal(aten.rrelu_with_noise_(t, noise), t))
  equal(select("#", aten.rrelu_with_noise_(t, noise)), 1)
end)

that("dtypes, layouts, devices, memory formats by name", function()
  local t = ctorch.zeros({ 1, 2, 2, 2 }, { dtype = "float64", device = "cpu", layout = "strided" })
  equal({ t.dtype, t.device, t.layout }, { "float64", "cpu", "strided" })
  equal(aten.contiguous(t, { memory_format = "channels_last" }).strides, { 8, 1, 4, 2 })
  equal(ctorch.zeros({ 2 }, { device = "meta" }).device, "meta")
  check.fails("TYPE", "a dtype", aten.zeros.default, { 2 }, { dtype = "float33" })
  check.fails("TYPE", "a device", aten.zeros.default, { 2 }, { device = "cpu:" })
  check.fails("TYPE", "a device", aten.zeros.default, { 2 }, { device = "abacus" })
  check.fails("INVALID_ARGUMENT", "device", aten.zeros.default, { 2 }, { device = ffi.new("ctorch_device", 99, 0) })
  equal(aten.zeros.default({ 2 }, { dtype = 7 }).dtype, "float64")
  check.fails("INVALID_ARGUMENT", "dtype", aten.zeros.default, { 2 }, { dtype = 999 })
end)

that("strings", function()
  equal(aten.einsum("ij->ji", { ctorch.tensor({ { 1, 2 } }) }):totable(), { { 1 }, { 2 } })
  check.fails("VALUE", "NUL", aten.einsum, "i\0", { ctorch.tensor({ 1 }) })
  check.fails("INVALID_ARGUMENT", "UTF-8", aten.einsum, "\255", { ctorch.tensor({ 1 }) })
end)

that("one number for a list of fixed length", function()
  equal(aten.max_pool2d(ctorch.ones({ 1, 4, 4 }), 2).shape, { 1, 2, 2 })
end)

that("arguments of which Lua words are the names", function()
  equal(aten.arange({ ["end"] = 3 }):totable(), { 0, 1, 2 })
  equal(ctorch.tensor({ 1, 2 })["repeat"](ctorch.tensor({ 1, 2 }), { 2 }):totable(), { 1, 2, 1, 2 })
  equal(ctorch.tensor({ true, false }):logical_not():totable(), { false, true })
end)

that("operators of Lua", function()
  local t = ctorch.tensor({ 2, 4 })
  equal((t + t):totable(), { 4, 8 })
  equal((1 + t - 1):totable(), { 2, 4 })
  equal((10 - t):totable(), { 8, 6 })
  equal((t * 3 / 2):totable(), { 3, 6 })
  equal((8 / t):totable(), { 4, 2 })
  equal((t ^ 2 % 3):totable(), { 1, 1 })
  equal((2 ^ t):totable(), { 4, 16 })
  equal((7 % t):totable(), { 1, 3 })
  equal((-t):totable(), { -2, -4 })
  equal(#t, 2)
  assert(t == t and t ~= ctorch.tensor({ 2, 4 }) and t ~= nil)
end)

that("indices", function()
  local t = ctorch.arange(12):reshape({ 3, 4 })
  equal(t[0]:totable(), { 0, 1, 2, 3 })
  equal(t[-1][-1]:item(), 11)
  equal(t[{ ctorch.slice(0, 2), 1 }]:totable(), { 1, 5 })
  equal(t[{ "...", ctorch.slice(nil, nil, 2) }]:totable(), { { 0, 2 }, { 4, 6 }, { 8, 10 } })
  equal(t[{ ctorch.none, 0 }].shape, { 1, 4 })
  equal(t[t:gt(9)]:totable(), { 10, 11 })
  equal(t[{ { 0, 2 } }]:totable(), { { 0, 1, 2, 3 }, { 8, 9, 10, 11 } })
  t[0] = 7
  t[{ 1, ctorch.slice(2) }] = ctorch.tensor({ 0LL, 0LL })
  equal(t:totable(), { { 7, 7, 7, 7 }, { 4, 5, 0, 0 }, { 8, 9, 10, 11 } })
  check.fails("INDEX", "out of", function() return t[3] end)
  check.fails("INDEX", "too many", function() return t[{ 0, 0, 0 }] end)
  check.fails("TYPE", "index", function() return t[{ "x" }] end)
end)

that("properties", function()
  local t = ctorch.zeros({ 2, 3 })
  equal({ t.shape, t.strides, t.ndim, t.numel, t.nbytes, t.is_leaf }, { { 2, 3 }, { 3, 1 }, 2, 6, 24, true })
  equal({ t:size(), t:size(-1), t.T.shape }, { { 2, 3 }, 3, { 3, 2 } })
  check.fails("TYPE", "no field", function() t.color = 1 end)
end)

that("repr", function()
  equal(tostring(ctorch.tensor({ 1, 2.5 })), "tensor([1.0000, 2.5000])")
end)

that("nested lists of unequal length are refused", function()
  check.fails("VALUE", "not of one length", ctorch.tensor, { { 1, 2 }, { 3 } })
end)

that("dtypes without a C type come out as floats", function()
  equal(ctorch.tensor({ 1.5 }, { dtype = "bfloat16" }):totable(), { 1.5 })
  equal(ctorch.tensor({ 1.5 }, { dtype = "float16" }):item(), 1.5)
end)

that("memory in and out", function()
  local data = ffi.new("float[3]", 1, 2, 3)
  equal(ctorch.from_data(data, { 3 }, "float32"):totable(), { 1, 2, 3 })
  equal(ctorch.from_data("\1\2", { 2 }, "uint8"):totable(), { 1, 2 })
  check.fails("INVALID_ARGUMENT", "", ctorch.from_data, "\1", { 2 }, "uint8")
  local buffer = ffi.new("float[3]")
  ctorch.core.tensor_copy_to_buffer(ctorch.from_data(data, { 3 }, "float32"), buffer, "float32")
  equal({ buffer[0], buffer[2] }, { 1, 3 })
end)

that("functions beside the operators", function()
  local t = ctorch.tensor({ 1, 2 })
  equal(ctorch.core.dtype_itemsize("float64"), 8)
  equal(ctorch.core.device_type_name("cuda"), "cuda")
  equal({ ctorch.core.tensor_item_complex(ctorch.tensor({ 2 })) }, { 2, 0 })
  local op = ctorch.core.op_find("aten::add", "Tensor")
  equal(ctorch.core.op_argument_name(op, 1), "other")
  local value = ctorch.core.value_from_list({ ctorch.core.value_from_int(3), ctorch.core.value_from_string("x") })
  equal(ctorch.core.value_repr(value), "[3, 'x']")
  equal(ctorch.core.value_kind_of(value), "list")
  equal(ctorch.core.value_to_string(ctorch.core.value_get(value, 1)), "x", 1)
  ctorch.core.profiler_start({ "cpu" }, 0)
  t:sum()
  local profile = ctorch.core.profiler_stop()
  assert(ctorch.core.profiler_result_len(profile) > 0)
end)

that("options are checked", function()
  local t = ctorch.tensor({ 1 })
  check.fails("TYPE", "no argument beta", aten.add.Tensor, t, t, { beta = 1 })
  check.fails("TYPE", "given twice", aten.add.Tensor, t, t, { other = t })
  check.fails("TYPE", "no overload of add takes (Tensor, string)", aten.add, t, "x")
  check.fails("TYPE", "expected a boolean", aten.sum.dim_IntList, t, { 0 }, 1)
end)

that("a list may call what it is an argument of while it is read", function()
  local one, two = ctorch.tensor({ 1 }), ctorch.tensor({ 2 })
  local inner
  local list = setmetatable({ n = 3 }, {
    __index = function()
      inner = aten.cat({ two, two, two, two }):totable()
      return one
    end,
  })
  for _ = 1, 3 do
    equal(aten.cat(list):totable(), { 1, 1, 1 })
    equal(inner, { 2, 2, 2, 2 })
  end
  one:close()
  two:close()
end)

that("after a list that was refused, and after a call that failed, the next is whole", function()
  local list = {}
  for i = 1, 9 do
    list[i] = ctorch.tensor({ i })
  end
  local long = {} -- more than an array that is used again has room for
  for i = 1, 65 do
    long[i] = list[(i - 1) % 9 + 1]
  end
  local joined = aten.cat(long):totable()
  equal({ #joined, joined[1], joined[64], joined[65] }, { 65, 1, 1, 2 })
  long[65] = nil
  joined = aten.cat(long):totable()
  equal({ #joined, joined[1], joined[63], joined[64] }, { 64, 1, 9, 1 })
  check.fails("TYPE", "tensors", aten.cat, { list[9], list[9], "no tensor" })
  equal(aten.cat(list):totable(), { 1, 2, 3, 4, 5, 6, 7, 8, 9 })
  check.fails("SHAPE_MISMATCH", "", aten.cat, { ctorch.ones({ 2, 2 }), ctorch.ones({ 3, 3 }) })
  equal(aten.cat(list):totable(), { 1, 2, 3, 4, 5, 6, 7, 8, 9 })
end)

that("lists of every length, with and without entries that are no box", function()
  local one = ctorch.tensor({ 1 })
  for length = 1, 20 do
    local tensors, sizes = {}, {}
    for i = 1, length do
      tensors[i] = i % 3 == 0 and one.handle[0] or ctorch.tensor({ i }) -- a bare pointer is a tensor too
      sizes[i] = 1
    end
    local joined = aten.cat(tensors, 0):totable()
    equal(#joined, length)
    for i = 1, length do
      equal(joined[i], i % 3 == 0 and 1 or i)
    end
    equal(#aten.ones(sizes).shape, length)
    tensors[length] = "no tensor"
    check.fails("TYPE", "expected a tensor", aten.cat.default, tensors, 0)
    sizes[length] = 0.5
    check.fails("TYPE", "expected an integer", aten.ones.default, sizes)
    local indices = { n = length }
    indices[length] = ctorch.tensor({ 0 }, { dtype = "int64" }) -- nil before it is None
    if length <= 4 then
      equal(aten.index(aten.ones({ 2, 2, 2, 2 }), indices).shape[length], 1)
    end
  end
  equal(aten.ones({ n = 0 }).ndim, 0)
  check.fails("TYPE", "a closed tensor", function()
    one:close()
    local ok, e = pcall(aten.cat, { one }, 0)
    assert(not ok and e.name == "INVALID_HANDLE", tostring(e))
    error(ctorch.error("TYPE", "a closed tensor"))
  end)
end)

check.done()
