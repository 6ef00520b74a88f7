// What stands between the brackets of x[…], as Python has it: a tree of objects that is looked at when the index is
// used, because a list becomes a tensor on the device of x, and a wrong bound of a slice is an error only then.
#pragma once

#include <ATen/core/Tensor.h>

#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace ctorch::indexing {

struct Item;

struct None {};
struct Ellipsis {};

/// Python's integers have no bounds. Those beyond 2^64 are all the same here: too large.
struct Integer {
  explicit Integer(int64_t value);
  Integer(uint64_t magnitude, bool negative) : magnitude(magnitude), negative(negative) {}

  /// VALUE, in Python's words, if it does not fit.
  int64_t checked() const;
  /// The nearest int64_t, as a bound of a slice is taken.
  int64_t saturated() const;

  uint64_t magnitude;
  bool negative;
};

/// Start, stop and step; None where there is none.
struct Slice {
  std::vector<Item> bounds;
};

/// A list or a tuple.
struct Sequence {
  std::vector<Item> items;
  bool is_tuple;
};

struct Item {
  template <class T>
  const T *as() const {
    return std::get_if<T>(&value);
  }

  std::variant<None, Ellipsis, bool, Integer, double, at::Tensor, Slice, Sequence> value;
};

/// The brackets' contents. A single item is itself, unless a comma makes it a tuple: x[0] is not x[0,].
struct Index {
  bool is_tuple() const { return comma || items.size() != 1; }

  std::vector<Item> items;
  bool comma = false;
};

/// Read the text form; placeholders take what they stand for from the two lists.
Index parse(std::string_view text, at::ArrayRef<int64_t> ints, at::TensorList tensors);

/// `self[index]`
at::Tensor get(const at::Tensor &self, const Index &index);
/// `self[index] = value`
void set(const at::Tensor &self, const Index &index, const at::Tensor &value);
void set(const at::Tensor &self, const Index &index, const at::Scalar &value);

}  // namespace ctorch::indexing
