-- Tensors: making them from Lua values, what they know of themselves, operators, indexing.
local ffi = require("ffi")
local C = require("ctorch.library")
local aten = require("ctorch.operators").aten
local convert = require("ctorch.convert")
local core = require("ctorch.core")
local enums = require("ctorch.generated.enums")
local errors = require("ctorch.errors")
local handles = require("ctorch.handles")

local tensors = { core = core }

local is_tensor, pointer, calls_c = handles.is_tensor, handles.pointer, handles.calls_c
local methods = handles.methods.tensor

-- What `tensor.name` reads

local properties = {}

local function list(read)
  return calls_c(function(self)
    local handle = pointer("tensor", self, "tensor")
    local ndim, values, found = tonumber(C.ctorch_tensor_ndim(handle)), read(handle), {}
    for i = 1, ndim do
      found[i] = tonumber(values[i - 1])
    end
    return found
  end)
end

properties.shape = list(function(handle) return C.ctorch_tensor_sizes(handle) end)
properties.strides = list(function(handle) return C.ctorch_tensor_strides(handle) end)

local accessors = {
  "ndim", "numel", "dtype", "layout", "device", "requires_grad", "is_leaf", "grad", "grad_fn", "nbytes",
}

for _, name in ipairs(accessors) do
  local accessor
  properties[name] = function(self)
    accessor = accessor or core["tensor_" .. name]
    pointer("tensor", self, name) -- these take NULL for the undefined tensor; a closed one is an error
    return accessor(self)
  end
end

properties.closed = function(self)
  return self.handle[0] == nil
end

properties.T = function(self)
  return aten.t.default(self)
end

-- Methods

-- Size of a dimension; negative ones count from the end.
function methods:size(dim)
  if dim == nil then
    return self.shape
  end
  return core.tensor_size(self, dim)
end

-- The value of a tensor with one element.
function methods:item()
  return core.tensor_item(self)
end

function methods:backward(options)
  options = options or {}
  core.tensor_backward(self, options.gradient, options.retain_graph, options.create_graph or false)
end

function methods:requires_grad_(value)
  core.tensor_set_requires_grad(self, value ~= false)
  return self
end

function methods:set_grad(grad)
  core.tensor_set_grad(self, grad)
end

-- Call `func(grad)` when the gradient of this tensor is there; what it returns, if anything, replaces the gradient.
function methods:register_hook(func)
  return core.tensor_register_hook(self, func)
end

function handles.methods.hook:remove()
  core.hook_remove(self)
end

-- A copy as `dtype` or on `device`, or the tensor itself if it is that already.
function methods:to(options)
  if type(options) == "string" then
    options = enums.dtype[options] and { dtype = options } or { device = options }
  end
  return core.tensor_to(
    self, options.dtype, options.device, options.non_blocking or false, options.copy or false, options.memory_format)
end

-- Take the tensor out of the open scope, to live until close() or the garbage collector.
function methods:keep()
  return handles.keep(self)
end

-- The bytes of the elements in row-major order, as a string.
methods.bytes = handles.may_fail(function(self)
  local handle = pointer("tensor", self, "bytes")
  local size = tonumber(C.ctorch_tensor_numel(handle)) * tonumber(C.ctorch_tensor_itemsize(handle))
  local buffer = ffi.new("uint8_t[?]", size > 0 and size or 1)
  errors.check(C.ctorch_tensor_copy_to_buffer(self.handle[0], buffer, size, C.ctorch_tensor_dtype(self.handle[0])))
  return ffi.string(buffer, size)
end)

local ELEMENTS = {
  float64 = "double", float32 = "float", int64 = "int64_t", int32 = "int32_t", int16 = "int16_t", int8 = "int8_t",
  uint8 = "uint8_t", uint16 = "uint16_t", uint32 = "uint32_t", uint64 = "uint64_t", bool = "bool",
  complex128 = "complex", complex64 = "complex float",
}
local WIDER = { float16 = "float32", bfloat16 = "float32", complex32 = "complex64" }

-- The elements as nested lists; the element itself if there is no dimension.
function methods:totable()
  local name = self.dtype
  if WIDER[name] or not ELEMENTS[name] then
    return self:to({ dtype = WIDER[name] or "float32" }):totable()
  end
  local shape, data = self.shape, ffi.cast(("const %s *"):format(ELEMENTS[name]), nil)
  local bytes = self:bytes()
  data = ffi.cast(ffi.typeof(data), bytes)
  local position = 0
  local function read(dim)
    if dim > #shape then
      local value = data[position]
      position = position + 1
      if type(value) == "cdata" and (ffi.istype("int64_t", value) or ffi.istype("uint64_t", value)) then
        return convert.from_integer(value)
      elseif type(value) == "cdata" then
        return ffi.new("complex", value.re, value.im)
      end
      return value
    end
    local found = {}
    for i = 1, shape[dim] do
      found[i] = read(dim + 1)
    end
    return found
  end
  return read(1)
end

-- Indices

-- `slice(1, 5)` is Python's `1:5`; any of the three may be nil.
local Slice = {}
function tensors.slice(start, stop, step)
  return setmetatable({ start = start, stop = stop, step = step }, Slice)
end

local function push(index, item)
  local kind = type(item)
  if kind == "number" then
    core.index_push_int(index, item)
  elseif kind == "boolean" then
    core.index_push_bool(index, item)
  elseif item == "..." then
    core.index_push_ellipsis(index)
  elseif rawequal(item, handles.none) then
    core.index_push_none(index)
  elseif is_tensor(item) then
    core.index_push_tensor(index, item)
  elseif getmetatable(item) == Slice then
    core.index_push_slice(index, item.start, item.stop, item.step)
  elseif kind == "table" then
    if type(item[1]) == "boolean" then
      core.index_push_bools(index, item)
    else
      core.index_push_ints(index, item)
    end
  else
    errors.refuse("index", "a number, slice, list, boolean, tensor, none or \"...\"", item)
  end
end

local function make_index(key)
  local index = core.index_new()
  if type(key) == "table" and getmetatable(key) == nil then
    for i = 1, key.n or #key do
      push(index, key[i])
    end
  else
    push(index, key)
  end
  return index
end

local function get(self, key)
  local index = make_index(key)
  local found = core.tensor_index(self, index)
  index:close()
  return found
end

local function set(self, key, value)
  local index = make_index(key)
  if is_tensor(value) then
    core.tensor_index_put(self, index, value)
  else
    core.tensor_index_put_scalar(self, index, value)
  end
  index:close()
end

-- The metatable

local meta = handles.tensor_meta

function meta.__index(self, key)
  if type(key) ~= "string" or key == "..." then
    return get(self, key)
  end
  local method = methods[key]
  if method ~= nil then
    return method
  end
  local property = properties[key]
  if property ~= nil then
    return property(self)
  end
  return aten[key]
end

function meta.__newindex(self, key, value)
  if type(key) == "string" and key ~= "..." then
    if key == "grad" then
      return core.tensor_set_grad(self, value)
    elseif key == "requires_grad" then
      return core.tensor_set_requires_grad(self, value)
    end
    error(errors.new("TYPE", "a tensor has no field " .. key .. " to set"), 0)
  end
  set(self, key, value)
end

function meta.__tostring(self)
  if self.handle[0] == nil then
    return "tensor (closed)"
  end
  return core.tensor_repr(self)
end

function meta.__len(self)
  return core.tensor_size(self, 0)
end

-- Arithmetic with tensors and numbers: `tensor` for two tensors, `scalar` for a number on the right.
local function binary(operator, tensor, scalar, reversed)
  local with_tensor, with_scalar
  return calls_c(function(a, b)
    with_tensor, with_scalar = with_tensor or aten[operator][tensor], with_scalar or aten[operator][scalar]
    if is_tensor(a) then
      if is_tensor(b) then
        return with_tensor(a, b)
      end
      return with_scalar(a, b)
    end
    return reversed(a, b)
  end)
end

local function swapped(operator, overload)
  return function(a, b)
    return aten[operator][overload](b, a)
  end
end

meta.__add = binary("add", "Tensor", "Scalar", swapped("add", "Scalar"))
meta.__sub = binary("sub", "Tensor", "Scalar", swapped("rsub", "Scalar"))
meta.__mul = binary("mul", "Tensor", "Scalar", swapped("mul", "Scalar"))
meta.__div = binary("div", "Tensor", "Scalar", function(a, b)
  return aten.mul.Scalar(aten.reciprocal.default(b), a) -- as `a / tensor` in Python
end)
meta.__mod = binary("remainder", "Tensor", "Scalar", function(a, b)
  return aten.remainder.Scalar_Tensor(a, b)
end)
meta.__pow = binary("pow", "Tensor_Tensor", "Tensor_Scalar", function(a, b)
  return aten.pow.Scalar(a, b)
end)

function meta.__unm(self)
  return aten.neg.default(self)
end

-- Making tensors

-- The bytes of `data` (a string, or a cdata array) as a tensor of this shape and dtype; copied.
function tensors.from_data(data, shape, dtype)
  return core.tensor_from_data(data, shape, dtype)
end

local function shape_of(values)
  local shape = {}
  while type(values) == "table" do
    table.insert(shape, #values)
    values = values[1]
  end
  return shape, values
end

local function fill(data, values, shape, dim, position, element)
  if dim > #shape then
    data[position] = element(values)
    return position + 1
  elseif type(values) ~= "table" or #values ~= shape[dim] then
    error(errors.new("VALUE", "tensor: the lists are not of one length"), 0)
  end
  for i = 1, shape[dim] do
    position = fill(data, values[i], shape, dim + 1, position, element)
  end
  return position
end

-- A tensor of nested lists of numbers or booleans. Without `options.dtype` it is float32, or bool; int64 for cdata
-- integers. `options.requires_grad` as it says.
function tensors.tensor(values, options)
  options = options or {}
  local shape, first = shape_of(values)
  local kind, c_type, element = "float64", "double", function(v) return convert.number(v, "tensor") end
  local dtype = options.dtype or "float32"
  if type(first) == "boolean" then
    kind, c_type, element = "bool", "bool", function(v) return convert.element(v, "bool", "tensor") end
    dtype = options.dtype or "bool"
  elseif type(first) == "cdata" or type(dtype) == "string" and dtype:find("int") then
    kind, c_type, element = "int64", "int64_t", function(v) return convert.integer(v, "int64_t", "tensor") end
    dtype = options.dtype or "int64"
  end
  local count = 1
  for _, size in ipairs(shape) do
    count = count * size
  end
  local data = ffi.new(c_type .. "[?]", math.max(count, 1))
  fill(data, values, shape, 1, 0, element)
  local wide = core.tensor_from_data(ffi.string(data, count * ffi.sizeof(c_type)), shape, kind)
  local made = dtype == kind and wide or wide:to({ dtype = dtype, device = options.device })
  if options.requires_grad then
    made:requires_grad_()
  end
  return made
end

return tensors
