-- Where files are read from and written to.
--
-- A source is a path, `ctorch.value.bytes(data)`, an open file of Lua's `io`, which is read from where it stands, or a
-- table with `nbytes` and a function `read(nbytes, offset)` that returns that many bytes. A target is a path, an open
-- file or a function that is called with the bytes, one piece after the other; nil has the bytes returned. What is
-- written to a path has another name until it is complete: a failure leaves what was there before.
local ffi = require("ffi")
local C = require("ctorch.library")
local core = require("ctorch.core")
local errors = require("ctorch.errors")
local handles = require("ctorch.handles")
local values = require("ctorch.values")

jit.off(true, true) -- these call C, which may call Lua

local streams = {}

local function is_box(kind, object)
  return type(object) == "cdata" and ffi.istype(handles.types[kind], object)
end

-- Closes a box after `body`, whose results it returns and whose error it raises.
local function closing(box, body, ...)
  local function finish(ok, ...)
    box:close()
    if not ok then
      error((...), 0)
    end
    return ...
  end
  return finish(pcall(body, box, ...))
end

streams.closing = closing

local function file_reader(file)
  local start = file:seek()
  local stop = start and file:seek("end")
  if not stop then -- a pipe
    return core.reader_from_data(file:read("*a") or "")
  end
  file:seek("set", start)
  return core.reader_from_callback(math.max(stop - start, 0), function(nbytes, offset)
    file:seek("set", start + offset)
    return file:read(nbytes) or ""
  end)
end

local function open_reader(source, mmap, where)
  if type(source) == "string" then
    return core.reader_open(source, mmap)
  elseif mmap then
    error(errors.new("VALUE", where .. ": only a file that is named by its path can be mapped"), 0)
  elseif values.is_bytes(source) then
    return core.reader_from_data(source.data)
  elseif io.type(source) == "file" then
    return file_reader(source)
  elseif type(source) == "table" and type(source.read) == "function" then
    return core.reader_from_callback(source.nbytes, source.read)
  end
  errors.refuse(where, "a path, bytes, an open file, or a table with nbytes and read", source)
end

-- Calls `body` with a reader of the source. Tensors that share its memory keep that.
function streams.reading(source, options, where, body)
  if is_box("reader", source) then
    return body(source)
  end
  return closing(open_reader(source, options.mmap or false, where), function(reader)
    if options.progress then
      core.reader_set_progress(reader, options.progress)
    end
    return body(reader)
  end)
end

local function open_writer(target, where)
  if target == nil then
    return core.writer_new()
  elseif type(target) == "string" then
    return core.writer_open(target)
  elseif type(target) == "function" then
    return core.writer_from_callback(function(data) target(data) end)
  elseif io.type(target) == "file" then
    return core.writer_from_callback(function(data)
      local ok, message = target:write(data)
      if not ok then
        error(errors.new("IO", where .. ": " .. message), 0)
      end
    end)
  end
  errors.refuse(where, "a path, an open file or a function", target)
end

-- Calls `body` with a writer to the target, and finishes it. The bytes if there is no target.
function streams.writing(target, options, where, body)
  if is_box("writer", target) then -- somebody else finishes it
    return body(target)
  end
  return closing(open_writer(target, where), function(writer)
    if options.progress then
      core.writer_set_progress(writer, options.progress)
    end
    body(writer)
    core.writer_finish(writer)
    if target == nil then
      local handle = writer.handle[0]
      return ffi.string(C.ctorch_writer_data(handle), C.ctorch_writer_nbytes(handle))
    end
  end)
end

return streams
