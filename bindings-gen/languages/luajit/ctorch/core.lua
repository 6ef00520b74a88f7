-- The functions of the C library that are no operators, without the prefix: `core.tensor_size(x, 0)`. They take and
-- return Lua values and raise errors, as operators do. An argument that is missing is NULL, which means what the C
-- header says; a boolean or number that C takes by value has to be given. Each is compiled when first used.
local call = require("ctorch.call")
local signatures = require("ctorch.generated.functions")

return setmetatable({}, {
  __index = function(core, name)
    local signature = signatures[name]
    if not signature then
      return nil
    end
    local func = call.compile("ctorch_" .. name, signature, name)
    rawset(core, name, func)
    return func
  end,
})
