/**
 * Sounds: WAV files, read to tensors and written from them.
 *
 *     ctorch_tensor *sound = NULL;   // (channels, frames), float32 from -1 to 1
 *     int64_t sample_rate = 0;
 *     CTORCH_TRY(ctorch_wav_read_file(&sound, &sample_rate, "cat.wav", 0, -1, true));
 *
 * Read are samples of PCM with 8, 16, 24 and 32 bits, of float with 32 and 64, of mu-law and A-law (ITU-T G.711), under
 * the plain and the extensible header; files of more than 4 GiB are RF64 (EBU Tech 3306).
 */
#ifndef CTORCH_WAV_H
#define CTORCH_WAV_H

#include "ctorch/abi/base.h"
#include "ctorch/io/reader.h"
#include "ctorch/io/writer.h"

CTORCH_BEGIN_DECLS

/**
 * Read a sound (`torchaudio.load`).
 *
 * @param[out] out              owned; (channels, frames). With `normalize` float32: what is stored divided by 2^(bits
 *                              - 1), of 8 bits less 128. Otherwise what is stored: uint8, int16, int32 (24 bits in the
 *                              upper three bytes, as torchaudio, soundfile and scipy have it), float32, float64; int16
 *                              of mu-law and A-law.
 * @param[out] out_sample_rate  frames per second; may be NULL.
 * @param reader                borrowed.
 * @param frame_offset          the first frame, at least 0. Behind the end there are no frames.
 * @param num_frames            how many at most; -1 for all.
 * @param normalize             whether float32 is wanted, whatever is stored.
 * @return NULL, or NULL_ARGUMENT, VALUE (`frame_offset` below 0, `num_frames` of 0 or below -1), FORMAT (no WAV file,
 *         ends early, damaged; names the file), UNSUPPORTED (another encoding; names it), IO, OUT_OF_MEMORY.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_wav_read(
    ctorch_tensor **out,
    int64_t *out_sample_rate,
    const ctorch_reader *reader,
    int64_t frame_offset,
    int64_t num_frames,
    bool normalize);

/**
 * Read a file: ctorch_reader_open, ctorch_wav_read.
 *
 * @param[out] out              owned; as of ctorch_wav_read, like what follows.
 * @param[out] out_sample_rate  frames per second; may be NULL.
 * @param path                  borrowed; UTF-8.
 * @param frame_offset          the first frame.
 * @param num_frames            how many at most; -1 for all.
 * @param normalize             whether float32 is wanted.
 * @return NULL, or what those answer.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_wav_read_file(
    ctorch_tensor **out,
    int64_t *out_sample_rate,
    const char *path,
    int64_t frame_offset,
    int64_t num_frames,
    bool normalize);

/**
 * Write a sound (`torchaudio.save`), in the encoding of its dtype: PCM with 8 bits of uint8, 16 of int16, 32 of int32;
 * float of float32 and float64.
 *
 * @param writer       exclusive; ctorch_writer_finish is still to be called.
 * @param sound        borrowed; (channels, frames), on the CPU, of 1 to 65,535 channels.
 * @param sample_rate  frames per second, from 1 to 2^32 - 1.
 * @return NULL, or NULL_ARGUMENT, VALUE (`sample_rate`, the shape, more than 4 GiB), TYPE (another dtype),
 *         OUT_OF_MEMORY, or what ctorch_writer_write answers.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_wav_write(ctorch_writer *writer, const ctorch_tensor *sound, int64_t sample_rate);

/**
 * Write a file: ctorch_writer_open, ctorch_wav_write, ctorch_writer_finish.
 *
 * @param sound        borrowed; as of ctorch_wav_write.
 * @param sample_rate  frames per second.
 * @param path         borrowed; UTF-8.
 * @return NULL, or what those answer.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_wav_write_file(const ctorch_tensor *sound, int64_t sample_rate, const char *path);

CTORCH_END_DECLS

#endif
