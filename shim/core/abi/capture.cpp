// The capture of each thread: abi/capture.hpp, and c/capture.h for C.
#include "core/abi/capture.hpp"

#include "core/abi/error.hpp"
#include "core/c/capture.h"

namespace ctorch {

namespace {

__thread Capture *current = nullptr;

}  // namespace

Capture *current_capture() noexcept { return current; }

void set_current_capture(Capture *capture) noexcept { current = capture; }

}  // namespace ctorch

namespace {

class CReplayPart final : public ctorch::ReplayPart {
 public:
  explicit CReplayPart(const struct capture_part &part) : part_(part) {}
  ~CReplayPart() override { part_.destroy(part_.payload); }

  ctorch_error *check(const char *function) override { return part_.check(function, part_.payload); }
  void begin() noexcept override { part_.begin(part_.payload); }

 private:
  struct capture_part part_;
};

}  // namespace

ctorch_error *capture_add(const char *function, const struct capture_part *part) {
  return ctorch::guard(function, [&] {
    auto made = std::make_unique<CReplayPart>(*part);
    ctorch::current_capture()->add(std::move(made));
  });
}

void capture_pause(void) {
  if (ctorch::Capture *capture = ctorch::current_capture()) {
    capture->pause();
  }
}

void capture_resume(void) {
  if (ctorch::Capture *capture = ctorch::current_capture()) {
    capture->resume();
  }
}

bool capture_is_on(void) { return ctorch::current_capture() != nullptr; }

void capture_refuse(const char *reason) { ctorch::refuse_in_capture(reason); }
