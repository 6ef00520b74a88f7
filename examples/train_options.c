#include "train_options.h"

#include <ctype.h>
#include <errno.h>
#include <getopt.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Where the digits lie; the build names the folder in full, so that the program runs from anywhere. */
#ifndef CTORCH_EXAMPLES_DATA
#define CTORCH_EXAMPLES_DATA "examples/data"
#endif

static const char help[] =
    "Usage: train_digits [OPTION]...\n"
    "Train a convolutional network on handwritten digits and test it on digits it has not seen.\n"
    "\n"
    "  -e, --epochs N      passes over the training images (30)\n"
    "  -b, --batch-size N  images per step (32)\n"
    "      --lr X          learning rate at the start; it falls linearly to 0 (0.05)\n"
    "      --seed N        seed of weights, order and transforms (0)\n"
    "  -t, --threads N     threads that LibTorch computes with (1)\n"
    "  -w, --workers N     further threads that load batches (0); the result is the same\n"
    "  -d, --data DIR      folder with the four IDX files\n"
    "                      (" CTORCH_EXAMPLES_DATA
    ")\n"
    "  -s, --save FILE     write the weights to FILE, in the format of safetensors\n"
    "  -l, --load FILE     only test the weights in FILE\n"
    "      --snapshots DIR save a snapshot in DIR after each epoch, and go on from the last one there\n"
    "      --losses FILE   write the mean loss of each epoch to FILE, with all its digits\n"
    "  -q, --quiet         no progress\n"
    "  -h, --help          this text\n"
    "\n"
    "The same options and the same LibTorch give the same result on the same kind of CPU.\n"
    "Exit status: 0 done, 1 failed, 2 wrong command line.\n";

static bool whole_number(uint64_t *out, const char *text, uint64_t min, uint64_t max) {
  char *end = NULL;
  errno = 0;
  unsigned long long value = strtoull(text, &end, 10); /* takes "-1" and " 1" too, hence the look at the first digit */
  if (!isdigit((unsigned char)text[0]) || *end != '\0' || errno != 0 || value < min || value > max) {
    return false;
  }
  *out = value;
  return true;
}

static bool positive_number(double *out, const char *text) {
  char *end = NULL;
  double value = strtod(text, &end);
  if (end == text || *end != '\0' || !isfinite(value) || value <= 0) {
    return false;
  }
  *out = value;
  return true;
}

static int usage(void) {
  fputs("Try 'train_digits --help'.\n", stderr);
  return OPTIONS_USAGE;
}

static int bad_value(const char *option, const char *expected, const char *value) {
  fprintf(stderr, "train_digits: %s must be %s, got '%s'\n", option, expected, value);
  return usage();
}

int train_options_parse(train_options *out, int argc, char **argv) {
  enum { LR = 256, SEED, LOSSES, SNAPSHOTS };
  static const struct option long_options[] = {
      {"epochs", required_argument, NULL, 'e'},
      {"batch-size", required_argument, NULL, 'b'},
      {"lr", required_argument, NULL, LR},
      {"seed", required_argument, NULL, SEED},
      {"threads", required_argument, NULL, 't'},
      {"workers", required_argument, NULL, 'w'},
      {"data", required_argument, NULL, 'd'},
      {"save", required_argument, NULL, 's'},
      {"load", required_argument, NULL, 'l'},
      {"losses", required_argument, NULL, LOSSES},
      {"snapshots", required_argument, NULL, SNAPSHOTS},
      {"quiet", no_argument, NULL, 'q'},
      {"help", no_argument, NULL, 'h'},
      {NULL, 0, NULL, 0}};
  train_options options = {.epochs = 30, .batch_size = 32, .lr = 0.05, .threads = 1, .data = CTORCH_EXAMPLES_DATA};

  for (int letter; (letter = getopt_long(argc, argv, "e:b:t:w:d:s:l:qh", long_options, NULL)) != -1;) {
    uint64_t number = 0;
    switch (letter) {
      case 'e':
        if (!whole_number(&number, optarg, 1, 100000)) {
          return bad_value("--epochs", "a whole number from 1 to 100000", optarg);
        }
        options.epochs = (int64_t)number;
        break;
      case 'b':
        if (!whole_number(&number, optarg, 1, 100000)) {
          return bad_value("--batch-size", "a whole number from 1 to 100000", optarg);
        }
        options.batch_size = (int64_t)number;
        break;
      case LR:
        if (!positive_number(&options.lr, optarg)) {
          return bad_value("--lr", "a positive number", optarg);
        }
        break;
      case SEED:
        if (!whole_number(&options.seed, optarg, 0, UINT64_MAX)) {
          return bad_value("--seed", "a whole number from 0 to 2^64 - 1", optarg);
        }
        break;
      case 't':
        if (!whole_number(&number, optarg, 1, 1024)) {
          return bad_value("--threads", "a whole number from 1 to 1024", optarg);
        }
        options.threads = (int32_t)number;
        break;
      case 'w':
        if (!whole_number(&number, optarg, 0, 1024)) {
          return bad_value("--workers", "a whole number up to 1024", optarg);
        }
        options.workers = (int64_t)number;
        break;
      case 'd':
        options.data = optarg;
        break;
      case 's':
        options.save = optarg;
        break;
      case 'l':
        options.load = optarg;
        break;
      case LOSSES:
        options.losses = optarg;
        break;
      case SNAPSHOTS:
        options.snapshots = optarg;
        break;
      case 'q':
        options.quiet = true;
        break;
      case 'h':
        fputs(help, stdout);
        return OPTIONS_HELP_SHOWN;
      default: /* getopt_long has already said what is wrong */
        return usage();
    }
  }
  if (optind < argc) {
    fprintf(stderr, "train_digits: unexpected argument '%s'\n", argv[optind]);
    return usage();
  }
  if (options.save != NULL && options.load != NULL) {
    fputs("train_digits: --load only tests: there is nothing to --save\n", stderr);
    return usage();
  }
  *out = options;
  return OPTIONS_OK;
}
