// Stands in for a header of nlohmann/json that ATen/functorch/Interpreter.h includes since LibTorch 2.10 and that comes
// with neither the wheels nor Debian's libtorch-dev (pytorch/pytorch#181565). The compiler looks here last, so that a
// real one is taken where there is one.
//
// Interpreter.h uses it in two inline functions that nothing calls, and in templates: no object of LibTorch depends on
// it. Its members are declared only, so that whoever comes to need them finds out when linking.
#pragma once

#include <string>

namespace nlohmann {

class json {
 public:
  json();
  template <class T>
  explicit json(const T &value);
  static json parse(const std::string &text);
  std::string dump() const;
  template <class T>
  T get() const;
};

}  // namespace nlohmann
