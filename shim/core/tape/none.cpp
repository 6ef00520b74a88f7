// Until there are prepared kernels: no step is made by one.
#include "tape/record.hpp"

namespace ctorch::tape {

std::unique_ptr<Step> structured_step(const Record &) { return nullptr; }

}  // namespace ctorch::tape
