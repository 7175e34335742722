// RUN: fusion-opt %s --fusion-optimize=propagate-layout=false --fusion-explain -o /dev/null 2>&1 | FileCheck %s --implicit-check-not=fused:
// RUN: fusion-opt %s --fusion-explain -o /dev/null 2>&1 | FileCheck %s --check-prefix=BEFORE --implicit-check-not=fused:
// RUN: fusion-opt %s --fusion-raise --fusion-explain -o /dev/null 2>&1 | FileCheck %s --check-prefix=RAISED --implicit-check-not=fused:
// RUN: fusion-opt %s --fusion-optimize=propagate-layout=false --fusion-explain=output=%t.txt -o /dev/null 2>&1 | count 0
// RUN: FileCheck %s --input-file=%t.txt --implicit-check-not=fused:
// RUN: fusion-opt %s --fusion-explain --mlir-print-op-generic -o %t.after 2>/dev/null
// RUN: fusion-opt %s --mlir-print-op-generic -o %t.before
// RUN: diff %t.before %t.after
// RUN: not fusion-opt %s --fusion-explain=format=xml -o /dev/null 2>&1 | FileCheck %s --check-prefix=FORMAT --implicit-check-not=func.func
// RUN: not fusion-opt %s --fusion-explain=output=%t.no/such/folder -o /dev/null 2>&1 | FileCheck %s --check-prefix=OUTPUT --implicit-check-not=func.func
// RUN: not fusion-opt %s --fusion-optimize --fusion-explain=output=/dev/full -o /dev/null 2>&1 | FileCheck %s --check-prefix=FULL --implicit-check-not=LLVM

// One line for each convolution, in the order of the program; the module is not
// changed.

// FORMAT: error: 'format' must be text or json, got 'xml'
// OUTPUT: error: cannot write '{{.*}}such/folder': No such file or directory
// FULL: error: cannot write '/dev/full': No space left on device

#all = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#channel = affine_map<(d0, d1, d2, d3) -> (d1)>

// CHECK:      {{.*}}fusion-explain.mlir:[[#@LINE+12]]:8: fused: pad, bias, residual, relu{{$}}
// CHECK-NEXT: {{.*}}fusion-explain.mlir:[[#@LINE+25]]:10: partly fused: bias; scale varies along dimension 0 (size 2), expected the output channel dimension 1{{$}}
// CHECK-NEXT: {{.*}}fusion-explain.mlir:[[#@LINE+37]]:8: fused: convolution alone{{$}}
// CHECK-NEXT: {{.*}}fusion-explain.mlir:[[#@LINE+39]]:8: not fused: unsupported: element type f64, expected f32, bf16 or f16{{$}}
func.func @main(%x: tensor<2x3x8x11xf32>, %w: tensor<5x3x3x2xf32>, %b: tensor<5xf32>, %s: tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32> {
  %zero = arith.constant 0.0 : f32
  %z = arith.constant dense<0.0> : tensor<2x5x7x10xf32>
  %e = tensor.empty() : tensor<2x5x7x10xf32>
  %p = tensor.pad %x low[0, 0, 1, 0] high[0, 0, 0, 0] {
  ^bb0(%i: index, %j: index, %k: index, %l: index):
    tensor.yield %zero : f32
  } : tensor<2x3x8x11xf32> to tensor<2x3x9x11xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%p, %w : tensor<2x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  // BEFORE: :[[#@LINE-1]]:8: not fused: it can be raised; 'fusion-raise' has not run{{$}}
  // RAISED: :[[#@LINE-2]]:8: partly fused: convolution alone; 'tensor.pad' of the input can be folded; law 'pad' has not run{{$}}
  %t = linalg.elementwise kind=#linalg.elementwise_kind<add> indexing_maps = [#all, #channel, #all]
         ins(%c, %b : tensor<2x5x7x10xf32>, tensor<5xf32>) outs(%e : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %u = linalg.add ins(%t, %s : tensor<2x5x7x10xf32>, tensor<2x5x7x10xf32>) outs(%e : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %r = linalg.max ins(%u, %z : tensor<2x5x7x10xf32>, tensor<2x5x7x10xf32>) outs(%e : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  return %r : tensor<2x5x7x10xf32>
}

func.func @inside(%q: i1, %x: tensor<2x3x9x11xf32>, %w: tensor<5x3x3x2xf32>, %b: tensor<5xf32>, %s: tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32> {
  %e = tensor.empty() : tensor<2x5x7x10xf32>
  %y = scf.if %q -> tensor<2x5x7x10xf32> {
    %z = linalg.broadcast ins(%b : tensor<5xf32>) outs(%e : tensor<2x5x7x10xf32>) dimensions = [0, 2, 3]
    %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<2x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
    // BEFORE: :[[#@LINE-1]]:10: not fused: it can be raised; 'fusion-raise' has not run{{$}}
    // RAISED: :[[#@LINE-2]]:10: partly fused: bias; scale varies along dimension 0 (size 2), expected the output channel dimension 1{{$}}
    %r = linalg.mul ins(%c, %s : tensor<2x5x7x10xf32>, tensor<2x5x7x10xf32>) outs(%e : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
    scf.yield %r : tensor<2x5x7x10xf32>
  } else {
    scf.yield %s : tensor<2x5x7x10xf32>
  }
  return %y : tensor<2x5x7x10xf32>
}

func.func @others(%x: tensor<1x3x9xf32>, %w: tensor<5x3x2xf32>, %a: tensor<1x3x9xf64>, %b: tensor<5x3x2xf64>, %s: tensor<1x5x8xf64>) -> (tensor<1x5x8xf32>, tensor<1x5x8xf64>) {
  %z = arith.constant dense<0.0> : tensor<1x5x8xf32>
  %c = linalg.conv_1d_ncw_fcw ins(%x, %w : tensor<1x3x9xf32>, tensor<5x3x2xf32>) outs(%z : tensor<1x5x8xf32>) -> tensor<1x5x8xf32>
  // BEFORE: :[[#@LINE-1]]:8: not fused: it can be raised; 'fusion-raise' has not run{{$}}
  // RAISED: :[[#@LINE-2]]:8: fused: convolution alone{{$}}
  %d = linalg.conv_1d_ncw_fcw ins(%a, %b : tensor<1x3x9xf64>, tensor<5x3x2xf64>) outs(%s : tensor<1x5x8xf64>) -> tensor<1x5x8xf64>
  // BEFORE: :[[#@LINE-1]]:8: not fused: unsupported: element type f64, expected f32, bf16 or f16{{$}}
  // RAISED: :[[#@LINE-2]]:8: not fused: unsupported: element type f64, expected f32, bf16 or f16{{$}}
  return %c, %d : tensor<1x5x8xf32>, tensor<1x5x8xf64>
}
