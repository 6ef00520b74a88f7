// Who called: the stack at a moment, to be turned into names if somebody asks.
#pragma once

#include <string>

namespace ctorch {

/// Return addresses, the innermost first.
struct Stack {
  static constexpr int MOST = 20;

  int len = 0;
  void *frames[MOST];

  /// The stack now, or nothing while stacks are not noted.
  static Stack here() noexcept;

  /// A frame per line, from the function of ctorch's that was called; "" for nothing.
  std::string text() const;
  /// The function of ctorch's that was called, and who called it: "ctorch_aten_add_Tensor, called from main+0x1c (a)";
  /// where nothing was noted, a text that says so.
  std::string place() const;

 private:
  /// The frame of that function.
  int entry() const;
};

/// Whether LibTorch's errors, ctorch's, and what is counted, note the stack.
void set_notes_stacks(bool enabled);
bool notes_stacks() noexcept;

}  // namespace ctorch
