// Capture: a thread whose operators are being noted, for a tape. What cannot be replayed says so here.
#pragma once

#include <string>

namespace ctorch {

class Capture {
 public:
  /// What was called cannot be replayed: the capture goes on for nothing, and its end answers the first such reason.
  virtual void refuse(const std::string &reason) noexcept = 0;

 protected:
  ~Capture() = default;
};

/// That of this thread, or null.
Capture *current_capture() noexcept;
/// Let this thread have one, or none.
void set_current_capture(Capture *capture) noexcept;

/// A user's callback is about to be called that a replay would not call.
inline void refuse_in_capture(const char *what) noexcept {
  if (Capture *capture = current_capture(); __builtin_expect(capture != nullptr, false)) {
    capture->refuse(what);
  }
}

}  // namespace ctorch
