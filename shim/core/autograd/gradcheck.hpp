// Gradient checks after torch/autograd/gradcheck.py, whose functions the comments name.
#pragma once

#include <ATen/core/Tensor.h>

#include <exception>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace ctorch::gradcheck {

using Tensors = std::vector<at::Tensor>;
using Function = std::function<Tensors(const Tensors &inputs)>;

/// The derivatives are wrong: Python's GradcheckError.
struct Mismatch : std::exception {
  explicit Mismatch(std::string report) : report(std::move(report)) {}
  const char *what() const noexcept override { return report.c_str(); }

  std::string report;
};

struct Options {
  double eps = 1e-6;
  double atol = 1e-5;
  double rtol = 1e-3;
  double nondet_tol = 0;
  bool check_undefined_grad = true;
  bool check_grad_dtypes = false;
  bool check_batched_grad = false;
  bool check_batched_forward_grad = false;
  bool check_forward_ad = false;
  bool check_backward_ad = true;
  bool fast_mode = false;
  bool masked = false;
};

/// One comparison: of a function that is real where it has to be, backward or forward.
struct Comparison {
  const Function &function;
  const Tensors &func_out;
  const Tensors &inputs;
  bool forward = false;
  /// Which of the outputs (forward: inputs) were complex before the function was made real, and which part is looked
  /// at.
  std::vector<size_t> complex_indices = {};
  bool test_imag = false;
};

void compare_jacobians(const Comparison &comparison, const Options &options);    // _slow_gradcheck
void compare_projections(const Comparison &comparison, const Options &options);  // _fast_gradcheck

// Tensors ---------------------------------------------------------------------------------------------------------

/// Tensors with derivatives: of real or complex floating point.
bool is_continuous(const at::Tensor &tensor);
bool is_sparse_compressed(const at::Tensor &tensor);
bool is_sparse(const at::Tensor &tensor);
Tensors that_require_grad(const Tensors &tensors);

/// Visit the elements of a tensor that can be changed, one by one. `element` is 0-dimensional and shares memory with
/// the tensor, or with `whole`, which is to be used in the tensor's place if it is defined; `position` counts as if the
/// tensor were dense and contiguous. (_iter_tensor)
void for_each_element(
    const at::Tensor &tensor,
    const std::function<void(const at::Tensor &whole, const at::Tensor &element, int64_t position)> &visit);
/// Element `position` of a dense tensor, in memory that is shared.
at::Tensor element_at(const at::Tensor &tensor, int64_t position);
/// The same sparse tensor with all of its elements specified. (_densify)
at::Tensor densify(const at::Tensor &tensor);

// Derivatives ------------------------------------------------------------------------------------------------------

/// There must be as many outputs each time.
void check_count(const Tensors &outputs, size_t expected);
/// The function's outputs, with the input at `index` replaced by `perturbed` where that does not share its memory.
/// (_with_prepare_inputs)
Tensors outputs_at(
    const Function &function, const Tensors &inputs, size_t index, const at::Tensor &perturbed, bool fast_mode);

/// Central differences of all outputs, flattened, as `entry` moves by `step` and back; undefined for an output that has
/// no derivative. (_compute_numerical_gradient)
Tensors difference(
    const at::Tensor &entry,
    const std::function<at::Tensor(const at::Tensor &entry, int sign)> &moved,
    double eps,
    const std::function<Tensors()> &function);

/// [input][output]: a matrix with a row for each element of the input, and a column for each element of the output.
/// Only inputs that require grad count. (_get_numerical_jacobian)
std::vector<Tensors> numerical_jacobians(
    const Function &function, const Tensors &inputs, const Tensors &outputs, double eps, bool forward);
/// The same for inputs that require grad, as backward computes it for one output.
/// (_check_analytical_jacobian_attributes)
Tensors backward_jacobians(
    const Tensors &inputs,
    const at::Tensor &output,
    double nondet_tol,
    bool check_grad_dtypes,
    const std::optional<at::Tensor> &direction = {});
/// The same as forward mode computes it; with `directions`, products with those. (_get_analytical_jacobian_forward_ad)
std::vector<Tensors> forward_jacobians(
    const Function &function,
    const Tensors &inputs,
    const Tensors &outputs,
    bool check_grad_dtypes,
    const Tensors *directions = nullptr);

/// The directions of projections: of each input, one for its real part, one for its imaginary part if it has one.
struct Direction {
  at::Tensor real;
  at::Tensor imag;
};
std::vector<Direction> input_directions(const Tensors &inputs, at::Generator &generator);
at::Generator generator_of_directions();

/// A level of forward mode, for as long as the object lives.
class DualLevel {
 public:
  DualLevel();
  DualLevel(const DualLevel &) = delete;
  DualLevel &operator=(const DualLevel &) = delete;
  ~DualLevel();

  at::Tensor make(const at::Tensor &primal, const at::Tensor &tangent) const;
  std::tuple<at::Tensor, at::Tensor> unpack(const at::Tensor &dual) const;

 private:
  uint64_t level_;
};

at::Tensor on_device_of(const at::Tensor &tensor, const at::Tensor &moved);
bool all_close(const at::Tensor &a, const at::Tensor &b, double rtol, double atol);  // _allclose_with_type_promotion
std::string text(const at::Tensor &tensor);
/// _get_notallclose_msg
std::string not_all_close(
    const at::Tensor &analytical,
    const at::Tensor &numerical,
    size_t output,
    size_t input,
    const Comparison &comparison);

// Further checks ---------------------------------------------------------------------------------------------------

void check_batched_forward_grad(const Function &function, const Tensors &inputs);
void check_batched_grad(const Tensors &inputs, const at::Tensor &output, size_t output_index);
void check_multiplies_by_grad_output(const Tensors &outputs, const Tensors &inputs, bool masked);
void check_undefined_tangents(const Function &function, const Tensors &inputs);
void check_undefined_grads(const Function &function, const Tensors &inputs);

/// Run the check, and put RuntimeErrors (in Python's sense) into a Mismatch whose report starts with `report(message)`.
void runtime_errors_as_mismatch(
    const std::function<void()> &check, const std::function<std::string(const std::string &message)> &report);

}  // namespace ctorch::gradcheck
