// Sums of a result of 8 bits and another tensor, in steps: fusion-explain says why none
// of them becomes part of the product, which does so when a sum is one op.

// RUN: fusion-opt %s --fusion-explain -o /dev/null 2>&1 | FileCheck %s --implicit-check-not=fused:
// RUN: fusion-opt %s --convert-elementwise-to-linalg --fusion-merge-elementwise --fusion-fuse-requantized-sums -o /dev/null --remarks-filter='fusion.*' --remark-format=emitRemark 2>&1 | FileCheck %s --check-prefix=REMARK

#n = affine_map<(d0, d1) -> (d0, d1)>
#g = affine_map<(d0) -> (d0)>
#c = affine_map<(d0, d1) -> (d1)>

// The sum that the pass takes.
func.func @sum(%x: tensor<5x7xi8>, %w: tensor<7x9xi8>, %y: tensor<5x9xi8>, %e: tensor<5x9xi8>, %ef: tensor<5x9xf32>) -> tensor<5x9xi8> {
  %s = arith.constant 0.0093 : f32
  %t = arith.constant 0.0052 : f32
  %u = arith.constant 0.011 : f32
  %z = arith.constant 0.0 : f32
  %min = arith.constant -128.0 : f32
  %max = arith.constant 127.0 : f32
  %above = arith.constant -100.0 : f32
  // CHECK: :[[#@LINE+1]]:8: fused: dequantize, quantize{{$}}
  %p = fusion.quantized_matmul_bias_act ins(%x, %w : tensor<5x7xi8>, tensor<7x9xi8>) outs(%e : tensor<5x9xi8>) -> tensor<5x9xi8>
  %pd = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%p : tensor<5x9xi8>) outs(%ef : tensor<5x9xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.sitofp %in : i8 to f32
    %1 = arith.subf %0, %z : f32
    %2 = arith.mulf %1, %s : f32
    linalg.yield %2 : f32
  } -> tensor<5x9xf32>
  %yd = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%y : tensor<5x9xi8>) outs(%ef : tensor<5x9xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.sitofp %in : i8 to f32
    %1 = arith.subf %0, %z : f32
    %2 = arith.mulf %1, %t : f32
    linalg.yield %2 : f32
  } -> tensor<5x9xf32>
  %a = linalg.add ins(%pd, %yd : tensor<5x9xf32>, tensor<5x9xf32>) outs(%ef : tensor<5x9xf32>) -> tensor<5x9xf32>
  %r = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%a : tensor<5x9xf32>) outs(%e : tensor<5x9xi8>) {
  ^bb0(%in: f32, %out: i8):
    %0 = arith.divf %in, %u : f32
    %1 = math.roundeven %0 : f32
    %2 = arith.maximumf %1, %min : f32
    %3 = arith.minimumf %2, %max : f32
    %4 = arith.fptosi %3 : f32 to i8
    linalg.yield %4 : i8
  } -> tensor<5x9xi8>
  return %r : tensor<5x9xi8>
}

// The same with an addition of tensors.
func.func @sum_of_tensors(%x: tensor<5x7xi8>, %w: tensor<7x9xi8>, %y: tensor<5x9xi8>, %e: tensor<5x9xi8>, %ef: tensor<5x9xf32>) -> tensor<5x9xi8> {
  %s = arith.constant 0.0093 : f32
  %t = arith.constant 0.0052 : f32
  %u = arith.constant 0.011 : f32
  %z = arith.constant 0.0 : f32
  %min = arith.constant -128.0 : f32
  %max = arith.constant 127.0 : f32
  %above = arith.constant -100.0 : f32
  // CHECK: :[[#@LINE+1]]:8: fused: dequantize, quantize{{$}}
  %p = fusion.quantized_matmul_bias_act ins(%x, %w : tensor<5x7xi8>, tensor<7x9xi8>) outs(%e : tensor<5x9xi8>) -> tensor<5x9xi8>
  %pd = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%p : tensor<5x9xi8>) outs(%ef : tensor<5x9xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.sitofp %in : i8 to f32
    %1 = arith.subf %0, %z : f32
    %2 = arith.mulf %1, %s : f32
    linalg.yield %2 : f32
  } -> tensor<5x9xf32>
  %yd = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%y : tensor<5x9xi8>) outs(%ef : tensor<5x9xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.sitofp %in : i8 to f32
    %1 = arith.subf %0, %z : f32
    %2 = arith.mulf %1, %t : f32
    linalg.yield %2 : f32
  } -> tensor<5x9xf32>
  %a = arith.addf %pd, %yd : tensor<5x9xf32>
  %r = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%a : tensor<5x9xf32>) outs(%e : tensor<5x9xi8>) {
  ^bb0(%in: f32, %out: i8):
    %0 = arith.divf %in, %u : f32
    %1 = math.roundeven %0 : f32
    %2 = arith.maximumf %1, %min : f32
    %3 = arith.minimumf %2, %max : f32
    %4 = arith.fptosi %3 : f32 to i8
    linalg.yield %4 : i8
  } -> tensor<5x9xi8>
  return %r : tensor<5x9xi8>
}

// A clamp to less than the type.
func.func @clamped(%x: tensor<5x7xi8>, %w: tensor<7x9xi8>, %y: tensor<5x9xi8>, %e: tensor<5x9xi8>, %ef: tensor<5x9xf32>) -> tensor<5x9xi8> {
  %s = arith.constant 0.0093 : f32
  %t = arith.constant 0.0052 : f32
  %u = arith.constant 0.011 : f32
  %z = arith.constant 0.0 : f32
  %min = arith.constant -128.0 : f32
  %max = arith.constant 127.0 : f32
  %above = arith.constant -100.0 : f32
  // CHECK: :[[#@LINE+1]]:8: partly fused: dequantize, quantize; ops up to 'linalg.generic' at {{.*}}, which make other integers of 8 bits of the result, stay a loop: the sum is clamped to -100 and 127{{$}}
  %p = fusion.quantized_matmul_bias_act ins(%x, %w : tensor<5x7xi8>, tensor<7x9xi8>) outs(%e : tensor<5x9xi8>) -> tensor<5x9xi8>
  %pd = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%p : tensor<5x9xi8>) outs(%ef : tensor<5x9xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.sitofp %in : i8 to f32
    %1 = arith.subf %0, %z : f32
    %2 = arith.mulf %1, %s : f32
    linalg.yield %2 : f32
  } -> tensor<5x9xf32>
  %yd = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%y : tensor<5x9xi8>) outs(%ef : tensor<5x9xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.sitofp %in : i8 to f32
    %1 = arith.subf %0, %z : f32
    %2 = arith.mulf %1, %t : f32
    linalg.yield %2 : f32
  } -> tensor<5x9xf32>
  %a = linalg.add ins(%pd, %yd : tensor<5x9xf32>, tensor<5x9xf32>) outs(%ef : tensor<5x9xf32>) -> tensor<5x9xf32>
  // REMARK: remark: {{.*}}the sum is clamped to -100 and 127
  %r = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%a : tensor<5x9xf32>) outs(%e : tensor<5x9xi8>) {
  ^bb0(%in: f32, %out: i8):
    %0 = arith.divf %in, %u : f32
    %1 = math.roundeven %0 : f32
    %2 = arith.maximumf %1, %above : f32
    %3 = arith.minimumf %2, %max : f32
    %4 = arith.fptosi %3 : f32 to i8
    linalg.yield %4 : i8
  } -> tensor<5x9xi8>
  return %r : tensor<5x9xi8>
}

// The tensor is floats of a call.
func.func @floats(%x: tensor<5x7xi8>, %w: tensor<7x9xi8>, %y: tensor<5x9xi8>, %e: tensor<5x9xi8>, %ef: tensor<5x9xf32>, %yd: tensor<5x9xf32>) -> tensor<5x9xi8> {
  %s = arith.constant 0.0093 : f32
  %t = arith.constant 0.0052 : f32
  %u = arith.constant 0.011 : f32
  %z = arith.constant 0.0 : f32
  %min = arith.constant -128.0 : f32
  %max = arith.constant 127.0 : f32
  %above = arith.constant -100.0 : f32
  // CHECK: :[[#@LINE+1]]:8: partly fused: dequantize, quantize; ops up to 'linalg.generic' at {{.*}}, which make other integers of 8 bits of the result, stay a loop: operand 1 has element type f32, expected i8{{$}}
  %p = fusion.quantized_matmul_bias_act ins(%x, %w : tensor<5x7xi8>, tensor<7x9xi8>) outs(%e : tensor<5x9xi8>) -> tensor<5x9xi8>
  %pd = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%p : tensor<5x9xi8>) outs(%ef : tensor<5x9xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.sitofp %in : i8 to f32
    %1 = arith.subf %0, %z : f32
    %2 = arith.mulf %1, %s : f32
    linalg.yield %2 : f32
  } -> tensor<5x9xf32>
  %a = linalg.add ins(%pd, %yd : tensor<5x9xf32>, tensor<5x9xf32>) outs(%ef : tensor<5x9xf32>) -> tensor<5x9xf32>
  // REMARK: remark: {{.*}}operand 1 has element type f32, expected i8
  %r = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%a : tensor<5x9xf32>) outs(%e : tensor<5x9xi8>) {
  ^bb0(%in: f32, %out: i8):
    %0 = arith.divf %in, %u : f32
    %1 = math.roundeven %0 : f32
    %2 = arith.maximumf %1, %min : f32
    %3 = arith.minimumf %2, %max : f32
    %4 = arith.fptosi %3 : f32 to i8
    linalg.yield %4 : i8
  } -> tensor<5x9xi8>
  return %r : tensor<5x9xi8>
}

// A product of both tensors.
func.func @product(%x: tensor<5x7xi8>, %w: tensor<7x9xi8>, %y: tensor<5x9xi8>, %e: tensor<5x9xi8>, %ef: tensor<5x9xf32>) -> tensor<5x9xi8> {
  %s = arith.constant 0.0093 : f32
  %t = arith.constant 0.0052 : f32
  %u = arith.constant 0.011 : f32
  %z = arith.constant 0.0 : f32
  %min = arith.constant -128.0 : f32
  %max = arith.constant 127.0 : f32
  %above = arith.constant -100.0 : f32
  // CHECK: :[[#@LINE+1]]:8: partly fused: dequantize, quantize; ops up to 'linalg.generic' at {{.*}}, which make other integers of 8 bits of the result, stay a loop: what is multiplied is not constant{{$}}
  %p = fusion.quantized_matmul_bias_act ins(%x, %w : tensor<5x7xi8>, tensor<7x9xi8>) outs(%e : tensor<5x9xi8>) -> tensor<5x9xi8>
  %pd = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%p : tensor<5x9xi8>) outs(%ef : tensor<5x9xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.sitofp %in : i8 to f32
    %1 = arith.subf %0, %z : f32
    %2 = arith.mulf %1, %s : f32
    linalg.yield %2 : f32
  } -> tensor<5x9xf32>
  %yd = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%y : tensor<5x9xi8>) outs(%ef : tensor<5x9xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.sitofp %in : i8 to f32
    %1 = arith.subf %0, %z : f32
    %2 = arith.mulf %1, %t : f32
    linalg.yield %2 : f32
  } -> tensor<5x9xf32>
  %a = linalg.mul ins(%pd, %yd : tensor<5x9xf32>, tensor<5x9xf32>) outs(%ef : tensor<5x9xf32>) -> tensor<5x9xf32>
  %r = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%a : tensor<5x9xf32>) outs(%e : tensor<5x9xi8>) {
  ^bb0(%in: f32, %out: i8):
    %0 = arith.divf %in, %u : f32
    %1 = math.roundeven %0 : f32
    %2 = arith.maximumf %1, %min : f32
    %3 = arith.minimumf %2, %max : f32
    %4 = arith.fptosi %3 : f32 to i8
    linalg.yield %4 : i8
  } -> tensor<5x9xi8>
  return %r : tensor<5x9xi8>
}

// A function that is no activation.
func.func @function(%x: tensor<5x7xi8>, %w: tensor<7x9xi8>, %y: tensor<5x9xi8>, %e: tensor<5x9xi8>, %ef: tensor<5x9xf32>) -> tensor<5x9xi8> {
  %s = arith.constant 0.0093 : f32
  %t = arith.constant 0.0052 : f32
  %u = arith.constant 0.011 : f32
  %z = arith.constant 0.0 : f32
  %min = arith.constant -128.0 : f32
  %max = arith.constant 127.0 : f32
  %above = arith.constant -100.0 : f32
  // CHECK: :[[#@LINE+1]]:8: partly fused: dequantize, quantize; ops up to 'linalg.generic' at {{.*}}, which make other integers of 8 bits of the result, stay a loop: 'math.atan' is not part of a quantisation{{$}}
  %p = fusion.quantized_matmul_bias_act ins(%x, %w : tensor<5x7xi8>, tensor<7x9xi8>) outs(%e : tensor<5x9xi8>) -> tensor<5x9xi8>
  %pd = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%p : tensor<5x9xi8>) outs(%ef : tensor<5x9xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.sitofp %in : i8 to f32
    %1 = arith.subf %0, %z : f32
    %2 = arith.mulf %1, %s : f32
    linalg.yield %2 : f32
  } -> tensor<5x9xf32>
  %a = math.atan %pd : tensor<5x9xf32>
  %r = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%a : tensor<5x9xf32>) outs(%e : tensor<5x9xi8>) {
  ^bb0(%in: f32, %out: i8):
    %0 = arith.divf %in, %u : f32
    %1 = math.roundeven %0 : f32
    %2 = arith.maximumf %1, %min : f32
    %3 = arith.minimumf %2, %max : f32
    %4 = arith.fptosi %3 : f32 to i8
    linalg.yield %4 : i8
  } -> tensor<5x9xi8>
  return %r : tensor<5x9xi8>
}

// The same of a result that something else reads.
func.func @function_and_user(%x: tensor<5x7xi8>, %w: tensor<7x9xi8>, %y: tensor<5x9xi8>, %e: tensor<5x9xi8>, %ef: tensor<5x9xf32>) -> (tensor<5x9xi8>, tensor<5x9xi8>) {
  %s = arith.constant 0.0093 : f32
  %t = arith.constant 0.0052 : f32
  %u = arith.constant 0.011 : f32
  %z = arith.constant 0.0 : f32
  %min = arith.constant -128.0 : f32
  %max = arith.constant 127.0 : f32
  %above = arith.constant -100.0 : f32
  // CHECK: :[[#@LINE+1]]:8: fused: dequantize, quantize{{$}}
  %p = fusion.quantized_matmul_bias_act ins(%x, %w : tensor<5x7xi8>, tensor<7x9xi8>) outs(%e : tensor<5x9xi8>) -> tensor<5x9xi8>
  %pd = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%p : tensor<5x9xi8>) outs(%ef : tensor<5x9xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.sitofp %in : i8 to f32
    %1 = arith.subf %0, %z : f32
    %2 = arith.mulf %1, %s : f32
    linalg.yield %2 : f32
  } -> tensor<5x9xf32>
  %a = math.atan %pd : tensor<5x9xf32>
  %r = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%a : tensor<5x9xf32>) outs(%e : tensor<5x9xi8>) {
  ^bb0(%in: f32, %out: i8):
    %0 = arith.divf %in, %u : f32
    %1 = math.roundeven %0 : f32
    %2 = arith.maximumf %1, %min : f32
    %3 = arith.minimumf %2, %max : f32
    %4 = arith.fptosi %3 : f32 to i8
    linalg.yield %4 : i8
  } -> tensor<5x9xi8>
  return %r, %p : tensor<5x9xi8>, tensor<5x9xi8>
}

// A factor for each channel that only a call knows.
func.func @gate(%x: tensor<5x7xi8>, %w: tensor<7x9xi8>, %y: tensor<5x9xi8>, %e: tensor<5x9xi8>, %ef: tensor<5x9xf32>, %gate: tensor<9xf32>) -> tensor<5x9xi8> {
  %s = arith.constant 0.0093 : f32
  %t = arith.constant 0.0052 : f32
  %u = arith.constant 0.011 : f32
  %z = arith.constant 0.0 : f32
  %min = arith.constant -128.0 : f32
  %max = arith.constant 127.0 : f32
  %above = arith.constant -100.0 : f32
  // CHECK: :[[#@LINE+1]]:8: partly fused: dequantize, quantize; ops up to 'linalg.generic' at {{.*}}, which make other integers of 8 bits of the result, stay a loop: operand 1 is neither constant nor read element for element{{$}}
  %p = fusion.quantized_matmul_bias_act ins(%x, %w : tensor<5x7xi8>, tensor<7x9xi8>) outs(%e : tensor<5x9xi8>) -> tensor<5x9xi8>
  %pd = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%p : tensor<5x9xi8>) outs(%ef : tensor<5x9xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.sitofp %in : i8 to f32
    %1 = arith.subf %0, %z : f32
    %2 = arith.mulf %1, %s : f32
    linalg.yield %2 : f32
  } -> tensor<5x9xf32>
  %a = linalg.generic {indexing_maps = [#n, #c, #n], iterator_types = ["parallel", "parallel"]} ins(%pd, %gate : tensor<5x9xf32>, tensor<9xf32>) outs(%ef : tensor<5x9xf32>) {
  ^bb0(%in: f32, %g: f32, %out: f32):
    %0 = arith.mulf %in, %g : f32
    linalg.yield %0 : f32
  } -> tensor<5x9xf32>
  %r = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%a : tensor<5x9xf32>) outs(%e : tensor<5x9xi8>) {
  ^bb0(%in: f32, %out: i8):
    %0 = arith.divf %in, %u : f32
    %1 = math.roundeven %0 : f32
    %2 = arith.maximumf %1, %min : f32
    %3 = arith.minimumf %2, %max : f32
    %4 = arith.fptosi %3 : f32 to i8
    linalg.yield %4 : i8
  } -> tensor<5x9xi8>
  return %r : tensor<5x9xi8>
}

// Sums of i8 as they are, which wrap.
func.func @wraps(%x: tensor<5x7xi8>, %w: tensor<7x9xi8>, %y: tensor<5x9xi8>, %e: tensor<5x9xi8>, %ef: tensor<5x9xf32>) -> tensor<5x9xi8> {
  %s = arith.constant 0.0093 : f32
  %t = arith.constant 0.0052 : f32
  %u = arith.constant 0.011 : f32
  %z = arith.constant 0.0 : f32
  %min = arith.constant -128.0 : f32
  %max = arith.constant 127.0 : f32
  %above = arith.constant -100.0 : f32
  // CHECK: :[[#@LINE+1]]:8: partly fused: dequantize, quantize; integers are not shifted: may wrap: i8 for -256 to 254{{$}}
  %p = fusion.quantized_matmul_bias_act ins(%x, %w : tensor<5x7xi8>, tensor<7x9xi8>) outs(%e : tensor<5x9xi8>) -> tensor<5x9xi8>
  %r = linalg.add ins(%p, %y : tensor<5x9xi8>, tensor<5x9xi8>) outs(%e : tensor<5x9xi8>) -> tensor<5x9xi8>
  return %r : tensor<5x9xi8>
}

// In the branch of a condition.
func.func @branch(%x: tensor<5x7xi8>, %w: tensor<7x9xi8>, %y: tensor<5x9xi8>, %e: tensor<5x9xi8>, %ef: tensor<5x9xf32>, %c: i1) -> tensor<5x9xi8> {
  %s = arith.constant 0.0093 : f32
  %t = arith.constant 0.0052 : f32
  %u = arith.constant 0.011 : f32
  %z = arith.constant 0.0 : f32
  %min = arith.constant -128.0 : f32
  %max = arith.constant 127.0 : f32
  %above = arith.constant -100.0 : f32
  // CHECK: :[[#@LINE+1]]:8: partly fused: dequantize, quantize; ops up to 'linalg.generic' at {{.*}}, which make other integers of 8 bits of the result, stay a loop: the product is in another block{{$}}
  %p = fusion.quantized_matmul_bias_act ins(%x, %w : tensor<5x7xi8>, tensor<7x9xi8>) outs(%e : tensor<5x9xi8>) -> tensor<5x9xi8>
  %r = scf.if %c -> tensor<5x9xi8> {
    %pd = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%p : tensor<5x9xi8>) outs(%ef : tensor<5x9xf32>) {
    ^bb0(%in: i8, %out: f32):
      %0 = arith.sitofp %in : i8 to f32
      %1 = arith.subf %0, %z : f32
      %2 = arith.mulf %1, %s : f32
      linalg.yield %2 : f32
    } -> tensor<5x9xf32>
    %yd = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%y : tensor<5x9xi8>) outs(%ef : tensor<5x9xf32>) {
    ^bb0(%in: i8, %out: f32):
      %0 = arith.sitofp %in : i8 to f32
      %1 = arith.subf %0, %z : f32
      %2 = arith.mulf %1, %t : f32
      linalg.yield %2 : f32
    } -> tensor<5x9xf32>
    %a = linalg.add ins(%pd, %yd : tensor<5x9xf32>, tensor<5x9xf32>) outs(%ef : tensor<5x9xf32>) -> tensor<5x9xf32>
    // REMARK: remark: {{.*}}the product is in another block
    %v = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%a : tensor<5x9xf32>) outs(%e : tensor<5x9xi8>) {
    ^bb0(%in: f32, %out: i8):
      %0 = arith.divf %in, %u : f32
      %1 = math.roundeven %0 : f32
      %2 = arith.maximumf %1, %min : f32
      %3 = arith.minimumf %2, %max : f32
      %4 = arith.fptosi %3 : f32 to i8
      linalg.yield %4 : i8
    } -> tensor<5x9xi8>
    scf.yield %v : tensor<5x9xi8>
  } else {
    scf.yield %y : tensor<5x9xi8>
  }
  return %r : tensor<5x9xi8>
}

// A reshape between the steps.
func.func @reshaped(%x: tensor<5x7xi8>, %w: tensor<7x9xi8>, %y: tensor<5x9xi8>, %e: tensor<5x9xi8>, %ef: tensor<5x9xf32>, %f: tensor<45xi8>) -> tensor<45xi8> {
  %s = arith.constant 0.0093 : f32
  %t = arith.constant 0.0052 : f32
  %u = arith.constant 0.011 : f32
  %z = arith.constant 0.0 : f32
  %min = arith.constant -128.0 : f32
  %max = arith.constant 127.0 : f32
  %above = arith.constant -100.0 : f32
  // CHECK: :[[#@LINE+1]]:8: partly fused: dequantize, quantize; unsupported: 'tensor.collapse_shape' at {{.*}} comes between the result and 'linalg.generic' at {{.*}}{{$}}
  %p = fusion.quantized_matmul_bias_act ins(%x, %w : tensor<5x7xi8>, tensor<7x9xi8>) outs(%e : tensor<5x9xi8>) -> tensor<5x9xi8>
  %pd = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%p : tensor<5x9xi8>) outs(%ef : tensor<5x9xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.sitofp %in : i8 to f32
    %1 = arith.subf %0, %z : f32
    %2 = arith.mulf %1, %s : f32
    linalg.yield %2 : f32
  } -> tensor<5x9xf32>
  %yd = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%y : tensor<5x9xi8>) outs(%ef : tensor<5x9xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.sitofp %in : i8 to f32
    %1 = arith.subf %0, %z : f32
    %2 = arith.mulf %1, %t : f32
    linalg.yield %2 : f32
  } -> tensor<5x9xf32>
  %a = linalg.add ins(%pd, %yd : tensor<5x9xf32>, tensor<5x9xf32>) outs(%ef : tensor<5x9xf32>) -> tensor<5x9xf32>
  %v = tensor.collapse_shape %a [[0, 1]] : tensor<5x9xf32> into tensor<45xf32>
  %r = linalg.generic {indexing_maps = [#g, #g], iterator_types = ["parallel"]} ins(%v : tensor<45xf32>) outs(%f : tensor<45xi8>) {
  ^bb0(%in: f32, %out: i8):
    %0 = arith.divf %in, %u : f32
    %1 = math.roundeven %0 : f32
    %2 = arith.maximumf %1, %min : f32
    %3 = arith.minimumf %2, %max : f32
    %4 = arith.fptosi %3 : f32 to i8
    linalg.yield %4 : i8
  } -> tensor<45xi8>
  return %r : tensor<45xi8>
}

// The same of a result that something else reads: it is needed anyway.
func.func @reshaped_twice(%x: tensor<5x7xi8>, %w: tensor<7x9xi8>, %y: tensor<5x9xi8>, %e: tensor<5x9xi8>, %ef: tensor<5x9xf32>, %f: tensor<45xi8>) -> (tensor<45xi8>, tensor<5x9xi8>) {
  %s = arith.constant 0.0093 : f32
  %t = arith.constant 0.0052 : f32
  %u = arith.constant 0.011 : f32
  %z = arith.constant 0.0 : f32
  %min = arith.constant -128.0 : f32
  %max = arith.constant 127.0 : f32
  %above = arith.constant -100.0 : f32
  // CHECK: :[[#@LINE+1]]:8: fused: dequantize, quantize{{$}}
  %p = fusion.quantized_matmul_bias_act ins(%x, %w : tensor<5x7xi8>, tensor<7x9xi8>) outs(%e : tensor<5x9xi8>) -> tensor<5x9xi8>
  %pd = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%p : tensor<5x9xi8>) outs(%ef : tensor<5x9xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.sitofp %in : i8 to f32
    %1 = arith.subf %0, %z : f32
    %2 = arith.mulf %1, %s : f32
    linalg.yield %2 : f32
  } -> tensor<5x9xf32>
  %yd = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%y : tensor<5x9xi8>) outs(%ef : tensor<5x9xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.sitofp %in : i8 to f32
    %1 = arith.subf %0, %z : f32
    %2 = arith.mulf %1, %t : f32
    linalg.yield %2 : f32
  } -> tensor<5x9xf32>
  %a = linalg.add ins(%pd, %yd : tensor<5x9xf32>, tensor<5x9xf32>) outs(%ef : tensor<5x9xf32>) -> tensor<5x9xf32>
  %v = tensor.collapse_shape %a [[0, 1]] : tensor<5x9xf32> into tensor<45xf32>
  %r = linalg.generic {indexing_maps = [#g, #g], iterator_types = ["parallel"]} ins(%v : tensor<45xf32>) outs(%f : tensor<45xi8>) {
  ^bb0(%in: f32, %out: i8):
    %0 = arith.divf %in, %u : f32
    %1 = math.roundeven %0 : f32
    %2 = arith.maximumf %1, %min : f32
    %3 = arith.minimumf %2, %max : f32
    %4 = arith.fptosi %3 : f32 to i8
    linalg.yield %4 : i8
  } -> tensor<45xi8>
  return %r, %p : tensor<45xi8>, tensor<5x9xi8>
}

// A scale below the normal numbers of f32.
func.func @tiny(%x: tensor<5x7xi8>, %y: tensor<5x9xi8>, %w: tensor<9x7xi8>, %i: tensor<5x9xi8>, %e: tensor<5x9xi8>) -> tensor<5x9xi8> {
  %s = arith.constant dense<0.0093> : tensor<1xf32>
  %f = arith.constant 1.0e-40 : f64
  %g = arith.constant 5.0e-41 : f64
  %min = arith.constant -128.0 : f64
  %max = arith.constant 127.0 : f64
  // CHECK: :[[#@LINE+1]]:8: partly fused: {{.*}}, which make other integers of 8 bits of the result, stay a loop: unsupported: a scale is no f32{{$}}
  %p = fusion.quantized_matmul_bias_act layouts(mk, nk, mn)
    ins(%x, %w : tensor<5x7xi8>, tensor<9x7xi8>) scale(%s : tensor<1xf32>) outs(%i : tensor<5x9xi8>) -> tensor<5x9xi8>
  // REMARK: remark: {{.*}}unsupported: a scale is no f32
  %r = linalg.generic {indexing_maps = [#n, #n, #n], iterator_types = ["parallel", "parallel"]}
      ins(%y, %p : tensor<5x9xi8>, tensor<5x9xi8>) outs(%e : tensor<5x9xi8>) {
  ^bb0(%a: i8, %b: i8, %out: i8):
    %0 = arith.sitofp %a : i8 to f64
    %1 = arith.mulf %0, %f : f64
    %2 = arith.sitofp %b : i8 to f64
    %3 = arith.mulf %2, %g : f64
    %4 = arith.addf %1, %3 : f64
    %6 = math.roundeven %4 : f64
    %7 = arith.maximumf %6, %min : f64
    %8 = arith.minimumf %7, %max : f64
    %9 = arith.fptosi %8 : f64 to i8
    linalg.yield %9 : i8
  } -> tensor<5x9xi8>
  return %r : tensor<5x9xi8>
}

// Sums in i32 that no op of linalg reads.
func.func @tensors(%x: tensor<5x7xi8>, %w: tensor<7x9xi8>, %e: tensor<5x9xi32>) -> tensor<5x9xi32> {
  %b = arith.constant dense<7> : tensor<5x9xi32>
  // CHECK: :[[#@LINE+1]]:8: partly fused: matrix multiplication alone; unsupported: next op 'arith.addi' at {{.*}}:[[#@LINE+2]]:8 computes on tensors, expected an op of linalg{{$}}
  %p = fusion.quantized_matmul_bias_act ins(%x, %w : tensor<5x7xi8>, tensor<7x9xi8>) outs(%e : tensor<5x9xi32>) -> tensor<5x9xi32>
  %r = arith.addi %p, %b : tensor<5x9xi32>
  return %r : tensor<5x9xi32>
}

// Two results are computed from them.
func.func @two_results(%x: tensor<5x7xi8>, %w: tensor<7x9xi8>, %e: tensor<5x9xi32>, %e8: tensor<5x9xi8>) -> (tensor<5x9xi8>, tensor<5x9xi32>) {
  // CHECK: :[[#@LINE+1]]:8: partly fused: matrix multiplication alone; unsupported: next op 'linalg.generic' at {{.*}}:[[#@LINE+2]]:10 has 2 results{{$}}
  %p = fusion.quantized_matmul_bias_act ins(%x, %w : tensor<5x7xi8>, tensor<7x9xi8>) outs(%e : tensor<5x9xi32>) -> tensor<5x9xi32>
  %r:2 = linalg.generic {indexing_maps = [#n, #n, #n], iterator_types = ["parallel", "parallel"]} ins(%p : tensor<5x9xi32>) outs(%e8, %e : tensor<5x9xi8>, tensor<5x9xi32>) {
  ^bb0(%in: i32, %out: i8, %out1: i32):
    %0 = arith.trunci %in : i32 to i8
    %1 = arith.addi %in, %in : i32
    linalg.yield %0, %1 : i8, i32
  } -> (tensor<5x9xi8>, tensor<5x9xi32>)
  return %r#0, %r#1 : tensor<5x9xi8>, tensor<5x9xi32>
}

// They are made longer.
func.func @longer(%x: tensor<5x7xi8>, %w: tensor<7x9xi8>, %e: tensor<5x9xi32>, %l: tensor<5x9xi64>) -> tensor<5x9xi64> {
  // CHECK: :[[#@LINE+1]]:8: partly fused: matrix multiplication alone; unsupported: next op 'linalg.generic' at {{.*}}:[[#@LINE+2]]:8 makes i64 of the sum, expected i8 or f32{{$}}
  %p = fusion.quantized_matmul_bias_act ins(%x, %w : tensor<5x7xi8>, tensor<7x9xi8>) outs(%e : tensor<5x9xi32>) -> tensor<5x9xi32>
  %r = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%p : tensor<5x9xi32>) outs(%l : tensor<5x9xi64>) {
  ^bb0(%in: i32, %out: i64):
    %0 = arith.extsi %in : i32 to i64
    linalg.yield %0 : i64
  } -> tensor<5x9xi64>
  return %r : tensor<5x9xi64>
}

// They are returned, too, so that they are needed anyway.
func.func @returned(%x: tensor<5x7xi8>, %w: tensor<7x9xi8>, %e: tensor<5x9xi32>) -> (tensor<5x9xi32>, tensor<5x9xi32>) {
  %b = arith.constant dense<7> : tensor<5x9xi32>
  // CHECK: :[[#@LINE+1]]:8: fused: matrix multiplication alone{{$}}
  %p = fusion.quantized_matmul_bias_act ins(%x, %w : tensor<5x7xi8>, tensor<7x9xi8>) outs(%e : tensor<5x9xi32>) -> tensor<5x9xi32>
  %r = arith.addi %p, %b : tensor<5x9xi32>
  return %p, %r : tensor<5x9xi32>, tensor<5x9xi32>
}
