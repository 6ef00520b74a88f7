-- Lua values as values of the C API, and back: what operators called by name and custom operators exchange.
--
--     nil, none                       None        value.bytes("a\0b")                bytes, which are no text
--     boolean, string                 bool, str   value.dtype("float32"), layout, memory_format, device
--     a whole number, 123LL           int         value.integer("1606938044258…")    int beyond 64 bits
--     another number, ctorch.float(2) float       value.tuple(1, 2), value.set(1, 2), value.dict({ "a", 1 }, { 2, "b" })
--     ctorch.complex(1, 2), 2i        complex     value.python_object("torch", "Size", value.tuple(...))
--
-- and tensors, generators, storages, modules, transforms, `ctorch_stream`s. A table without a metatable is a list, or a
-- dict if all its keys are texts. Functions that take a value take any of these; what they return is a box of C's value, which shows the
-- very list or dict that C holds: `value.get(box)` copies it. There a list has `n`, with `none` for None, and a dict is
-- what `value.dict` makes. Those made by this module are equal (`==`) if what they hold is; bytes and ints by content.
local ffi = require("ffi")
local C = require("ctorch.library")
local convert = require("ctorch.convert")
local enums = require("ctorch.generated.enums")
local errors = require("ctorch.errors")
local handles = require("ctorch.handles")

jit.off(true, true) -- these call C and themselves; handles.lua says what compiled code may not do

local DEEPEST = 1000
local none, refuse, check = handles.none, errors.refuse, errors.check
local Box = handles.types.value
local Scalar, Stream = ffi.typeof("ctorch_scalar"), ffi.typeof("ctorch_stream")
local int64, uint64, complex = ffi.typeof("int64_t"), ffi.typeof("uint64_t"), ffi.typeof("complex")

local value = {}

-- What Lua has no values for

local function equal(a, b)
  if rawequal(a, b) then
    return true
  elseif type(a) ~= type(b) then
    return false
  elseif type(a) == "cdata" then
    local numbers = (ffi.istype(int64, a) or ffi.istype(uint64, a)) and (ffi.istype(int64, b) or ffi.istype(uint64, b))
    local both = ffi.istype(complex, a) and ffi.istype(complex, b)
    return (numbers and a == b) or (both and a.re == b.re and a.im == b.im)
  elseif type(a) ~= "table" then
    return a == b
  elseif getmetatable(a) ~= getmetatable(b) then
    return false
  end
  local length = a.n or #a
  if length ~= (b.n or #b) then
    return false
  end
  for key, entry in pairs(a) do
    if key ~= "n" and not equal(entry, b[key]) then
      return false
    end
  end
  for key in pairs(b) do
    if key ~= "n" and a[key] == nil then
      return false
    end
  end
  return true
end

-- Whether two values hold the same: tables entry by entry, lists and dicts in their order.
value.equal = equal

local function class(name)
  local found = { __eq = equal, name = name }
  found.__index = found
  return found
end

local Bytes, Integer, Tuple, Set, Dict = class("bytes"), class("int"), class("tuple"), class("set"), class("dict")
local Constant, PythonObject = class("constant"), class("PythonObject")

function value.bytes(data)
  if type(data) ~= "string" then
    refuse("value.bytes: data", "a string", data)
  end
  return setmetatable({ data = data }, Bytes)
end

function value.is_bytes(object)
  return getmetatable(object) == Bytes
end

function Bytes:__tostring()
  return self.data
end

function Bytes:__len()
  return #self.data
end

-- Entries, nil among them: `list[1]` … `list[list.n]`, in which `none` is None.
local function packed(meta, ...)
  local found = { n = select("#", ...), ... }
  for i = 1, found.n do
    if found[i] == nil then
      found[i] = none
    end
  end
  return setmetatable(found, meta)
end

function value.tuple(...)
  return packed(Tuple, ...)
end

function value.is_tuple(object)
  return getmetatable(object) == Tuple
end

local names = setmetatable({}, { __mode = "k" }) -- of the fields of NamedTuples, by the table

function Tuple:__index(key)
  local known = names[self]
  local index = known and known.index[key]
  if index then
    return rawget(self, index)
  end
  return Tuple[key]
end

-- The name of a NamedTuple of TorchScript, and the names of its fields in their order; nil for another table. Its fields
-- are `found[1]`, `found[2]` … and `found.x`; one that is called `n` has its index alone.
function value.fields(object)
  local known = names[object]
  if known then
    return known.name, { n = known.n, unpack(known, 1, known.n) }
  end
end

function value.is_dict(object)
  return getmetatable(object) == Dict
end

function value.set(...)
  return packed(Set, ...)
end

local function is_same_key(a, b)
  return type(a) == type(b) and (a == b or equal(a, b))
end

-- A dict in the order of its pairs: `value.dict({ "lr", 0.1 }, { 2, "b" })`. It has `keys` and `values`, two lists. One
-- with `metadata` is the state dict of a module, which in Python is an OrderedDict with an attribute.
function value.dict(...)
  local keys, values = { n = 0 }, { n = 0 }
  for i = 1, select("#", ...) do
    local pair = select(i, ...)
    if type(pair) ~= "table" then
      refuse("value.dict: entry " .. i, "a table of key and value", pair)
    end
    keys.n, values.n = i, i
    keys[i] = pair[1] == nil and none or pair[1]
    values[i] = pair[2] == nil and none or pair[2]
  end
  return setmetatable({ keys = keys, values = values }, Dict)
end

-- The value of a key, nil if there is none.
function Dict:get(key)
  for i = 1, self.keys.n do
    if is_same_key(self.keys[i], key) then
      return self.values[i]
    end
  end
end

function Dict:__len()
  return self.keys.n
end

local constants = {}

local function constant(enum, name)
  if type(name) ~= "string" or not enums[enum][name] then
    refuse("value." .. enum, "the name of a " .. enum, name)
  end
  local key = enum .. " " .. name
  constants[key] = constants[key] or setmetatable({ enum = enum, name = name }, Constant)
  return constants[key]
end

for _, enum in ipairs({ "dtype", "layout", "memory_format" }) do
  value[enum] = function(name)
    return constant(enum, name)
  end
end

-- A device: where an argument is a device, its name is enough; a value would be a text.
function value.device(name)
  local key = "device " .. convert.from_device(convert.device(name, "value.device: name"))
  constants[key] = constants[key] or setmetatable({ enum = "device", name = key:sub(8) }, Constant)
  return constants[key]
end

function Constant:__tostring()
  return self.name
end

-- An object of a class of Python's as a file describes it: `module.name(args…)`, then its items, then its state. Nothing
-- is imported or called. Without `args` it stands for the class or function itself.
function value.python_object(module, name, args, items, state)
  return setmetatable({ module = module, name = name, args = args, items = items, state = state }, PythonObject)
end

-- An attribute, from a state that is a dict, as it mostly is; nil if there is none.
function PythonObject:attribute(name)
  if getmetatable(self.state) == Dict then
    return self.state:get(name)
  end
  return type(self.state) == "table" and self.state[name] or nil
end

function PythonObject:__tostring()
  return ("%s.%s"):format(self.module, self.name)
end

-- To C

-- A value that C makes, in a box that gives it back.
local function made(name, ...)
  local box = Box()
  check(C["ctorch_value_from_" .. name](box.handle, ...))
  return handles.own("value", box)
end

local write -- (value, state): a box; `state` has `where`, `depth` and the boxes that were `made` of tables

local function write_number(number)
  if number % 1 == 0 and number <= 2 ^ 53 and number >= -2 ^ 53 and not (number == 0 and 1 / number < 0) then
    return made("int", number)
  end
  return made("double", number)
end

local function write_cdata(object, state)
  if ffi.istype(Box, object) then
    handles.pointer("value", object, state.where)
    return object
  elseif ffi.istype("ctorch_value *", object) or ffi.istype("const ctorch_value *", object) then
    return handles.borrow("value", object) or made("none")
  elseif ffi.istype(Stream, object) then
    return made("stream", object)
  elseif ffi.istype(Scalar, object) or ffi.istype(int64, object) or ffi.istype(uint64, object)
    or ffi.istype(complex, object) then
    return made("scalar", convert.scalar(object, state.where))
  end
  for _, kind in ipairs({ "tensor", "generator", "storage", "module", "transform" }) do
    if ffi.istype(handles.types[kind], object) then
      return made(kind, handles.pointer(kind, object, state.where))
    end
  end
  refuse(state.where, "what a value can hold", object)
end

local function write_all(list, state)
  local length = list.n or #list
  local boxes, pointers = {}, ffi.new("ctorch_value *[?]", length > 0 and length or 1)
  for i = 1, length do
    boxes[i] = write(list[i], state)
    pointers[i - 1] = boxes[i].handle[0]
  end
  return ffi.cast("void *", pointers), length, boxes, pointers -- what the address is of must not be collected
end

local function write_list(name)
  return function(list, state)
    local address, length, boxes, pointers = write_all(list, state)
    local box = made(name, address, length)
    return box, boxes, pointers
  end
end

local function write_dict(dict, state)
  if dict.metadata ~= nil then
    local plain = setmetatable({ keys = dict.keys, values = dict.values }, Dict)
    local metadata = value.python_object("collections", "OrderedDict", value.tuple(), dict.metadata)
    local attributes = value.dict({ "_metadata", metadata })
    return write(value.python_object("collections", "OrderedDict", value.tuple(), plain, attributes), state)
  end
  local keys, length, key_boxes, key_pointers = write_all(dict.keys, state)
  local values, _, boxes, pointers = write_all(dict.values, state)
  local box = made("dict", keys, length, values, length)
  return box, key_boxes, key_pointers, boxes, pointers
end

-- A table without a metatable: a list, or a dict if its keys are texts, in their alphabetical order.
local function write_table(plain, state)
  local texts, others = {}, false
  for key in pairs(plain) do
    if type(key) == "string" then
      table.insert(texts, key)
    else
      others = true
    end
  end
  if #texts == 0 or (plain.n and #texts == 1) then
    return write_list("list")(plain, state)
  elseif others then
    error(errors.new("TYPE", state.where .. ": a table is a list or has texts for keys; value.dict has any"), 0)
  end
  table.sort(texts)
  local values = { n = #texts }
  for i, key in ipairs(texts) do
    values[i] = plain[key]
  end
  return write_dict({ keys = texts, values = values }, state)
end

local function write_constant(object)
  if object.enum == "device" then
    return made("device", convert.device(object.name, "device"))
  end
  return made(object.enum, enums[object.enum][object.name])
end

local function write_python_object(object, state)
  for _, word in ipairs({ "module", "name" }) do
    convert.text(object[word], ("%s: %s of a Python object"):format(state.where, word))
  end
  local boxes, given = {}, {}
  for i, part in ipairs({ "args", "items", "state" }) do
    if object[part] ~= nil and not rawequal(object[part], none) then
      local whole = part == "args" and packed(Tuple, unpack(object.args, 1, object.args.n or #object.args)) or object[part]
      boxes[i] = write(whole, state)
      given[i] = boxes[i].handle[0]
    end
  end
  local box = made("python_object", object.module, object.name, given[1], given[2], given[3])
  return box, boxes
end

local writers = {
  [Bytes] = function(object) return made("bytes", object.data, #object.data) end,
  [Integer] = function(object) return made("int_bytes", object.data, #object.data) end,
  [Tuple] = write_list("tuple"),
  [Set] = write_list("set"),
  [Dict] = write_dict,
  [Constant] = write_constant,
  [PythonObject] = write_python_object,
}

local function write_once(object, state)
  local known = state.made[object]
  if known == nil then
    if state.depth == DEEPEST then
      known = false
    else
      state.made[object] = false
      state.depth = state.depth + 1
      local meta = getmetatable(object)
      local writer = meta == nil and write_table or writers[meta] or refuse(state.where, "what a value can hold", object)
      known = writer(object, state)
      state.depth = state.depth - 1
      state.made[object] = known
    end
  end
  if known == false then
    error(errors.new("VALUE", ("%s: nested more than %d deep, or contains itself"):format(state.where, DEEPEST)), 0)
  end
  return known
end

function write(object, state)
  local kind = type(object)
  if object == nil or rawequal(object, none) then
    return made("none")
  elseif kind == "boolean" then
    return made("bool", object)
  elseif kind == "number" then
    return write_number(object)
  elseif kind == "string" then
    return made("string_data", object, #object)
  elseif kind == "cdata" then
    return write_cdata(object, state)
  elseif kind == "table" then
    return write_once(object, state)
  end
  refuse(state.where, "what a value can hold", object)
end

-- A box of the value that holds what `object` does; `where` is function and argument, for errors.
function value.of(object, where)
  return write(object, { where = where or "value.of: object", depth = 0, made = {} })
end

-- Boxes for a list of them.
function value.all_of(list, where)
  if list == nil or rawequal(list, none) then
    return nil
  elseif type(list) ~= "table" then
    refuse(where, "a list", list)
  end
  local boxes = { n = list.n or #list }
  for i = 1, boxes.n do
    boxes[i] = value.of(list[i], where)
  end
  return boxes
end

-- From C

local read -- (pointer, depth)

-- What C gives by a function, in a box; nil for NULL.
local function got(name, ...)
  local box = Box()
  check(C["ctorch_value_" .. name](box.handle, ...))
  return handles.own("value", box)
end

local function cell(c_type, name, pointer)
  local found = ffi.new(c_type .. "[1]")
  check(C["ctorch_value_to_" .. name](found, pointer))
  return found[0]
end

local function owned(kind)
  return function(pointer)
    local box = handles.types[kind]()
    check(C["ctorch_value_to_" .. kind](box.handle, pointer))
    return handles.own(kind, box)
  end
end

local function entries(pointer, depth)
  local found = { n = tonumber(C.ctorch_value_len(pointer)) }
  for i = 1, found.n do
    local box = got("get", pointer, i - 1)
    local entry = read(box.handle[0], depth)
    found[i] = entry == nil and none or entry
    box:close()
  end
  return found
end

local function read_tuple(pointer, depth)
  local found, name = setmetatable(entries(pointer, depth), Tuple), C.ctorch_value_tuple_name(pointer)
  if name ~= nil then
    local known = { name = ffi.string(name), n = found.n, index = {} }
    for i = 1, found.n do
      known[i] = ffi.string(C.ctorch_value_field_name(pointer, i - 1))
      known.index[known[i]] = i
    end
    names[found] = known
  end
  return found
end

local function listed(name, pointer, depth)
  local box = got(name, pointer)
  local found = entries(box.handle[0], depth)
  box:close()
  return found
end

local function read_bytes(pointer)
  local length = tonumber(C.ctorch_value_len(pointer))
  local data = ffi.new("char[?]", length > 0 and length or 1)
  check(C.ctorch_value_read_bytes(pointer, data, length))
  return ffi.string(data, length)
end

local function read_int(pointer)
  local found = ffi.new("int64_t[1]")
  local failure = C.ctorch_value_to_int(found, pointer)
  if failure == nil then
    return convert.from_integer(found[0])
  end
  C.ctorch_error_release(failure) -- more than 64 bits, or what the next call says as well
  local box = got("to_int_bytes", pointer)
  return setmetatable({ data = read_bytes(box.handle[0]) }, Integer)
end

local function read_string(pointer)
  local data, length = ffi.new("const char *[1]"), ffi.new("size_t[1]")
  check(C.ctorch_value_to_string(data, length, pointer))
  return ffi.string(data[0], length[0])
end

local function read_complex(pointer)
  local parts = ffi.new("double[2]")
  check(C.ctorch_value_to_complex(parts, parts + 1, pointer))
  return complex(parts[0], parts[1])
end

local function read_constant(enum)
  return function(pointer)
    return constant(enum, convert.from_enum(cell("int32_t", enum, pointer), enum))
  end
end

-- A state dict; nil if it is another object.
local function state_dict(items, attributes)
  local metadata = getmetatable(attributes) == Dict and attributes.keys.n == 1 and attributes:get("_metadata")
  local named = getmetatable(metadata) == PythonObject and getmetatable(metadata.items) == Dict
  if named and getmetatable(items) == Dict then
    items.metadata = metadata.items
    return items
  end
end

local function read_python_object(pointer, depth)
  local parts = {}
  for i, part in ipairs({ "args", "items", "state" }) do
    local box = got("python_" .. part, pointer)
    parts[i] = box and read(box.handle[0], depth)
  end
  local module = ffi.string(C.ctorch_value_python_module(pointer))
  local name = ffi.string(C.ctorch_value_python_name(pointer))
  local found = module == "collections" and name == "OrderedDict" and state_dict(parts[2], parts[3])
  return found or value.python_object(module, name, parts[1], parts[2], parts[3])
end

local kinds = enums.value_kind
local readers = {
  [kinds.none] = function() return nil end,
  [kinds.tensor] = owned("tensor"),
  [kinds.int] = read_int,
  [kinds.double] = function(pointer) return cell("double", "double", pointer) end,
  [kinds.bool] = function(pointer) return cell("bool", "bool", pointer) end,
  [kinds.complex] = read_complex,
  [kinds.string] = read_string,
  [kinds.list] = entries,
  [kinds.tuple] = read_tuple,
  [kinds.dict] = function(pointer, depth)
    local keys = listed("dict_keys", pointer, depth)
    return setmetatable({ keys = keys, values = listed("dict_values", pointer, depth) }, Dict)
  end,
  [kinds.device] = function(pointer)
    return value.device(convert.from_device(cell("ctorch_device", "device", pointer)))
  end,
  [kinds.stream] = function(pointer) return Stream(cell("ctorch_stream", "stream", pointer)) end,
  [kinds.generator] = owned("generator"),
  [kinds.storage] = owned("storage"),
  [kinds.module] = owned("module"),
  [kinds.transform] = owned("transform"),
  [kinds.object] = function(pointer) return handles.borrow("value", pointer) end,
  [kinds.bytes] = function(pointer) return value.bytes(read_bytes(pointer)) end,
  [kinds.set] = function(pointer, depth) return setmetatable(listed("set_values", pointer, depth), Set) end,
  [kinds.dtype] = read_constant("dtype"),
  [kinds.layout] = read_constant("layout"),
  [kinds.memory_format] = read_constant("memory_format"),
  [kinds.python_object] = read_python_object,
}

function read(pointer, depth)
  if depth > DEEPEST then
    error(errors.new("RUNTIME", ("value.get: nested more than %d deep, or contains itself"):format(DEEPEST)), 0)
  end
  return readers[C.ctorch_value_kind_of(pointer)](pointer, depth + 1)
end

-- What a box of C's value holds, in Lua; the box for what has no form there, as an object of TorchScript.
function value.get(box)
  if box == nil then
    return nil
  end
  return read(handles.pointer("value", box, "value.get: value"), 0)
end

-- An int of any size by its digits: a number if it is exact, `int64_t` up to 64 bits, beyond that
-- an object whose `tostring` are the digits.
function value.integer(digits)
  return value.get(made("decimal", convert.text(digits, "value.integer: digits")))
end

function Integer:__tostring()
  local text = ffi.new("ctorch_string *[1]")
  check(C.ctorch_value_to_decimal(text, made("int_bytes", self.data, #self.data).handle[0]))
  local digits = ffi.string(C.ctorch_string_data(text[0]))
  C.ctorch_string_release(text[0])
  return digits
end

return value
