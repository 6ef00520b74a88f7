/* Prints how long loading a library takes when the libraries before it are loaded already, in microseconds:
 *
 *   bench_load LIBRARY...
 */
#include <dlfcn.h>
#include <stdio.h>
#include <time.h>

int main(int argc, char **argv) {
  for (int i = 1; i < argc; i++) {
    struct timespec begin, end;
    clock_gettime(CLOCK_MONOTONIC, &begin);
    void *library = dlopen(argv[i], RTLD_NOW | RTLD_GLOBAL);
    clock_gettime(CLOCK_MONOTONIC, &end);
    if (library == NULL) {
      fprintf(stderr, "%s\n", dlerror());
      return 1;
    }
    double seconds = (double)(end.tv_sec - begin.tv_sec) + 1e-9 * (double)(end.tv_nsec - begin.tv_nsec);
    printf("%s\t%.1f\n", argv[i], 1e6 * seconds);
  }
  return 0;
}
