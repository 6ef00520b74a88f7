// Capture: a thread whose operators are being noted, for a tape. What cannot be replayed says so here.
#pragma once

#include <memory>

#include "ctorch/abi/error.h"

namespace ctorch {

/// What part of a step does besides calling operators, for each replay.
class ReplayPart {
 public:
  ReplayPart() = default;
  ReplayPart(const ReplayPart &) = delete;
  ReplayPart &operator=(const ReplayPart &) = delete;
  virtual ~ReplayPart() = default;

  /// NULL, or the error of `function` that what it needs is no longer as it was. Nothing has been done yet.
  virtual ctorch_error *check(const char *function) = 0;
  /// The replay begins.
  virtual void begin() noexcept = 0;
};

class Capture {
 public:
  /// What was called cannot be replayed: the capture goes on for nothing, and its end answers the first such reason.
  virtual void refuse(const char *reason) noexcept = 0;
  virtual void add(std::unique_ptr<ReplayPart> &&part) = 0;
  /// Let operators be called that are not noted.
  virtual void pause() noexcept = 0;
  virtual void resume() noexcept = 0;

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
