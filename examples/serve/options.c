#include "options.h"

#include <ctype.h>
#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char help[] =
    "Usage: serve [OPTION]... MODEL\n"
    "Serve a model by HTTP, as the Open Inference Protocol has it: POST /v2/models/NAME/infer.\n"
    "\n"
    "MODEL is a module that a file .json describes, a package or program .pt2, or else TorchScript.\n"
    "\n"
    "      --input FORM         a sample's type and sizes (FP32:1,8,8); ? for a size that may be any\n"
    "      --weights FILE       a module's weights: safetensors, or what torch.save writes\n"
    "      --name NAME          what the model is called (model)\n"
    "  -a, --address ADDRESS    IPv4 or IPv6 address to listen at (127.0.0.1)\n"
    "  -p, --port N             and port; 0 for any that is free (8000)\n"
    "  -s, --socket PATH        listen at a socket in the file system instead\n"
    "      --tls-cert FILE      speak TLS, with this certificate (PEM)\n"
    "      --tls-key FILE       and its key\n"
    "  -w, --workers N          threads that compute, each with one thread of LibTorch (1)\n"
    "      --http-threads N     threads that read and write (1)\n"
    "  -b, --batch N            rows that are computed at once (32)\n"
    "  -d, --delay N            microseconds that a request may wait for others to come (0)\n"
    "  -q, --queue N            requests that may wait; others are refused with 503 (256)\n"
    "  -t, --timeout N          milliseconds to send a request, and then to wait for the model (10000)\n"
    "      --max-body N         bytes of a request (4194304)\n"
    "      --connections N      open connections (1000)\n"
    "      --idle-timeout N     seconds of silence after which a connection is closed, and to take\n"
    "                           an answer (60)\n"
    "      --grace N            seconds that clients have after SIGTERM (10)\n"
    "  -h, --help               this text\n"
    "\n"
    "When it listens it says so on standard output. SIGTERM and SIGINT end it in order.\n"
    "Exit status: 0 ended in order, 1 failed, 2 wrong command line.\n";

/* The options that are whole numbers. */
static const struct number {
  const char *name;
  int letter;
  size_t field;
  uint64_t min, max;
} numbers[] = {
    {"port", 'p', offsetof(options, port), 0, UINT16_MAX},
    {"workers", 'w', offsetof(options, workers), 1, 1024},
    {"http-threads", 'T', offsetof(options, http_threads), 1, 1024},
    {"batch", 'b', offsetof(options, batch), 1, 100000},
    {"delay", 'd', offsetof(options, delay), 0, 60 * 1000 * 1000},
    {"queue", 'q', offsetof(options, queue), 1, 1000 * 1000},
    {"timeout", 't', offsetof(options, timeout), 1, 24 * 3600 * 1000},
    {"max-body", 'M', offsetof(options, max_body), 1, UINT64_C(1) << 40},
    {"connections", 'C', offsetof(options, connections), 1, 1000 * 1000},
    {"idle-timeout", 'I', offsetof(options, idle_timeout), 1, 24 * 3600},
    {"grace", 'G', offsetof(options, grace), 0, 24 * 3600},
};

enum { NUMBERS = sizeof numbers / sizeof *numbers };

static int usage(void) {
  fputs("Try 'serve --help'.\n", stderr);
  return OPTIONS_USAGE;
}

static int set_number(options *out, const struct number *number, const char *text) {
  char *end = NULL;
  errno = 0;
  const unsigned long long value = strtoull(text, &end, 10);
  if (!isdigit((unsigned char)*text) || *end != '\0' || errno != 0 || value < number->min || value > number->max) {
    fprintf(
        stderr, "serve: --%s must be a whole number from %" PRIu64 " to %" PRIu64 ", got '%s'\n", number->name,
        number->min, number->max, text);
    return usage();
  }
  const uint64_t found = value;
  memcpy((char *)out + number->field, &found, sizeof found);
  return OPTIONS_OK;
}

static int set(options *out, int letter, const char *text) {
  for (int i = 0; i < NUMBERS; i++) {
    if (numbers[i].letter == letter) {
      return set_number(out, &numbers[i], text);
    }
  }
  switch (letter) {
    case 'i':
      if (!array_form_parse(&out->input, text)) {
        fprintf(stderr, "serve: --input must be a type and sizes, as FP32:1,8,8, got '%s'\n", text);
        return usage();
      }
      return OPTIONS_OK;
    case 'W':
      out->weights = text;
      return OPTIONS_OK;
    case 'n':
      out->name = text;
      return OPTIONS_OK;
    case 'a':
      out->address = text;
      return OPTIONS_OK;
    case 's':
      out->socket = text;
      return OPTIONS_OK;
    case 'c':
      out->tls_cert = text;
      return OPTIONS_OK;
    case 'k':
      out->tls_key = text;
      return OPTIONS_OK;
    case 'h':
      fputs(help, stdout);
      return OPTIONS_HELP_SHOWN;
    default: /* getopt_long has already said what is wrong */
      return usage();
  }
}

static int check(options *out, int argc, char **argv) {
  if (optind + 1 != argc) {
    fputs(optind == argc ? "serve: no MODEL\n" : "serve: more than one MODEL\n", stderr);
    return usage();
  }
  if (out->input.ndim == 0) {
    fputs("serve: --input is needed\n", stderr);
    return usage();
  }
  if (*out->name == '\0' || strchr(out->name, '/') != NULL) {
    fputs("serve: --name is a part of a path, without /\n", stderr);
    return usage();
  }
  if ((out->tls_cert == NULL) != (out->tls_key == NULL)) {
    fputs("serve: --tls-cert and --tls-key need each other\n", stderr);
    return usage();
  }
  out->model = argv[optind];
  return OPTIONS_OK;
}

int options_parse(options *out, int argc, char **argv) {
  enum { TEXTS = 8 };
  struct option known[NUMBERS + TEXTS + 1] = {
      {"input", required_argument, NULL, 'i'},    {"weights", required_argument, NULL, 'W'},
      {"name", required_argument, NULL, 'n'},     {"address", required_argument, NULL, 'a'},
      {"socket", required_argument, NULL, 's'},   {"help", no_argument, NULL, 'h'},
      {"tls-cert", required_argument, NULL, 'c'}, {"tls-key", required_argument, NULL, 'k'},
  };
  for (int i = 0; i < NUMBERS; i++) {
    known[TEXTS + i] = (struct option){numbers[i].name, required_argument, NULL, numbers[i].letter};
  }
  *out = (options){
      .name = "model",
      .address = "127.0.0.1",
      .port = 8000,
      .workers = 1,
      .http_threads = 1,
      .batch = 32,
      .queue = 256,
      .timeout = 10 * 1000,
      .max_body = 4 << 20,
      .connections = 1000,
      .idle_timeout = 60,
      .grace = 10,
  };
  for (int letter; (letter = getopt_long(argc, argv, "a:p:s:w:b:d:q:t:h", known, NULL)) != -1;) {
    const int status = set(out, letter, optarg);
    if (status != OPTIONS_OK) {
      return status;
    }
  }
  return check(out, argc, argv);
}
