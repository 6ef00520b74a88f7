"""The LuaJIT module `ctorch`."""
