<?php
// The declarations, parsed by PHP's FFI, and calls through them: version, a tensor, an error.
//
//     php -d ffi.enable=1 cdef.php ctorch.cdef.h libctorch.so

[, $header, $library] = $argv;
$c = FFI::cdef(file_get_contents($header), $library);

function check(string $name, bool $holds): void
{
    echo $holds ? "ok $name\n" : "not ok $name\n";
}

check("version", preg_match('/^\d+\.\d+\.\d+$/', $c->ctorch_version()) === 1);
check("constants", $c->CTORCH_DTYPE_FLOAT32 === 6);
check("structures", FFI::sizeof($c->type("ctorch_scalar")) === 32 && FFI::sizeof($c->type("ctorch_device")) === 8);

$sizes = FFI::new("int64_t[2]");
[$sizes[0], $sizes[1]] = [2, 3];
$value = $c->new("ctorch_scalar");
$value->kind = $c->CTORCH_SCALAR_FLOAT;
$value->re = 2.5;
$full = $c->new("ctorch_tensor *");
$failure = $c->ctorch_aten_full(FFI::addr($full), $sizes, 2, FFI::addr($value), null, null, null, null);
check("a tensor", $failure === null && $c->ctorch_tensor_ndim($full) === 2 && $c->ctorch_tensor_sizes($full)[1] === 3);

$sum = $c->new("ctorch_tensor *");
$failure = $c->ctorch_aten_sum(FFI::addr($sum), $full, null);
$item = FFI::new("double");
check("an operator", $failure === null && $c->ctorch_tensor_item_double(FFI::addr($item), $sum) === null);
check("its value", $item->cdata === 15.0);

$product = $c->new("ctorch_tensor *");
$failure = $c->ctorch_aten_mm(FFI::addr($product), $full, $full);
check("an error", $c->ctorch_error_kind_of($failure) === $c->CTORCH_ERROR_SHAPE_MISMATCH);
check("its message", str_contains($c->ctorch_error_message($failure), "cannot be multiplied"));
check("an output that a failure leaves alone", FFI::isNull($product));
$c->ctorch_error_release($failure);

$calls = 0;
$hook = function ($out, $grad, $error, $payload) use (&$calls, $c) {
    $calls++;
    return $c->CTORCH_CALLBACK_OK;
};
$c->ctorch_tensor_set_requires_grad($full, true);
$failure = $c->ctorch_tensor_register_hook(null, $full, $hook, null, null);
$total = $c->new("ctorch_tensor *");
$failure ??= $c->ctorch_aten_sum(FFI::addr($total), $full, null);
$failure ??= $c->ctorch_tensor_backward($total, null, null, false);
check("a callback", $failure === null && $calls === 1);

foreach ([$full, $sum, $total] as $tensor) {
    $c->ctorch_tensor_release($tensor);
}
echo "live ", $c->ctorch_debug_live_handles(), "\n";
