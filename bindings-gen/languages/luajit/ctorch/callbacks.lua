-- Lua functions that C calls.
--
-- LuaJIT has room for a few hundred C function pointers only, so there is one for each type of callback, made when
-- first needed and kept. Which Lua function is meant, C says by the payload: a number in `held`.
--
-- Lua must not be entered on another thread than its own. So from the first callback on, this thread's backward passes
-- run on it alone (ctorch_multithreading_mode_push), also those of accelerators. PyTorch moves backward passes that are
-- nested more than 60 deep to other threads; callbacks fail before that. And since LuaJIT cannot enter Lua from a
-- compiled C call, the functions of this binding are interpreted from then on: use `ctorch.C` in hot loops only for
-- calls that no callback of yours can run in.
local ffi = require("ffi")
local C = require("ctorch.library")
local errors = require("ctorch.errors")
local handles = require("ctorch.handles")

jit.off(true, true) -- what runs inside a C call stays interpreted

local callbacks = {}

local DEEPEST = 50

local held, last = {}, 0

-- Keep a value until C asks to destroy it; what to hand to C for it.
function callbacks.hold(value)
  last = last + 1
  held[last] = value
  return ffi.cast("void *", last)
end

local function key(payload)
  return tonumber(ffi.cast("intptr_t", payload))
end

function callbacks.let_go(payload)
  local number = key(payload)
  local content = held[number]
  held[number] = nil
  local leave = content and content.iterator_next and callbacks.leaves[content.iterator_next]
  if leave then
    pcall(leave)
  end
end

-- What to call when C lets go of a function that gives the next value.
callbacks.leaves = setmetatable({}, { __mode = "k" })

local Made = {}

-- A box that was made for a callback to return, and that nobody else needs.
function callbacks.made(box)
  return setmetatable({ box = box }, Made)
end

function callbacks.held(payload)
  return held[key(payload)]
end

-- How many values C keeps, for tests.
function callbacks.count()
  local count = 0
  for _ in pairs(held) do
    count = count + 1
  end
  return count
end

-- Arguments: what Lua gets for the C arguments from position `at` on, and how many there were.
local read = {}

function read.handle(word, args, at)
  return handles.borrow(word.type, args[at]), 1
end

function read.handles(word, args, at)
  local length = tonumber(args[at + 1])
  local found = { n = length }
  for i = 1, length do
    found[i] = handles.borrow(word.type, args[at][i - 1]) or handles.none
  end
  return found, 2
end

function read.string(_, args, at)
  return args[at] ~= nil and ffi.string(args[at]) or nil, 1
end

function read.strings(_, args, at)
  local length = tonumber(args[at + 1])
  local found = { n = length }
  for i = 1, length do
    found[i] = ffi.string(args[at][i - 1])
  end
  return found, 2
end

function read.list(word, args, at)
  local convert = require("ctorch.convert")
  local length = tonumber(args[at + 1])
  local found = { n = length }
  for i = 1, length do
    found[i] = convert.from_element(args[at][i - 1], word.type)
  end
  return found, 2
end

function read.value(word, args, at)
  return require("ctorch.convert").from_element(args[at], word.type), 1
end

function read.address(_, args, at)
  local packed = held[key(args[at])]
  return packed and packed.value, 1
end

-- Memory, as a copy that Lua may keep; how many bytes it has is not told besides.
function read.memory(_, args, at)
  return ffi.string(args[at], args[at + 1]), 2
end

-- Results: store what Lua returned where C wants it.
local store = {}

local function tensor_list(out, returned)
  local convert = require("ctorch.convert")
  local list = returned[1]
  if returned.n > 1 or list == nil or handles.is_tensor(list) or rawequal(list, handles.none) then
    list = returned
  end
  local array, length = convert.handles(list, "tensor", "what the callback returned")
  errors.check(C.ctorch_tensor_list_new(out, ffi.cast("void *", array), length))
end

function store.handle(word, args, at, returned)
  if word.type == "tensor_list" then
    if returned.n > 0 and not (returned.n == 1 and returned[1] == nil) then
      tensor_list(args[at], returned)
    end
  elseif returned[1] ~= nil then
    local made = getmetatable(returned[1]) == Made and returned[1].box
    local handle = handles.pointer(word.type, made or returned[1], "what the callback returned")
    C["ctorch_" .. word.type .. "_retain"](handle)
    args[at][0] = handle
    if made then
      made:close()
    end
  end
end

-- The results of an operator, as ctorch_values: a tensor may stand for its value.
function store.handles(_, args, at, returned)
  local length = tonumber(args[at + 1])
  if returned.n > length then
    error(errors.new("VALUE", ("the kernel returned %d results, its schema has %d"):format(returned.n, length)), 0)
  end
  for i = 1, returned.n do
    local result = returned[i]
    if handles.is_tensor(result) then
      local cell = ffi.new("ctorch_value *[1]")
      errors.check(C.ctorch_value_from_tensor(cell, handles.pointer("tensor", result, "result")))
      args[at][i - 1] = cell[0]
    elseif result ~= nil and not rawequal(result, handles.none) then
      local box = require("ctorch.values").of(result, "what the kernel returned")
      local handle = box.handle[0]
      C.ctorch_value_retain(handle)
      args[at][i - 1] = handle
    end
  end
end

-- The bytes of which C has said how many it wants.
function store.memory(_, args, at, returned)
  local data, nbytes = returned[1], tonumber(args[at + 1])
  if type(data) ~= "string" then
    errors.refuse("what the callback returned", "a string", data)
  elseif #data ~= nbytes then
    error(errors.new("VALUE", ("the callback returned %d bytes, not %d"):format(#data, nbytes)), 0)
  end
  ffi.copy(args[at], data, nbytes)
end

-- A device; nil leaves what is there.
function store.struct(word, args, at, returned)
  if returned[1] ~= nil then
    args[at][0] = require("ctorch.convert").element(returned[1], word.type, "what the callback returned")
  end
end

-- A number that Lua computed; a tensor of one element is one. Or a boolean.
function store.value(word, args, at, returned)
  local number = returned[1]
  if word.type == "bool" then
    if type(number) ~= "boolean" then
      errors.refuse("what the callback returned", "a boolean", number)
    end
    args[at][0] = number
    return
  end
  if handles.is_tensor(number) then
    number = number:item()
  end
  if type(number) ~= "number" then
    errors.refuse("what the callback returned", "a number", number)
  end
  args[at][0] = number
end

function store.address(_, args, at, returned)
  args[at][0] = callbacks.hold({ value = returned[1] })
end

local function pack(...)
  return { n = select("#", ...), ... }
end

local depth = 0

-- Memory that C wants read or filled is an address and a number of bytes.
local function kind_of(word)
  return word.kind == "address" and word.name == "data" and "memory" or word.kind
end

local function answer(kind, parsed, args)
  local given, count, results = {}, 0, {}
  local at, next_at = 1, 1
  for _, word in ipairs(parsed.words) do
    if at < next_at then -- the number of bytes of the word before
      at = at + 1
    elseif word.kind == "payload" then
      at = at + 1
    elseif word.result then
      if word.name ~= "error" then
        table.insert(results, { word, at })
      end
      at = at + (word.kind == "handles" and 2 or 1)
    else
      local value, width = read[kind_of(word)](word, args, at)
      count = count + 1
      given[count] = value
      next_at = at + width
      at = at + (kind_of(word) == "memory" and 1 or width)
    end
  end
  local functions = held[key(args[#args])] or {}
  local returned = functions[kind] and pack(functions[kind](unpack(given, 1, count))) or { n = 0 }
  for _, result in ipairs(results) do
    store[kind_of(result[1])](result[1], args, result[2], returned)
  end
end

local function trampoline(kind, parsed)
  local fails = parsed.returned == "value"
  local at_error = 0
  return function(...)
    local args = { ... }
    depth = depth + 1
    local ok, failure
    if depth > DEEPEST then
      ok, failure = false, errors.new("RUNTIME", ("callbacks are nested more than %d deep"):format(DEEPEST))
    else
      ok, failure = pcall(answer, kind, parsed, args)
    end
    depth = depth - 1
    if kind == "saved_tensors_destroy" then
      callbacks.let_go(args[1])
    end
    if not fails then
      return
    elseif ok then
      return C.CTORCH_CALLBACK_OK
    end
    args[#args - 1][0] = errors.export(failure)
    return at_error
  end
end

local entries = {}

local function c_type(kind)
  return kind:find("_closure$") and "ctorch_" .. kind or ("ctorch_%s_callback"):format(kind)
end

local function prepare_for_callbacks()
  if next(entries) == nil then
    handles.expect_callbacks()
    errors.check(C.ctorch_multithreading_mode_push(false))
  end
end

-- The C function pointer for callbacks of a type: "tensor_hook".
function callbacks.entry(kind)
  if not entries[kind] then
    prepare_for_callbacks()
    local signature = require("ctorch.generated.callbacks")[kind]
    local func = trampoline(kind, require("ctorch.call").parse(signature))
    entries[kind] = ffi.cast(c_type(kind), func)
  end
  return entries[kind]
end

-- The C function pointer that lets a payload go.
function callbacks.destroy()
  if not entries.destroy then
    prepare_for_callbacks()
    entries.destroy = ffi.cast("void (*)(void *)", callbacks.let_go)
  end
  return entries.destroy
end

return callbacks
