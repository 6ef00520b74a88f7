// Threads that compute alone. LibTorch's own setting is that of all threads, so those of OpenMP and MKL are asked for.
#include "core/c/single_thread.h"

#include <ATen/Parallel.h>
#include <dlfcn.h>

namespace {

// The libraries are LibTorch's, and either may be missing.
void call_if_there(const char *name, int argument) {
  if (void *found = dlsym(RTLD_DEFAULT, name)) {
    reinterpret_cast<void (*)(int)>(found)(argument);
  }
}

}  // namespace

void thread_compute_alone(void) {
  at::get_num_threads();  // or its first use in this thread sets the count of all
  call_if_there("omp_set_num_threads", 1);
  call_if_there("MKL_Set_Num_Threads_Local", 1);
}
