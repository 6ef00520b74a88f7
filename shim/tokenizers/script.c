/* Scripts of characters. PCRE2 knows them: a pattern of all scripts finds the next run of one, and marks which it
 * is. */
#include "tokenizers/script.h"

#include <ctorch.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "core/c/error.h"
#include "tokenizers/character.h"

#if CTORCH_HAS_LIBPCRE2_8
#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

/* Those that the tokenizers library knows, but for Han and what counts as such; the usual ones first. */
static const char *const SCRIPTS[] = {
    "Latin",
    "Common",
    "Cyrillic",
    "Arabic",
    "Hebrew",
    "Devanagari",
    "Hangul",
    "Greek",
    "Thai",
    "Inherited",
    "Adlam",
    "Ahom",
    "AnatolianHieroglyphs",
    "Armenian",
    "Avestan",
    "Balinese",
    "Bamum",
    "BassaVah",
    "Batak",
    "Bengali",
    "Bhaiksuki",
    "Bopomofo",
    "Brahmi",
    "Braille",
    "Buginese",
    "Buhid",
    "CanadianAboriginal",
    "Carian",
    "CaucasianAlbanian",
    "Chakma",
    "Cham",
    "Cherokee",
    "Coptic",
    "Cuneiform",
    "Cypriot",
    "Deseret",
    "Duployan",
    "EgyptianHieroglyphs",
    "Elbasan",
    "Ethiopic",
    "Georgian",
    "Glagolitic",
    "Gothic",
    "Grantha",
    "Gujarati",
    "Gurmukhi",
    "Hanunoo",
    "Hatran",
    "ImperialAramaic",
    "InscriptionalPahlavi",
    "InscriptionalParthian",
    "Javanese",
    "Kaithi",
    "Kannada",
    "KayahLi",
    "Kharoshthi",
    "Khmer",
    "Khojki",
    "Khudawadi",
    "Lao",
    "Lepcha",
    "Limbu",
    "LinearA",
    "LinearB",
    "Lisu",
    "Lycian",
    "Lydian",
    "Mahajani",
    "Malayalam",
    "Mandaic",
    "Manichaean",
    "Marchen",
    "MeeteiMayek",
    "MendeKikakui",
    "MeroiticCursive",
    "MeroiticHieroglyphs",
    "Miao",
    "Modi",
    "Mongolian",
    "Mro",
    "Multani",
    "Myanmar",
    "Nabataean",
    "NewTaiLue",
    "Newa",
    "Nko",
    "Ogham",
    "OlChiki",
    "OldHungarian",
    "OldItalic",
    "OldNorthArabian",
    "OldPermic",
    "OldPersian",
    "OldSouthArabian",
    "OldTurkic",
    "Oriya",
    "Osage",
    "Osmanya",
    "PahawhHmong",
    "Palmyrene",
    "PauCinHau",
    "PhagsPa",
    "Phoenician",
    "PsalterPahlavi",
    "Rejang",
    "Runic",
    "Samaritan",
    "Saurashtra",
    "Sharada",
    "Shavian",
    "Siddham",
    "SignWriting",
    "Sinhala",
    "SoraSompeng",
    "Sundanese",
    "SylotiNagri",
    "Syriac",
    "Tagalog",
    "Tagbanwa",
    "TaiLe",
    "TaiTham",
    "TaiViet",
    "Takri",
    "Tamil",
    "Tangut",
    "Telugu",
    "Thaana",
    "Tibetan",
    "Tifinagh",
    "Tirhuta",
    "Ugaritic",
    "Vai",
    "WarangCiti",
    "Yi",
};

static pcre2_code *runs; /* lives as long as the library; NULL if PCRE2 knows no scripts */
static pthread_once_t runs_once = PTHREAD_ONCE_INIT;

static void compile(void) {
  struct text pattern = {.function = __func__};
  int failure = 0;
  size_t at = 0;
  text_add(&pattern, "[\\p{sc:Han}\\p{sc:Hiragana}\\p{sc:Katakana}\\x{30fc}]++(*:Han)");
  for (size_t i = 0; i < sizeof SCRIPTS / sizeof *SCRIPTS; i++) {
    text_add(&pattern, "|(?:(?! )\\p{sc:%s})++(*:%s)", SCRIPTS[i], SCRIPTS[i]);
  }
  if (pattern.error == NULL) {
    runs = pcre2_compile((PCRE2_SPTR)text_data(&pattern), pattern.len, PCRE2_UTF | PCRE2_ANCHORED, &failure, &at, NULL);
  }
  ctorch_error_release(text_end(&pattern));
}

ctorch_error *script_is_supported(const char *function) {
  pthread_once(&runs_once, compile);
  return runs != NULL ? NULL
                      : error_make(
                            function, CTORCH_ERROR_UNSUPPORTED,
                            "pre_tokenizer: \"UnicodeScripts\" needs PCRE2 10.40, which knows scripts");
}

/* The script of the run at `at`, and where it ends; NULL for a space, and for a character of no script. */
static const char *next_run(
    struct workspace *workspace, pcre2_match_data *match, const struct piece *piece, size_t at, size_t *end) {
  const int rc = pcre2_match(runs, (PCRE2_SPTR)piece->data, piece->len, at, PCRE2_NO_UTF_CHECK, match, NULL);
  *end = at + utf8_len_from(piece->data[at]);
  if (rc == PCRE2_ERROR_NOMATCH) {
    return NULL;
  }
  if (rc < 0) {
    pcre2_match_data_free(match);
    workspace_fail(
        workspace, error_make(workspace->function, CTORCH_ERROR_RUNTIME, "scripts: PCRE2 fails with %d", rc));
  }
  *end = pcre2_get_ovector_pointer(match)[1];
  return (const char *)pcre2_get_mark(match);
}

/* What stands before the first script is dropped, as the tokenizers library does. */
void script_split(struct workspace *workspace, struct pieces *out, const struct piece *piece) {
  pcre2_match_data *match = pcre2_match_data_create(1, NULL);
  if (match == NULL) {
    workspace_fail(workspace, error_memory(workspace->function, 0));
  }
  struct spans spans = {.data = NULL};
  char last[64] = "";
  for (size_t at = 0, end = 0; at < piece->len; at = end) {
    const char *script = next_run(workspace, match, piece, at, &end);
    if (script == NULL || strcmp(script, last) == 0) {
      continue;
    }
    if (spans.len > 0) {
      spans.data[spans.len - 1].end = (uint32_t)at;
    }
    WORKSPACE_PUSH(workspace, &spans, ((struct span){(uint32_t)at, (uint32_t)piece->len, false}));
    strncpy(last, script, sizeof last - 1);
  }
  pcre2_match_data_free(match);
  piece_split(workspace, out, piece, &spans, ISOLATED);
}
#else
ctorch_error *script_is_supported(const char *function) {
  return error_make(function, CTORCH_ERROR_UNSUPPORTED, "pre_tokenizer: ctorch was built without PCRE2");
}

void script_split(struct workspace *workspace, struct pieces *out, const struct piece *piece) {
  WORKSPACE_PUSH(workspace, out, *piece);
}
#endif
