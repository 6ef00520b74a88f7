// The text form of an index: a recursive descent over the grammar in index.h.
#include <charconv>
#include <limits>
#include <string>

#include "core/abi/error.hpp"
#include "core/tensor/index.hpp"

namespace ctorch::indexing {

namespace {

// Python gives up at this depth too.
constexpr int MAX_DEPTH = 200;
// A message is one line.
constexpr size_t MAX_QUOTED = 200;

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }

/// The value of a digit in any base up to 16; more than that for other characters.
unsigned digit_value(char c) {
  if (is_digit(c)) {
    return static_cast<unsigned>(c - '0');
  }
  const char lower = static_cast<char>(c | 0x20);
  return lower >= 'a' && lower <= 'f' ? static_cast<unsigned>(lower - 'a') + 10 : 99;
}

class Parser {
 public:
  Parser(std::string_view text, at::ArrayRef<int64_t> ints, at::TensorList tensors)
      : text_(text), ints_(ints), tensors_(tensors) {}

  Index parse() {
    Index index;
    do {
      index.items.push_back(item());
      index.comma = take(",");
    } while (index.comma && !at_end());
    if (!at_end()) {
      fail_here("expected a comma or the end");
    }
    check_used("ints", ints_used_, ints_.size(), "%d");
    check_used("tensors", tensors_used_, tensors_.size(), "%t");
    if (index.items.size() == 1 && !index.comma) {
      // Parentheses around a tuple are not seen: x[(0, 1)] is x[0, 1].
      if (auto *sequence = std::get_if<Sequence>(&index.items[0].value); sequence != nullptr && sequence->is_tuple) {
        std::vector<Item> items = std::move(sequence->items);
        index.comma = items.size() == 1;
        index.items = std::move(items);
      }
    }
    return index;
  }

 private:
  // Characters

  void skip_blanks() {
    while (position_ < text_.size() &&
           std::string_view(" \t\r\n\f\v").find(text_[position_]) != std::string_view::npos) {
      position_++;
    }
  }
  bool at_end() {
    skip_blanks();
    return position_ == text_.size();
  }
  /// The next character that is not blank, or NUL at the end.
  char peek() { return at_end() ? '\0' : text_[position_]; }
  bool take(std::string_view token) {
    skip_blanks();
    if (text_.compare(position_, token.size(), token) != 0) {
      return false;
    }
    position_ += token.size();
    return true;
  }
  [[noreturn]] void fail_here(const std::string &problem) const {
    std::string message = "text: " + problem + " at position " + std::to_string(position_);
    if (text_.size() <= MAX_QUOTED) {
      message += " of \"" + std::string(text_) + "\"";
    }
    fail(CTORCH_ERROR_SYNTAX, std::move(message));
  }

  // Items

  Item item() {
    if (peek() == ':') {
      return slice(Item{None{}});
    }
    Item first = value();
    return peek() == ':' ? slice(std::move(first)) : first;
  }

  Item slice(Item start) {
    Slice result;
    result.bounds.push_back(std::move(start));
    while (result.bounds.size() < 3) {
      result.bounds.push_back(take(":") ? bound() : Item{None{}});
    }
    return Item{std::move(result)};
  }

  Item bound() {
    const char next = peek();
    return next == '\0' || next == ':' || next == ',' ? Item{None{}} : value();
  }

  Item value() {
    if (++depth_ > MAX_DEPTH) {
      fail_here("too many nested brackets");
    }
    Item result = unnested_value();
    depth_--;
    return result;
  }

  Item unnested_value() {
    const char next = peek();
    if (next == '+' || next == '-') {
      position_++;
      return signed_number(next == '-', value());
    }
    if (take("[")) {
      return Item{Sequence{values("]").items, /*is_tuple=*/false}};
    }
    if (take("(")) {
      Index contents = values(")");
      if (contents.is_tuple()) {
        return Item{Sequence{std::move(contents.items), /*is_tuple=*/true}};
      }
      return std::move(contents.items[0]);
    }
    if (take("...")) {
      return Item{Ellipsis{}};
    }
    if (take("%d")) {
      return Item{Integer(next_of(ints_, ints_used_, "ints", "%d"))};
    }
    if (take("%t")) {
      return Item{next_of(tensors_, tensors_used_, "tensors", "%t")};
    }
    if (is_digit(next) || next == '.') {
      return number();
    }
    return name();
  }

  Index values(std::string_view end) {
    Index result;
    while (!take(end)) {
      if (!result.items.empty() && !result.comma) {
        fail_here("expected a comma or \"" + std::string(end) + "\"");
      }
      result.items.push_back(value());
      result.comma = take(",");
    }
    return result;
  }

  Item signed_number(bool minus, Item item) {
    if (const auto *flag = item.as<bool>()) {
      item.value = Integer(*flag ? 1 : 0);
    }
    if (auto *integer = std::get_if<Integer>(&item.value)) {
      integer->negative ^= minus && integer->magnitude != 0;
    } else if (auto *real = std::get_if<double>(&item.value)) {
      *real = minus ? -*real : *real;
    } else {
      fail_here("a sign needs a number");
    }
    return item;
  }

  Item name() {
    const size_t begin = position_;
    while (position_ < text_.size() && (is_letter(text_[position_]) || is_digit(text_[position_]))) {
      position_++;
    }
    const std::string_view name = text_.substr(begin, position_ - begin);
    if (name == "None" || name == "newaxis") {
      return Item{None{}};
    }
    if (name == "True" || name == "False") {
      return Item{name == "True"};
    }
    if (name == "Ellipsis") {
      return Item{Ellipsis{}};
    }
    position_ = begin;
    fail_here(begin == text_.size() ? "an index is missing" : "not an index");
  }

  template <class T>
  T next_of(at::ArrayRef<T> list, size_t &used, const char *argument, const char *placeholder) {
    if (used == list.size()) {
      fail_argument(
          argument, "no " + std::to_string(used + 1) + ". entry for the \"" + placeholder + "\" before position " +
                        std::to_string(position_));
    }
    return list[used++];
  }

  static void check_used(const char *argument, size_t used, size_t given, const char *placeholder) {
    if (used != given) {
      fail_argument(
          argument,
          std::to_string(given) + " entries, but the text has " + std::to_string(used) + " \"" + placeholder + "\"");
    }
  }

  // Numbers

  Item number() {
    static constexpr std::pair<std::string_view, unsigned> PREFIXES[] = {{"0x", 16}, {"0X", 16}, {"0o", 8},
                                                                         {"0O", 8},  {"0b", 2},  {"0B", 2}};
    for (auto [prefix, base] : PREFIXES) {
      if (text_.compare(position_, prefix.size(), prefix) == 0) {
        position_ += prefix.size();
        if (position_ < text_.size() && text_[position_] == '_') {
          position_++;
        }
        return Item{integer(digits(base), base)};
      }
    }
    const size_t begin = position_;
    std::string literal = text_[position_] == '.' ? "" : digits(10);
    bool is_float = false;
    if (position_ < text_.size() && text_[position_] == '.') {
      is_float = true;
      literal += text_[position_++];
      if (position_ < text_.size() && is_digit(text_[position_])) {
        literal += digits(10);
      } else if (literal == ".") {
        position_ = begin;
        fail_here("not an index");
      }
    }
    if (position_ < text_.size() && (text_[position_] | 0x20) == 'e') {
      is_float = true;
      literal += text_[position_++];
      if (position_ < text_.size() && (text_[position_] == '+' || text_[position_] == '-')) {
        literal += text_[position_++];
      }
      literal += digits(10);
    }
    if (position_ < text_.size() && is_letter(text_[position_])) {
      fail_here("not an index");
    }
    if (is_float) {
      return Item{real(literal)};
    }
    if (literal[0] == '0' && literal.find_first_not_of('0') != std::string::npos) {
      position_ = begin;
      fail_here("an integer must not begin with 0");
    }
    return Item{integer(literal, 10)};
  }

  /// At least one digit, underscores between digits left out.
  std::string digits(unsigned base) {
    std::string result;
    while (position_ < text_.size() && digit_value(text_[position_]) < base) {
      result += text_[position_++];
      const size_t next = position_ + 1;
      if (next < text_.size() && text_[position_] == '_' && digit_value(text_[next]) < base) {
        position_++;
      }
    }
    if (result.empty() || (position_ < text_.size() && text_[position_] == '_')) {
      fail_here("expected a digit");
    }
    return result;
  }

  static Integer integer(const std::string &digits, unsigned base) {
    uint64_t magnitude = 0;
    for (char c : digits) {
      if (__builtin_mul_overflow(magnitude, base, &magnitude) ||
          __builtin_add_overflow(magnitude, digit_value(c), &magnitude)) {
        return {std::numeric_limits<uint64_t>::max(), false};
      }
    }
    return {magnitude, false};
  }

  static double real(const std::string &literal) {
    double value = 0;
    const auto [end, problem] = std::from_chars(literal.data(), literal.data() + literal.size(), value);
    if (problem == std::errc::result_out_of_range) {
      return std::strtod(literal.c_str(), nullptr);  // infinity or zero: no point left to read by a locale's rules
    }
    return value;
  }

  std::string_view text_;
  size_t position_ = 0;
  int depth_ = 0;
  at::ArrayRef<int64_t> ints_;
  size_t ints_used_ = 0;
  at::TensorList tensors_;
  size_t tensors_used_ = 0;
};

}  // namespace

Index parse(std::string_view text, at::ArrayRef<int64_t> ints, at::TensorList tensors) {
  return Parser(text, ints, tensors).parse();
}

}  // namespace ctorch::indexing
