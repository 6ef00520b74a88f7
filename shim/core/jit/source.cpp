// How deep a source is nested. Not a parser: it counts, per statement, whatever a parser could recurse on.
#include "core/jit/source.hpp"

#include <algorithm>
#include <vector>

namespace ctorch::jit {
namespace {

class Reader {
 public:
  explicit Reader(std::string_view source) : source_(source) {}

  std::optional<std::string> problem() {
    while (at_ < source_.size()) {
      if (is_line_start_) {
        begin_line();
      } else {
        step();
      }
      if (deepest_ > MAX_SOURCE_NESTING) {
        return "line " + std::to_string(line_) + " is nested deeper than " + std::to_string(MAX_SOURCE_NESTING);
      }
    }
    return std::nullopt;
  }

 private:
  /// Indentation, by which blocks nest; inside brackets it means nothing.
  void begin_line() {
    const size_t begin = at_;
    while (at_ < source_.size() && (source_[at_] == ' ' || source_[at_] == '\t')) {
      at_++;
    }
    is_line_start_ = false;
    const bool is_comment = source_.substr(at_, 1) == "#" && source_.substr(at_, 7) != "# type:";
    if (!brackets_.empty() || at_ == source_.size() || source_[at_] == '\n' || is_comment) {
      return;
    }
    const size_t indent = at_ - begin;
    while (!blocks_.empty() && blocks_.back() >= indent) {
      blocks_.pop_back();
    }
    blocks_.push_back(indent);
    chain_ = 0;
    note();
  }

  void step() {
    const char c = source_[at_];
    if (c == '\n') {
      line_++;
      is_line_start_ = true;
      at_++;
    } else if (c == '#' && source_.substr(at_, 7) != "# type:") {  // which declares types
      at_ = std::min(source_.find('\n', at_), source_.size());
    } else if (c == '"' || c == '\'') {
      skip_text(c);
    } else if (is_word(c)) {
      skip_word();
    } else {
      punctuation(c);
      at_++;
    }
  }

  void punctuation(char c) {
    if (c == '(' || c == '[' || c == '{') {
      brackets_.push_back(chain_);
      note();
    } else if (c == ')' || c == ']' || c == '}') {
      if (!brackets_.empty()) {
        chain_ = brackets_.back();
        brackets_.pop_back();
      }
      chain(1);  // what is called or indexed may be again
    } else if (c == ',') {
      chain_ = brackets_.empty() ? 0 : brackets_.back();
    } else if (c == ';') {
      chain_ = 0;
    } else if (c != ' ' && c != '\t' && c != '\r' && c != '\\') {
      chain(1);  // an operator, of which each may hold all behind it
    }
  }

  void skip_text(char quote) {
    const bool is_triple = source_.substr(at_, 3) == std::string(3, quote);
    at_ += is_triple ? 3 : 1;
    while (at_ < source_.size()) {
      if (source_[at_] == '\\') {
        at_ += 2;
        continue;
      }
      line_ += source_[at_] == '\n' ? 1 : 0;
      if (source_[at_] == quote && (!is_triple || source_.substr(at_, 3) == std::string(3, quote))) {
        at_ += is_triple ? 3 : 1;
        return;
      }
      if (source_[at_] == '\n' && !is_triple) {
        return;  // an error, which LibTorch says
      }
      at_++;
    }
    at_ = source_.size();
  }

  /// `not`, `if`, `and` and the like are operators too. An `elif` is inside the one before.
  void skip_word() {
    const size_t begin = at_;
    while (at_ < source_.size() && is_word(source_[at_])) {
      at_++;
    }
    static constexpr std::string_view operators[] = {"not", "and", "or", "if", "else", "for", "in", "is"};
    const std::string_view word = source_.substr(begin, at_ - begin);
    if (std::find(std::begin(operators), std::end(operators), word) != std::end(operators)) {
      chain(1);
    } else if (word == "elif") {
      elifs_++;
    } else if (word == "def") {
      elifs_ = 0;
    }
  }

  static bool is_word(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || (c >= '0' && c <= '9') ||
           static_cast<unsigned char>(c) >= 0x80;
  }

  void chain(int by) {
    chain_ += by;
    note();
  }
  void note() { deepest_ = std::max(deepest_, chain_ + elifs_ + static_cast<int>(brackets_.size() + blocks_.size())); }

  std::string_view source_;
  size_t at_ = 0;
  int line_ = 1, chain_ = 0, elifs_ = 0, deepest_ = 0;
  bool is_line_start_ = true;
  std::vector<int> brackets_;  // how long the chain was before each
  std::vector<size_t> blocks_;
};

}  // namespace

std::optional<std::string> problem_with_source(std::string_view source) { return Reader(source).problem(); }

}  // namespace ctorch::jit
