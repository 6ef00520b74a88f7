-- Lua values as values of the C API and back: each kind, what is refused, what functions take.
local ffi = require("ffi")
local ctorch = require("ctorch")
local check = require("check")

local core, value, none = ctorch.core, ctorch.value, ctorch.none
local equal, fails, that = check.equal, check.fails, check.that

local function same(got, expected)
  if not value.equal(got, expected) then
    error(("got %s, expected %s"):format(check.show(got), check.show(expected)), 2)
  end
end

local function repr(object)
  return core.value_repr(value.of(object))
end

that("a round trip gives an equal value", function()
  local big = "1606938044258990275541962092341162602522202993782792835301376" -- 2^200
  local known = {
    { true, "True" }, { -7, "-7" }, { 9007199254740993LL, "9007199254740993" },
    { 0x7fffffffffffffffLL, "9223372036854775807" }, { -0x7fffffffffffffffLL - 1, "-9223372036854775808" },
    { value.integer("9223372036854775808"), "9223372036854775808" },
    { value.integer("-9223372036854775809"), "-9223372036854775809" },
    { value.integer(big), big }, { value.integer("-" .. big), "-" .. big },
    { 0.5, "0.5" }, { -0.0, "-0.0" }, { 1 / 0, "inf" }, { 1e300, "1e+300" },
    { "", "''" }, { "\195\169", "'\195\169'" },
    { value.bytes(""), "b''" }, { value.bytes("a\0b\255"), "b'a\\x00b\\xff'" },
    { value.dtype("float32"), "torch.float32" }, { value.layout("sparse_csr"), "torch.sparse_csr" },
    { value.memory_format("channels_last"), "torch.channels_last" },
    { value.device("cuda:1"), "device(type='cuda', index=1)" },
    { {}, "[]" }, { value.tuple(), "()" }, { value.dict(), "{}" }, { value.set(), "set()" },
    { { 1, { 2.5, value.tuple("x", nil) } }, "[1, [2.5, ('x', None)]]" },
    { value.dict({ "a", value.set(1, 2) }, { value.tuple(1, "b"), { value.bytes("\0") } }),
      "{'a': {1, 2}, (1, 'b'): [b'\\x00']}" },
    { value.dict({ 2, { n = 2, none, 1 } }, { none, "k" }), "{2: [None, 1], None: 'k'}" },
  }
  for _, pair in ipairs(known) do
    equal(repr(pair[1]), pair[2])
    same(value.get(value.of(pair[1])), pair[1])
  end
  equal(value.get(value.of("a\0b")), "a\0b")
  equal(value.get(value.of(nil)), nil)
  equal(value.get(value.of(none)), nil)
  local nan = value.get(value.of(0 / 0))
  equal(nan ~= nan, true)
  equal(value.get(value.of(ctorch.complex(1, -2))), ffi.new("complex", 1, -2))
end)

that("what Lua has several forms for comes back as one", function()
  equal(value.get(value.of(5LL)), 5)
  equal({ core.value_kind_of(value.of(ctorch.float(2))), core.value_kind_of(value.of(2)) }, { "double", "int" })
  equal(value.get(value.of(18446744073709551615ULL)) == value.integer("18446744073709551615"), true)
  equal(repr({ b = 1, a = { 2 } }), "{'a': [2], 'b': 1}")
  equal(value.get(value.of({ lr = 0.5 })):get("lr"), 0.5)
  equal(repr({ n = 3 }), "[None, None, None]")
  equal({ tostring(value.integer("18446744073709551616")), value.integer("12") }, { "18446744073709551616", 12 })
end)

that("what is equal is equal by content", function()
  equal(value.bytes("a\0") == value.bytes("a\0"), true)
  equal(value.bytes("a\0") == value.bytes("a"), false)
  equal(value.tuple(1, none) == value.tuple(1), false)
  equal(value.dtype("int8") == value.get(value.of(value.dtype("int8"))), true)
  equal(value.dict({ 1, 2 }) == value.dict({ 1, 3 }), false)
  equal({ value.dict({ 1, 2 }):get(1), value.dict({ 1, 2 }):get("1") }, { 2 })
end)

that("tensors, generators and storages are shared", function()
  local x = ctorch.tensor({ 1, 2 })
  local found = value.get(value.of({ x = { x }, g = core.generator_default(), s = core.storage_from_tensor(x) }))
  found:get("x")[1]:fill_(7)
  equal(x:totable(), { 7, 7 })
  equal(core.storage_nbytes(found:get("s")), 8)
  equal(core.generator_initial_seed(found:get("g")) == ctorch.initial_seed(), true)
  local stream = value.get(value.of(ffi.new("ctorch_stream", 3, 0, 0)))
  equal(tonumber(stream.id), 3)
end)

that("what lies in two places does so in C", function()
  local inner = { 1 }
  local list = value.of({ inner, inner, { 1 } })
  local first, second, other = core.value_get(list, 0), core.value_get(list, 1), core.value_get(list, 2)
  equal({ core.value_is(first, second), core.value_is(first, other) }, { true, false })
end)

that("an object of a class of Python's is readable", function()
  local size = value.of(value.python_object("torch", "Size", value.tuple(value.tuple(2, 3))))
  equal(core.value_repr(size), "torch.Size([2, 3])")
  local found = value.get(size)
  equal({ found.module, found.name, tostring(found) }, { "torch", "Size", "torch.Size" })
  same(found.args, value.tuple(value.tuple(2, 3)))
  local net = value.python_object("nets", "Net.Inner", value.tuple(1), { 2 }, { weight = value.integer("1180591620717411303424") })
  found = value.get(value.of({ net }))[1]
  equal(tostring(found:attribute("weight")), "1180591620717411303424")
  equal({ found.items[1], tostring(net:attribute("weight")) }, { 2, "1180591620717411303424" })
  equal({ found:attribute("bias"), net:attribute("bias") }, {})
  equal(value.get(value.of(value.python_object("builtins", "print"))).args, nil)
end)

that("functions take Lua values for values", function()
  local list = value.of({})
  for _, entry in ipairs({ value.integer("18446744073709551616"), value.bytes("\0"), value.set(1), none, "x" }) do
    core.value_list_append(list, entry)
  end
  same(value.get(list), { n = 5, value.integer("18446744073709551616"), value.bytes("\0"), value.set(1), none, "x" })
  local dict = core.value_from_dict({ "k", value.tuple(1, 2) }, { n = 2, 1 })
  equal(value.get(core.value_dict_get(dict, value.tuple(1, 2))), nil)
  equal({ core.value_dict_contains(dict, "k"), core.value_dict_contains(dict, value.bytes("k")) }, { true, false })
  local op = core.op_find("aten::add", "Tensor")
  local sum = core.op_call(op, { ctorch.tensor({ 1, 2 }), ctorch.tensor({ 10, 20 }), 2 })
  equal(value.get(sum):totable(), { 21, 42 })
  local raw = value.of({ 1 }) -- a pointer of C's
  core.value_list_append(list, raw.handle[0])
  core.value_list_append(raw, 2)
  same(value.get(core.value_get(list, 5)), { 1, 2 })
end)

that("what no value can hold is told by function and argument", function()
  for _, bad in ipairs({ print, io.stdout, ffi.new("int[2]"), { 1, { k = print } }, setmetatable({}, {}) }) do
    fails("TYPE", "value.of: object: expected what a value can hold", value.of, bad)
    fails("TYPE", "value_list_append: value: expected what a value can hold", core.value_list_append, value.of({}), bad)
    fails("TYPE", "value_from_list: values: expected what a value can hold", core.value_from_list, { 1, bad })
  end
  fails("TYPE", "list or has texts for keys", value.of, { 1, x = 2 })
  fails("TYPE", "value_list_append: self", core.value_list_append, { 1 }, 1)
end)

that("other errors", function()
  fails("TYPE", "", value.of, value.set({ 1 })) -- a list is no entry of a set
  fails("TYPE", "", value.of, value.dict({ {}, 1 }))
  local loop = {}
  loop[1] = value.dict({ "again", loop })
  fails("VALUE", "contains itself", value.of, loop)
  local closed = value.of(1)
  closed:close()
  fails("INVALID_HANDLE", "closed", value.get, closed)
  fails("INVALID_HANDLE", "value_list_append: value: the value is closed", core.value_list_append, value.of({}), { closed })
  fails("INVALID_HANDLE", "value_list_append: value: the value is closed", core.value_list_append, value.of({}), closed)
  fails("TYPE", "value.get: value", value.get, { 1 })
  fails("TYPE", "name of a dtype", value.dtype, "float33")
  fails("TYPE", "device", value.device, "gpu:x")
  fails("VALUE", "", value.integer, "12x")
end)

that("a value that contains itself is an error", function()
  local list = value.of({})
  core.value_list_append(list, list)
  fails("RUNTIME", "contains itself", value.get, list)
  core.value_clear(list)
  local deep = {}
  for _ = 1, 900 do
    deep = { deep }
  end
  same(value.get(value.of(deep)), deep)
  for _ = 1, 5000 do
    deep = { deep }
  end
  fails("VALUE", "nested more than 1000 deep", value.of, deep)
end)

that("modes, seeds and threads have the names of PyTorch", function()
  local enabled = ctorch.is_grad_enabled
  equal({ enabled(), ctorch.no_grad(enabled), ctorch.no_grad(ctorch.enable_grad, enabled) }, { true, false, true })
  equal({ ctorch.inference_mode(core.inference_mode_enabled), core.inference_mode_enabled() }, { true, false })
  ctorch.manual_seed(1234)
  equal(ctorch.initial_seed(), 1234)
  local first = ctorch.rand({ 3 }):totable()
  ctorch.manual_seed(1234)
  equal(ctorch.rand({ 3 }):totable(), first)
  ctorch.manual_seed(-1)
  equal(ctorch.initial_seed() == 18446744073709551615ULL, true)
  local before = ctorch.get_num_threads()
  ctorch.set_num_threads(1)
  equal(ctorch.get_num_threads(), 1)
  ctorch.set_num_threads(before)
end)

that("kernels return Lua values", function()
  local library = core.library_new("lua_values")
  core.library_define(library, "twice(int n, str word) -> (int, str[])")
  core.library_implement(library, "twice", "CompositeExplicitAutograd", function(given)
    local number, word = value.get(given[1]), value.get(given[2])
    return 2 * number, { word, word }
  end)
  local found = value.get(core.op_call(core.op_find("lua_values::twice"), { 21, "e" }))
  same(found, value.tuple(42, { n = 2, "e", "e" }))
  library:close()
end)

that("a table of the user's is not taken for arguments by name", function()
  local model = ctorch.nn.Linear(1, 1)
  local function weight() return model.weight:item() end
  local function state(value) return { weight = ctorch.full({ 1, 1 }, value), bias = ctorch.zeros({ 1 }) } end
  model:load_state_dict(state(1))
  equal(weight(), 1)
  model:load_state_dict({ weight = ctorch.full({ 1, 1 }, 2) }, { strict = false })
  equal(weight(), 2)
  local sgd = ctorch.optim.SGD(model:parameters(), { lr = 0.1 })
  local schedule = ctorch.optim.lr_scheduler.StepLR(sgd, 2)
  local function epoch() return schedule.last_epoch end
  core.lr_scheduler_load_state_dict(schedule, { last_epoch = 7 })
  equal(epoch(), 7)
  core.lr_scheduler_load_state_dict(schedule, { state_dict = { last_epoch = 8 } })
  equal(epoch(), 8)
  core.lr_scheduler_load_state_dict(schedule, { self = 1, last_epoch = 9 }) -- a name of an argument, but not of that one
  equal(epoch(), 9)
  fails("TYPE", "no argument last_epoch", core.lr_scheduler_name, schedule, { last_epoch = 10 })
end)

check.done()
