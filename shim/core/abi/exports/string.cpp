// string.h: owned texts.
#include "ctorch/abi/string.h"

#include "core/abi/handle.hpp"

using namespace ctorch;

const char *ctorch_string_data(const ctorch_string *self) { return is_there(self) ? self->text.c_str() : ""; }

size_t ctorch_string_len(const ctorch_string *self) { return is_there(self) ? self->text.size() : 0; }

void ctorch_string_release(ctorch_string *self) {
  if (self != nullptr && take_back({self, Kind::String})) {
    release({self, Kind::String});
  }
}
