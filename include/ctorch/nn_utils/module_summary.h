/**
 * What is in a model and what it costs, from a dry run: the table that torchinfo and Keras print.
 *
 *     ctorch_string *table = NULL;
 *     CTORCH_TRY(ctorch_module_summary(&table, model, args, NULL));
 *     puts(ctorch_string_data(table));
 *
 * gives, with one row for each module,
 *
 *     Layer  Class       Output shape  Parameters  FLOPs
 *            Sequential  [2, 3]                39    128
 *     0      Linear      [2, 4]                24     80
 *     1      ReLU        [2, 4]                 0      0
 *     2      Linear      [2, 3]                15     48
 *     Parameters: 39, 39 of them trainable
 *     FLOPs: 128
 *     Size: 156 bytes
 *
 * The model is applied once, in evaluation mode and with no graph; then every module is in the mode that it was in,
 * also if the model failed. A Lazy module is made what it becomes. If all parameters are on the device "meta", tensors
 * among the arguments are moved there, and nothing is computed.
 *
 * Parameters, FLOPs and bytes of a module are with those of all inside it. What stands in several places has a row
 * under its first name, and counts there.
 *
 * FLOPs are those of products of matrices and of convolutions, each multiplication and addition one, biases left out,
 * as `torch.utils.flop_counter` has it; all else counts nothing. With the size of what a layer is applied to,
 *
 * | module | FLOPs |
 * |---|---|
 * | Linear | 2 * rows * in_features * out_features |
 * | Conv | 2 * N * places of the output * out_channels * in_channels / groups * elements of the kernel |
 * | ConvTranspose | 2 * N * places of the input * in_channels * out_channels / groups * elements of the kernel |
 * | RNN, LSTM, GRU and their cells | 2 * N * steps * elements of all weights |
 * | MultiheadAttention | 2 * N * (L * E² + S * E * (kdim + vdim) + 2 * L * (S + 1 for each key added) * E + L * E²) |
 *
 * Nothing is known of what a module of one's own computes with operators, but of the modules that it calls.
 */
#ifndef CTORCH_MODULE_SUMMARY_H
#define CTORCH_MODULE_SUMMARY_H

#include "ctorch/abi/base.h"
#include "ctorch/abi/string.h"
#include "ctorch/module/module.h"
#include "ctorch/value/value.h"

CTORCH_BEGIN_DECLS

/**
 * The table as text. A number that does not fit 64 bits is the largest one.
 *
 * @param[out] out  owned; lines that end with "\n".
 * @param self      exclusive.
 * @param args      borrowed; a tuple or list of what the model is applied to. NULL for none.
 * @param kwargs    borrowed; a dict from texts to keyword arguments. NULL for none.
 * @return NULL, or NULL_ARGUMENT, TYPE (`args` or `kwargs` of another kind), OUT_OF_MEMORY, or what ctorch_module_call
 *         returns.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_module_summary(
    ctorch_string **out, ctorch_module *self, const ctorch_value *args, const ctorch_value *kwargs);

/**
 * The rows of the table, for programs: a list of dicts, of which the first is the model's.
 *
 * | key | value |
 * |---|---|
 * | "name" | dotted; "" for the model |
 * | "class" | "Conv2d" |
 * | "calls" | how often it was applied |
 * | "output_shape" | a list of ints, of what it gave last; a tuple of such for tuples and lists; None for all else |
 * | "parameters", "trainable_parameters" | numbers of elements, each counted once |
 * | "bytes" | of parameters and buffers |
 * | "flops" | of all calls |
 *
 * @param[out] out  owned.
 * @param self      exclusive.
 * @param args      borrowed; a tuple or list of what the model is applied to. NULL for none.
 * @param kwargs    borrowed; a dict from texts to keyword arguments. NULL for none.
 * @return what ctorch_module_summary returns.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_module_summary_rows(
    ctorch_value **out, ctorch_module *self, const ctorch_value *args, const ctorch_value *kwargs);

CTORCH_END_DECLS

#endif
