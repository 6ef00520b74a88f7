/* A program that starts itself anew: in another environment, or to be looked at from outside. */
#ifndef CTORCH_TESTS_SELF_H
#define CTORCH_TESTS_SELF_H

#include <stdio.h>
#include <string.h>
#include <unistd.h>

/** execv of this program, by the emulator that it runs under if it is one of another processor's. Returns if it fails. */
static inline void exec_self(char *const *argv) {
  static char self[4096];
  static const char *const emulator[] = {
#ifdef EMULATOR
      EMULATOR,
#endif
      self};
  /* Read from the link, as the link itself would execute valgrind when run under it. */
  if (readlink("/proc/self/exe", self, sizeof self - 1) < 0) {
    perror("/proc/self/exe");
    return;
  }
  const size_t before = sizeof emulator / sizeof *emulator;
  char *words[64];
  memcpy(words, emulator, sizeof emulator);
  size_t i = 0;
  while (argv[i] != NULL && argv[i + 1] != NULL && before + i + 1 < sizeof words / sizeof *words) {
    words[before + i] = argv[i + 1];
    i++;
  }
  words[before + i] = NULL;
  execvp(words[0], words);
  perror(words[0]);
}

#endif
