/* The element types of GGUF, by the numbers that files have: ggml's. */
#include "gguf/gguf.h"

#define PLAIN(name, nbytes, dtype) {name, 1, nbytes, CTORCH_DTYPE_##dtype, NULL}
#define BLOCKS(name, len, nbytes, dequantize) {name, len, nbytes, CTORCH_DTYPE_FLOAT32, dequantize}
#define NOT_READ(name, len, nbytes) {name, len, nbytes, WEIGHTS_NO_DTYPE, NULL}

static const struct gguf_type types[] = {
    [0] = PLAIN("F32", 4, FLOAT32),
    [1] = PLAIN("F16", 2, FLOAT16),
    [2] = BLOCKS("Q4_0", 32, 18, gguf_q4_0),
    [3] = BLOCKS("Q4_1", 32, 20, gguf_q4_1),
    [6] = BLOCKS("Q5_0", 32, 22, gguf_q5_0),
    [7] = BLOCKS("Q5_1", 32, 24, gguf_q5_1),
    [8] = BLOCKS("Q8_0", 32, 34, gguf_q8_0),
    [9] = NOT_READ("Q8_1", 32, 40),
    [10] = BLOCKS("Q2_K", 256, 84, gguf_q2_k),
    [11] = BLOCKS("Q3_K", 256, 110, gguf_q3_k),
    [12] = BLOCKS("Q4_K", 256, 144, gguf_q4_k),
    [13] = BLOCKS("Q5_K", 256, 176, gguf_q5_k),
    [14] = BLOCKS("Q6_K", 256, 210, gguf_q6_k),
    [15] = BLOCKS("Q8_K", 256, 292, gguf_q8_k),
    [16] = NOT_READ("IQ2_XXS", 256, 66),
    [17] = NOT_READ("IQ2_XS", 256, 74),
    [18] = NOT_READ("IQ3_XXS", 256, 98),
    [19] = NOT_READ("IQ1_S", 256, 50),
    [20] = BLOCKS("IQ4_NL", 32, 18, gguf_iq4_nl),
    [21] = NOT_READ("IQ3_S", 256, 110),
    [22] = NOT_READ("IQ2_S", 256, 82),
    [23] = BLOCKS("IQ4_XS", 256, 136, gguf_iq4_xs),
    [24] = PLAIN("I8", 1, INT8),
    [25] = PLAIN("I16", 2, INT16),
    [26] = PLAIN("I32", 4, INT32),
    [27] = PLAIN("I64", 8, INT64),
    [28] = PLAIN("F64", 8, FLOAT64),
    [29] = NOT_READ("IQ1_M", 256, 56),
    [30] = PLAIN("BF16", 2, BFLOAT16),
    [34] = BLOCKS("TQ1_0", 256, 54, gguf_tq1_0),
    [35] = BLOCKS("TQ2_0", 256, 66, gguf_tq2_0),
    [39] = BLOCKS("MXFP4", 32, 17, gguf_mxfp4),
    [40] = BLOCKS("NVFP4", 64, 36, gguf_nvfp4),
    [41] = NOT_READ("Q1_0", 128, 18),
};

const struct gguf_type *gguf_type_of(uint64_t number) {
  return number < sizeof types / sizeof *types && types[number].name != NULL ? &types[number] : NULL;
}
