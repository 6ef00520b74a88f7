/* Event files. An input is the file, or its records without their lengths and checksums (first byte 'r', then a length of
 * one byte before each), or a CSV file of a logger (first byte 'c'). What is read has texts in UTF-8 and tensors of the
 * shapes that they claim; reading ends. */
#define _GNU_SOURCE
#include <math.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

#include "fuzz/fuzz.h"

static uint32_t crc(const uint8_t *data, size_t len) {
  uint32_t crc = 0xffffffffU;
  for (size_t i = 0; i < len; i++) {
    crc ^= data[i];
    for (int bit = 0; bit < 8; bit++) {
      crc = (crc >> 1) ^ ((crc & 1) != 0 ? 0x82f63b78U : 0);
    }
  }
  crc = ~crc;
  return ((crc >> 15) | (crc << 17)) + 0xa282ead8U;
}

static void put(int file, const void *data, size_t len) { fuzz_assert(write(file, data, len) == (ssize_t)len); }

static void put32(int file, uint32_t value) {
  const uint8_t bytes[4] = {(uint8_t)value, (uint8_t)(value >> 8), (uint8_t)(value >> 16), (uint8_t)(value >> 24)};
  put(file, bytes, 4);
}

static void put_records(int file, const uint8_t *data, size_t len) {
  while (len > 0) {
    const uint8_t length[8] = {data[0] < len ? data[0] : (uint8_t)(len - 1)};
    put(file, length, 8);
    put32(file, crc(length, 8));
    put(file, data + 1, length[0]);
    put32(file, crc(data + 1, length[0]));
    data += 1 + length[0];
    len -= 1U + length[0];
  }
}

static void check_value(const ctorch_summary_reader *reader) {
  const char *text = ctorch_summary_reader_text(reader), *data;
  ctorch_tensor *tensor, *limits, *counts;
  size_t len;
  fuzz_assert(fuzz_is_utf8(ctorch_summary_reader_tag(reader)) && fuzz_is_utf8(ctorch_summary_reader_plugin(reader)));
  fuzz_assert(text == NULL || fuzz_is_utf8(text));
  fuzz_must(ctorch_summary_reader_data(&data, &len, reader));
  uint32_t sum = 0;
  for (size_t i = 0; i < len; i++) {
    sum += (uint8_t)data[i];
  }
  fuzz_assert(sum < UINT32_MAX);
  fuzz_assert(
      ctorch_summary_reader_kind(reader) == CTORCH_SUMMARY_KIND_SCALAR || isnan(ctorch_summary_reader_scalar(reader)));
  if (fuzz_ok(&limits, ctorch_summary_reader_bins(&limits, &counts, reader))) {
    fuzz_assert(ctorch_tensor_numel(limits) == ctorch_tensor_numel(counts));
    fuzz_release(ctorch_tensor, limits);
    fuzz_release(ctorch_tensor, counts);
  }
  if (fuzz_ok(&tensor, ctorch_summary_reader_tensor(&tensor, reader))) {
    fuzz_assert(ctorch_tensor_numel(tensor) >= 0);
    fuzz_release(ctorch_tensor, tensor);
  }
}

static void read_events(const char *path) {
  ctorch_summary_reader *reader;
  bool is_there = true;
  if (!fuzz_ok(&reader, ctorch_summary_reader_open(&reader, path))) {
    return;
  }
  for (int i = 0; is_there && i < 10000; i++) {
    bool answer;
    const bool is_read = fuzz_ok(&answer, ctorch_summary_reader_next(&answer, reader));
    is_there = !is_read || answer;
    if (is_read && answer) {
      check_value(reader);
    }
  }
  fuzz_assert(!is_there);
  fuzz_release(ctorch_summary_reader, reader);
}

static void go_on(const char *path) {
  ctorch_summary_writer *writer;
  if (fuzz_ok(&writer, ctorch_summary_writer_open_file(&writer, path, 1, 0))) {
    fuzz_must(ctorch_summary_writer_add_scalar(writer, "x", 1, 2, NULL, false, false));
    fuzz_must(ctorch_summary_writer_finish(writer));
    fuzz_release(ctorch_summary_writer, writer);
  }
}

/* A log that is opened can be opened again. */
static void read_csv(const char *path) {
  ctorch_logger *logger, *again;
  if (fuzz_ok(&logger, ctorch_logger_open_csv(&logger, path))) {
    fuzz_must(ctorch_logger_open_csv(&again, path));
    fuzz_release(ctorch_logger, again);
    fuzz_release(ctorch_logger, logger);
  }
}

static void events_input(fuzz_input *input) {
  char path[64];
  const int file = memfd_create("events", 0);
  const bool is_csv = input->len > 0 && input->data[0] == 'c', is_records = input->len > 0 && input->data[0] == 'r';
  fuzz_assert(file >= 0);
  snprintf(path, sizeof path, "/proc/self/fd/%d", file);
  if (is_records) {
    put_records(file, input->data + 1, input->len - 1);
  } else {
    put(file, input->data + is_csv, input->len - is_csv);
  }
  if (is_csv) {
    read_csv(path);
  } else if (ctorch_summary_writer_is_supported()) {
    read_events(path);
    go_on(path);
    read_events(path);
  }
  close(file);
}

FUZZ_TARGET(events_input)
