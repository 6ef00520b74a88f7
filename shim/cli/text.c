/* Texts of files on a terminal, which strangers may have written: none is obeyed, hidden or as long as it likes. */
#define _DEFAULT_SOURCE /* struct winsize */
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "cli/cli.h"

enum { LONGEST_PADDING = 100 };

/* The character at `text` and its bytes; false for what is not UTF-8. */
static bool next_character(uint32_t *out, size_t *out_len, const unsigned char *text) {
  const size_t len = text[0] < 0x80 ? 1 : text[0] >= 0xf0 ? 4 : text[0] >= 0xe0 ? 3 : text[0] >= 0xc0 ? 2 : 0;
  *out_len = 1;
  *out = len == 1 ? text[0] : text[0] & (0x7fU >> len);
  for (size_t i = 1; i < len; i++) {
    if ((text[i] & 0xc0) != 0x80) { /* the NUL at the end, too */
      return false;
    }
    *out = *out << 6 | (text[i] & 0x3fU);
  }
  *out_len = len > 0 ? len : 1;
  return len > 0;
}

/* What makes a text look like another one: formats, directions, blanks that are not spaces, variants, tags. */
static bool is_hidden(uint32_t c) {
  static const uint32_t HIDDEN[][2] = {
      {0xad, 0xad},       {0x34f, 0x34f},    {0x600, 0x605},   {0x61c, 0x61c},   {0x6dd, 0x6dd},     {0x70f, 0x70f},
      {0x890, 0x891},     {0x8e2, 0x8e2},    {0x115f, 0x1160}, {0x17b4, 0x17b5}, {0x180b, 0x180f},   {0x2000, 0x200f},
      {0x2028, 0x202f},   {0x205f, 0x206f},  {0x2800, 0x2800}, {0x3164, 0x3164}, {0xd800, 0xdfff},   {0xfe00, 0xfe0f},
      {0xfeff, 0xfeff},   {0xffa0, 0xffa0},  {0xfff0, 0xfffb}, {0xfffe, 0xffff}, {0x13430, 0x1345f}, {0x1bca0, 0x1bca3},
      {0x1d173, 0x1d17a}, {0xe0000, 0xe0fff}};
  for (size_t i = 0; i < sizeof HIDDEN / sizeof *HIDDEN; i++) {
    if (c >= HIDDEN[i][0] && c <= HIDDEN[i][1]) {
      return true;
    }
  }
  return c > 0x10ffff;
}

char *cli_escaped(const char *text) {
  char *escaped = malloc(4 * strlen(text) + 1), *at = escaped;
  if (escaped == NULL) {
    abort();
  }
  for (const unsigned char *c = (const unsigned char *)text; *c != '\0';) {
    uint32_t character = 0;
    size_t len = 0;
    const bool is_valid = next_character(&character, &len, c);
    if (!is_valid || character < 0x20 || (character >= 0x7f && character < 0xa0)) { /* of which some begin commands */
      for (size_t i = 0; i < len; i++) {
        at += sprintf(at, "\\x%02x", c[i]);
      }
    } else if (is_hidden(character)) {
      at += sprintf(at, character < 0x10000 ? "\\u%04x" : "\\U%08x", (unsigned)character);
    } else {
      memcpy(at, c, len);
      at += len;
    }
    c += len;
  }
  *at = '\0';
  return escaped;
}

int cli_width(const char *text) {
  int width = 0;
  for (; *text != '\0'; text++) {
    width += ((unsigned char)*text & 0xc0) != 0x80;
  }
  return width;
}

int cli_columns(void) {
  struct winsize size;
  return isatty(STDOUT_FILENO) == 1 && ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}

/* The bytes of the first characters. */
static size_t bytes_of(const char *text, int characters) {
  size_t len = 0;
  while (text[len] != '\0' && characters-- > 0) {
    do {
      len++;
    } while (((unsigned char)text[len] & 0xc0) == 0x80);
  }
  return len;
}

void cli_print_cell(const char *text, int width, int most) {
  int shown = cli_width(text);
  if (most > 0 && shown > most) {
    printf("%.*s…", (int)bytes_of(text, most - 1), text);
    shown = most;
  } else {
    fputs(text, stdout);
  }
  width = width < LONGEST_PADDING ? width : LONGEST_PADDING;
  width = most > 0 && width > most ? most : width;
  printf("%*s", width > shown ? width - shown : 0, "");
}
