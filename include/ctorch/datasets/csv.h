/**
 * Texts that hold data: CSV files as columns, and the lines of a text.
 *
 *     ctorch_value *table = NULL;   // {"age": a tensor of int64, "name": a list of texts}
 *     CTORCH_TRY(ctorch_csv_read_file(&table, "people.csv", NULL, true, NULL, 0, NULL, 0, NULL));
 *
 * A CSV file is as RFC 4180 has it: a line is a row, fields are parted by a delimiter, and one that stands between
 * quotes may hold delimiters, ends of lines and, doubled, quotes. What RFC 4180 leaves open is as in Python's module
 * `csv`.
 */
#ifndef CTORCH_CSV_H
#define CTORCH_CSV_H

#include "ctorch/abi/base.h"
#include "ctorch/io/reader.h"

CTORCH_BEGIN_DECLS

/**
 * Read columns.
 *
 * Each column is a tensor of int64 if all its fields are whole numbers that fit, else one of float64 if all are numbers
 * ("1.5", "1e-3", "nan", "-inf"), else a list of texts. Blanks around a number are passed over. A field that is missing
 * is NaN, and its column is not int64, unless `fill` tells another number; in a column of texts it stays as it is. A
 * column in which all is missing is one of float64. Empty lines are passed over.
 *
 * @param[out] out     owned; a dict from names to columns, in the order of the file. Without a header the names are
 *                     "0", "1" and so on.
 * @param reader       borrowed; UTF-8, with a byte order mark or without. All of it is read.
 * @param delimiter    borrowed; one character of ASCII; NULL for ",".
 * @param has_header   the first row has the names.
 * @param types        borrowed; one for each column: "int64", "float64", "string", or "infer". NULL for "infer" for
 *                    all.
 * @param types_len    how many; as many as there are columns, or 0.
 * @param missing      borrowed; fields that are missing, such as "NA", beside those that are empty.
 * @param missing_len  how many.
 * @param fill         borrowed; the number for what is missing; NULL for NaN.
 * @return NULL, or NULL_ARGUMENT, INVALID_ARGUMENT (a text that is not UTF-8), VALUE (`delimiter`, a type that is not
 *         known, another number of types than of columns), FORMAT (not UTF-8, a NUL, a quote that does not end, a row
 *         with fewer or more fields than the first, two columns of one name, a field that is not of the given type;
 *         names the file and the line), IO, OUT_OF_MEMORY.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_csv_read(
    ctorch_value **out,
    const ctorch_reader *reader,
    const char *delimiter,
    bool has_header,
    const char *const *types,
    size_t types_len,
    const char *const *missing,
    size_t missing_len,
    const double *fill);

/**
 * Read a file: ctorch_reader_open, ctorch_csv_read.
 *
 * @param[out] out     owned; as of ctorch_csv_read, like what follows.
 * @param path         borrowed; UTF-8.
 * @param delimiter    borrowed; NULL for ",".
 * @param has_header   the first row has the names.
 * @param types        borrowed; NULL for "infer" for all.
 * @param types_len    how many.
 * @param missing      borrowed; fields that are missing.
 * @param missing_len  how many.
 * @param fill         borrowed; NULL for NaN.
 * @return NULL, or what those answer.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_csv_read_file(
    ctorch_value **out,
    const char *path,
    const char *delimiter,
    bool has_header,
    const char *const *types,
    size_t types_len,
    const char *const *missing,
    size_t missing_len,
    const double *fill);

/**
 * Read the lines of a text (`open(path).read().splitlines()`, of which the ends of lines are "\n", "\r" and "\r\n"
 * alone, as Python's universal newlines have it).
 *
 * @param[out] out  owned; a list of texts, without the ends of lines.
 * @param reader    borrowed; UTF-8. All of it is read.
 * @return NULL, or NULL_ARGUMENT, FORMAT (not UTF-8, a NUL; names the file and the line), IO, OUT_OF_MEMORY.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_csv_read_lines(ctorch_value **out, const ctorch_reader *reader);

CTORCH_END_DECLS

#endif
