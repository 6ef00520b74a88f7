# ruff: noqa: E501
"""Changes to files of the binding that the checker must see, and a part of what it must say."""

# module, what is there, what is put in its place, the complaint
MUTATIONS = [
    # grammar and indentation
    ("digits", "    val count = images.size(0)\n    val identity", "   val count = images.size(0)\n    val identity", "3 spaces"),
    ("digits", "fn padded(value: text, width: i64) -> text:", "fn padded(value: text, width: i64) -> text", "expected ':'"),
    ("digits", "    var right = 0\n", "        var right = 0\n", "indent"),
    ("digits", "    var right = 0\n", "\tvar right = 0\n", "tab"),
    ("digits", "padded(shown, 4)", "padded(shown, 4", "bracket"),
    ("digits", "\"{label}\"", "\"{label\"", "without '}'"),
    ("digits", "for label in 0..CLASSES:", "for label of 0..CLASSES:", "expected 'in'"),
    # names
    ("digits", "val first = conv2d(images", "val first = conv2(images", "conv2 is not"),
    ("digits", "padded(shown, 4)", "padded(show, 4)", "show is not declared"),
    ("digits", "    linear, max_pool2d", "    max_pool2d", "linear is not"),
    ("digits", "    linear, max_pool2d", "    linear, relu, max_pool2d", "relu is imported and not used"),
    ("digits", "    linear, max_pool2d", "    linear, no_such_operator, max_pool2d", "has no no_such_operator"),
    ("digits", "use ctorch.words.{ Scalar }", "use ctorch.word.{ Scalar }", "no module ctorch.word"),
    ("digits", "images: Tensor  #", "images: Tensors  #", "no type Tensors"),
    ("digits", "self.conv1.weight", "self.conv1.weights", "no field weights"),
    ("digits", "images.unsqueeze(1)?", "images.unsqueezed(1)?", "no method unsqueezed"),
    ("digits", "Tensor.empty([shape[0]])", "Tensor.emptied([shape[0]])", "no static method emptied"),
    ("digits", "Scalar.Int(MAX_PIXEL)", "Scalar.Integer(MAX_PIXEL)", "no Integer"),
    ("digits", "fn print_result(", "fn distort(", "declared twice"),
    ("digits", "    var total = 0\n", "    var right = 0\n", "right is declared twice"),
    # arity and types
    ("digits", "distort(data.images", "distort(data.count, data.images", "2 arguments, expected 1"),
    ("digits", "padded(shown, 4)", "padded(shown)", "width missing"),
    ("digits", "padded(shown, 4)", "padded(shown, wide: 4)", "no parameter wide"),
    ("digits", "padded(shown, 4)", "padded(shown, value: \"x\")", "value is given twice"),
    ("digits", "randperm(data.count)?", "randperm(data.images)?", "is Tensor, expected i64"),
    ("digits", "Layer(weight: weight, bias: bias)", "Layer(weight: weight)", "made of weight, bias"),
    ("digits", "(epoch as f64)", "epoch", "i64 / f64"),
    ("digits", "if not written:", "if options.epochs:", "the condition is i64, expected bool"),
    ("dyn", "[input, weight, bias, stride, padding, dilation, groups])", "[input, \"x\"])", "a list of i64 with text"),
    ("ops", "ctorch_aten_relu(input.handle)", "ctorch_aten_relu(input.handle, 0)", "2 arguments, expected 1"),
    ("ops", "ctorch_aten_relu(input.handle)", "ctorch_aten_relu()", "missing"),
    ("errors", "code: code,\n            name", "name", "each by name and once"),
    # results
    ("words", "    if value: 1 else: 0\n", "    if value: 1\n", "a path ends without a value"),
    ("words", "        case nil: 0\n\nfn word_of_optional_flag", "        case nil: pass\n\nfn word_of_optional_flag", "a path ends"),
    ("words", "        case nil: 0\n\nfn word_of_optional_flag", "\nfn word_of_optional_flag", "no case for nil"),
    ("words", "    found\n\nfn integer_of", "\nfn integer_of", "a path ends without a value"),
    ("digits", "        return Err(TorchError.of(ERROR_RUNTIME", "        Err(TorchError.of(ERROR_RUNTIME", "nobody looks at"),
    ("digits", "    descend(network, lr)?\n", "    descend(network, lr)\n", "nobody looks at"),
    ("digits", "    Ok(value)\n", "    value\n", "is f64, expected Result"),
    ("digits", "        return 2\n", "        return \"2\"\n", "is text, expected i64"),
    ("digits", "fn print_result(counts: [i64]):\n    var right = 0", "fn print_result(counts: [i64]):\n    var right = padded(\"\", 1)?", "'?' after text"),
    ("digits", "            return 1\n    if must", "            return 1\n            pass\n    if must", "never reached"),
    # what may be changed, and where C may be called
    ("digits", "    var index = 0\n", "    val index = 0\n", "index is not a var"),
    ("digits", "    me set_number(", "    fn set_number(", "not `me`"),
    ("digits", "    unsafe(capabilities: [ffi]):\n        rt_math_sqrt(x)", "    rt_math_sqrt(x)", "outside an unsafe block"),
    # reserved words
    ("digits", "fn padded(value: text", "fn padded(type: text", "parameter type is a reserved word"),
    ("digits", "    val tenths = hundredths / 10", "    val vec = hundredths / 10", "vec is a reserved word"),
    ("raw", "extern fn rt_ctorch_aten_relu(input: i64)", "extern fn rt_ctorch_aten_relu(self: i64)", "self is a reserved word"),
    # what the transport carries
    ("raw", "extern fn rt_ctorch_aten_relu(input: i64)", "extern fn rt_ctorch_aten_relu(input: text)", "only i64"),
    ("raw", "extern fn rt_ctorch_aten_relu(input: i64)", "extern fn rt_ctorch_aten_relu(" + ", ".join(f"a{i}: i64" for i in range(9)) + ")", "more than 8"),
    ("raw", "extern fn rt_ctorch_aten_relu(", "extern fn rt_ctorch_aten_relu_(", "declared twice"),
]  # fmt: skip
