// RUN: fusion-opt %s --fusion-fuse-quantized --remarks-filter-missed='fusion.*' --remark-format=emitRemark 2>%t.txt | FileCheck %s
// RUN: FileCheck %s --check-prefix=REMARK --input-file=%t.txt --implicit-check-not=remark:

// A double rounding adds 2^30 or takes it away, by the sign of the sum, however the sign is asked for.
// Integration/fuse-rescaled.test executes these functions.

#n = affine_map<(d0, d1) -> (d0, d1)>

// CHECK-LABEL: func @less(
// CHECK:         fusion.quantized_matmul_bias_act {{.*}}-> tensor<5x6xi8>
// CHECK-NOT:     linalg.generic
func.func @less(%x: tensor<5x7xi8>, %w: tensor<7x6xi8>) -> tensor<5x6xi8> {
  %zero = arith.constant 0 : i32
  %limit = arith.constant 0 : i32
  %e32 = tensor.empty() : tensor<5x6xi32>
  %e8 = tensor.empty() : tensor<5x6xi8>
  %f = linalg.fill ins(%zero : i32) outs(%e32 : tensor<5x6xi32>) -> tensor<5x6xi32>
  %c = linalg.matmul ins(%x, %w : tensor<5x7xi8>, tensor<7x6xi8>) outs(%f : tensor<5x6xi32>) -> tensor<5x6xi32>
  %q = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%c : tensor<5x6xi32>) outs(%e8 : tensor<5x6xi8>) {
  ^bb0(%sum: i32, %out: i8):
    %multiplier = arith.constant 1400780721 : i64
    %half = arith.constant 274877906944 : i64
    %shift = arith.constant 39 : i64
    %more = arith.constant 1073741824 : i64
    %less = arith.constant -1073741824 : i64
    %least = arith.constant -128 : i32
    %most = arith.constant 127 : i32
    %0 = arith.extsi %sum : i32 to i64
    %1 = arith.muli %0, %multiplier : i64
    %2 = arith.addi %1, %half : i64
    %3 = arith.cmpi slt, %sum, %limit : i32
    %4 = arith.select %3, %less, %more : i64
    %5 = arith.addi %2, %4 : i64
    %6 = arith.shrsi %5, %shift : i64
    %7 = arith.trunci %6 : i64 to i32
    %8 = arith.maxsi %7, %least : i32
    %9 = arith.minsi %8, %most : i32
    %10 = arith.trunci %9 : i32 to i8
    linalg.yield %10 : i8
  } -> tensor<5x6xi8>
  return %q : tensor<5x6xi8>
}

// CHECK-LABEL: func @at_most(
// CHECK:         fusion.quantized_matmul_bias_act {{.*}}-> tensor<5x6xi8>
// CHECK-NOT:     linalg.generic
func.func @at_most(%x: tensor<5x7xi8>, %w: tensor<7x6xi8>) -> tensor<5x6xi8> {
  %zero = arith.constant 0 : i32
  %limit = arith.constant 0 : i32
  %e32 = tensor.empty() : tensor<5x6xi32>
  %e8 = tensor.empty() : tensor<5x6xi8>
  %f = linalg.fill ins(%zero : i32) outs(%e32 : tensor<5x6xi32>) -> tensor<5x6xi32>
  %c = linalg.matmul ins(%x, %w : tensor<5x7xi8>, tensor<7x6xi8>) outs(%f : tensor<5x6xi32>) -> tensor<5x6xi32>
  %q = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%c : tensor<5x6xi32>) outs(%e8 : tensor<5x6xi8>) {
  ^bb0(%sum: i32, %out: i8):
    %multiplier = arith.constant 1400780721 : i64
    %half = arith.constant 274877906944 : i64
    %shift = arith.constant 39 : i64
    %more = arith.constant 1073741824 : i64
    %less = arith.constant -1073741824 : i64
    %least = arith.constant -128 : i32
    %most = arith.constant 127 : i32
    %0 = arith.extsi %sum : i32 to i64
    %1 = arith.muli %0, %multiplier : i64
    %2 = arith.addi %1, %half : i64
    %3 = arith.cmpi sle, %sum, %limit : i32
    %4 = arith.select %3, %less, %more : i64
    %5 = arith.addi %2, %4 : i64
    %6 = arith.shrsi %5, %shift : i64
    %7 = arith.trunci %6 : i64 to i32
    %8 = arith.maxsi %7, %least : i32
    %9 = arith.minsi %8, %most : i32
    %10 = arith.trunci %9 : i32 to i8
    linalg.yield %10 : i8
  } -> tensor<5x6xi8>
  return %q : tensor<5x6xi8>
}

// CHECK-LABEL: func @zero_greater(
// CHECK:         fusion.quantized_matmul_bias_act {{.*}}-> tensor<5x6xi8>
// CHECK-NOT:     linalg.generic
func.func @zero_greater(%x: tensor<5x7xi8>, %w: tensor<7x6xi8>) -> tensor<5x6xi8> {
  %zero = arith.constant 0 : i32
  %limit = arith.constant 0 : i32
  %e32 = tensor.empty() : tensor<5x6xi32>
  %e8 = tensor.empty() : tensor<5x6xi8>
  %f = linalg.fill ins(%zero : i32) outs(%e32 : tensor<5x6xi32>) -> tensor<5x6xi32>
  %c = linalg.matmul ins(%x, %w : tensor<5x7xi8>, tensor<7x6xi8>) outs(%f : tensor<5x6xi32>) -> tensor<5x6xi32>
  %q = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%c : tensor<5x6xi32>) outs(%e8 : tensor<5x6xi8>) {
  ^bb0(%sum: i32, %out: i8):
    %multiplier = arith.constant 1400780721 : i64
    %half = arith.constant 274877906944 : i64
    %shift = arith.constant 39 : i64
    %more = arith.constant 1073741824 : i64
    %less = arith.constant -1073741824 : i64
    %least = arith.constant -128 : i32
    %most = arith.constant 127 : i32
    %0 = arith.extsi %sum : i32 to i64
    %1 = arith.muli %0, %multiplier : i64
    %2 = arith.addi %1, %half : i64
    %3 = arith.cmpi sgt, %limit, %sum : i32
    %4 = arith.select %3, %less, %more : i64
    %5 = arith.addi %2, %4 : i64
    %6 = arith.shrsi %5, %shift : i64
    %7 = arith.trunci %6 : i64 to i32
    %8 = arith.maxsi %7, %least : i32
    %9 = arith.minsi %8, %most : i32
    %10 = arith.trunci %9 : i32 to i8
    linalg.yield %10 : i8
  } -> tensor<5x6xi8>
  return %q : tensor<5x6xi8>
}

// CHECK-LABEL: func @zero_at_least(
// CHECK:         fusion.quantized_matmul_bias_act {{.*}}-> tensor<5x6xi8>
// CHECK-NOT:     linalg.generic
func.func @zero_at_least(%x: tensor<5x7xi8>, %w: tensor<7x6xi8>) -> tensor<5x6xi8> {
  %zero = arith.constant 0 : i32
  %limit = arith.constant 0 : i32
  %e32 = tensor.empty() : tensor<5x6xi32>
  %e8 = tensor.empty() : tensor<5x6xi8>
  %f = linalg.fill ins(%zero : i32) outs(%e32 : tensor<5x6xi32>) -> tensor<5x6xi32>
  %c = linalg.matmul ins(%x, %w : tensor<5x7xi8>, tensor<7x6xi8>) outs(%f : tensor<5x6xi32>) -> tensor<5x6xi32>
  %q = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%c : tensor<5x6xi32>) outs(%e8 : tensor<5x6xi8>) {
  ^bb0(%sum: i32, %out: i8):
    %multiplier = arith.constant 1400780721 : i64
    %half = arith.constant 274877906944 : i64
    %shift = arith.constant 39 : i64
    %more = arith.constant 1073741824 : i64
    %less = arith.constant -1073741824 : i64
    %least = arith.constant -128 : i32
    %most = arith.constant 127 : i32
    %0 = arith.extsi %sum : i32 to i64
    %1 = arith.muli %0, %multiplier : i64
    %2 = arith.addi %1, %half : i64
    %3 = arith.cmpi sge, %limit, %sum : i32
    %4 = arith.select %3, %less, %more : i64
    %5 = arith.addi %2, %4 : i64
    %6 = arith.shrsi %5, %shift : i64
    %7 = arith.trunci %6 : i64 to i32
    %8 = arith.maxsi %7, %least : i32
    %9 = arith.minsi %8, %most : i32
    %10 = arith.trunci %9 : i32 to i8
    linalg.yield %10 : i8
  } -> tensor<5x6xi8>
  return %q : tensor<5x6xi8>
}

// CHECK-LABEL: func @zero_less(
// CHECK:         fusion.quantized_matmul_bias_act {{.*}}-> tensor<5x6xi8>
// CHECK-NOT:     linalg.generic
func.func @zero_less(%x: tensor<5x7xi8>, %w: tensor<7x6xi8>) -> tensor<5x6xi8> {
  %zero = arith.constant 0 : i32
  %limit = arith.constant 0 : i32
  %e32 = tensor.empty() : tensor<5x6xi32>
  %e8 = tensor.empty() : tensor<5x6xi8>
  %f = linalg.fill ins(%zero : i32) outs(%e32 : tensor<5x6xi32>) -> tensor<5x6xi32>
  %c = linalg.matmul ins(%x, %w : tensor<5x7xi8>, tensor<7x6xi8>) outs(%f : tensor<5x6xi32>) -> tensor<5x6xi32>
  %q = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%c : tensor<5x6xi32>) outs(%e8 : tensor<5x6xi8>) {
  ^bb0(%sum: i32, %out: i8):
    %multiplier = arith.constant 1400780721 : i64
    %half = arith.constant 274877906944 : i64
    %shift = arith.constant 39 : i64
    %more = arith.constant 1073741824 : i64
    %less = arith.constant -1073741824 : i64
    %least = arith.constant -128 : i32
    %most = arith.constant 127 : i32
    %0 = arith.extsi %sum : i32 to i64
    %1 = arith.muli %0, %multiplier : i64
    %2 = arith.addi %1, %half : i64
    %3 = arith.cmpi slt, %limit, %sum : i32
    %4 = arith.select %3, %more, %less : i64
    %5 = arith.addi %2, %4 : i64
    %6 = arith.shrsi %5, %shift : i64
    %7 = arith.trunci %6 : i64 to i32
    %8 = arith.maxsi %7, %least : i32
    %9 = arith.minsi %8, %most : i32
    %10 = arith.trunci %9 : i32 to i8
    linalg.yield %10 : i8
  } -> tensor<5x6xi8>
  return %q : tensor<5x6xi8>
}

// CHECK-LABEL: func @zero_at_most(
// CHECK:         fusion.quantized_matmul_bias_act {{.*}}-> tensor<5x6xi8>
// CHECK-NOT:     linalg.generic
func.func @zero_at_most(%x: tensor<5x7xi8>, %w: tensor<7x6xi8>) -> tensor<5x6xi8> {
  %zero = arith.constant 0 : i32
  %limit = arith.constant 0 : i32
  %e32 = tensor.empty() : tensor<5x6xi32>
  %e8 = tensor.empty() : tensor<5x6xi8>
  %f = linalg.fill ins(%zero : i32) outs(%e32 : tensor<5x6xi32>) -> tensor<5x6xi32>
  %c = linalg.matmul ins(%x, %w : tensor<5x7xi8>, tensor<7x6xi8>) outs(%f : tensor<5x6xi32>) -> tensor<5x6xi32>
  %q = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%c : tensor<5x6xi32>) outs(%e8 : tensor<5x6xi8>) {
  ^bb0(%sum: i32, %out: i8):
    %multiplier = arith.constant 1400780721 : i64
    %half = arith.constant 274877906944 : i64
    %shift = arith.constant 39 : i64
    %more = arith.constant 1073741824 : i64
    %less = arith.constant -1073741824 : i64
    %least = arith.constant -128 : i32
    %most = arith.constant 127 : i32
    %0 = arith.extsi %sum : i32 to i64
    %1 = arith.muli %0, %multiplier : i64
    %2 = arith.addi %1, %half : i64
    %3 = arith.cmpi sle, %limit, %sum : i32
    %4 = arith.select %3, %more, %less : i64
    %5 = arith.addi %2, %4 : i64
    %6 = arith.shrsi %5, %shift : i64
    %7 = arith.trunci %6 : i64 to i32
    %8 = arith.maxsi %7, %least : i32
    %9 = arith.minsi %8, %most : i32
    %10 = arith.trunci %9 : i32 to i8
    linalg.yield %10 : i8
  } -> tensor<5x6xi8>
  return %q : tensor<5x6xi8>
}

// CHECK-LABEL: func @greater(
// CHECK:         fusion.quantized_matmul_bias_act {{.*}}-> tensor<5x6xi8>
// CHECK-NOT:     linalg.generic
func.func @greater(%x: tensor<5x7xi8>, %w: tensor<7x6xi8>) -> tensor<5x6xi8> {
  %zero = arith.constant 0 : i32
  %limit = arith.constant 0 : i32
  %e32 = tensor.empty() : tensor<5x6xi32>
  %e8 = tensor.empty() : tensor<5x6xi8>
  %f = linalg.fill ins(%zero : i32) outs(%e32 : tensor<5x6xi32>) -> tensor<5x6xi32>
  %c = linalg.matmul ins(%x, %w : tensor<5x7xi8>, tensor<7x6xi8>) outs(%f : tensor<5x6xi32>) -> tensor<5x6xi32>
  %q = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%c : tensor<5x6xi32>) outs(%e8 : tensor<5x6xi8>) {
  ^bb0(%sum: i32, %out: i8):
    %multiplier = arith.constant 1400780721 : i64
    %half = arith.constant 274877906944 : i64
    %shift = arith.constant 39 : i64
    %more = arith.constant 1073741824 : i64
    %less = arith.constant -1073741824 : i64
    %least = arith.constant -128 : i32
    %most = arith.constant 127 : i32
    %0 = arith.extsi %sum : i32 to i64
    %1 = arith.muli %0, %multiplier : i64
    %2 = arith.addi %1, %half : i64
    %3 = arith.cmpi sgt, %sum, %limit : i32
    %4 = arith.select %3, %more, %less : i64
    %5 = arith.addi %2, %4 : i64
    %6 = arith.shrsi %5, %shift : i64
    %7 = arith.trunci %6 : i64 to i32
    %8 = arith.maxsi %7, %least : i32
    %9 = arith.minsi %8, %most : i32
    %10 = arith.trunci %9 : i32 to i8
    linalg.yield %10 : i8
  } -> tensor<5x6xi8>
  return %q : tensor<5x6xi8>
}

// Another sign than that of the sum.
// CHECK-LABEL: func @of_three(
// CHECK:         fusion.quantized_matmul_bias_act {{.*}}-> tensor<5x6xi32>
// CHECK:         linalg.generic
func.func @of_three(%x: tensor<5x7xi8>, %w: tensor<7x6xi8>) -> tensor<5x6xi8> {
  %zero = arith.constant 0 : i32
  %limit = arith.constant 3 : i32
  %e32 = tensor.empty() : tensor<5x6xi32>
  %e8 = tensor.empty() : tensor<5x6xi8>
  %f = linalg.fill ins(%zero : i32) outs(%e32 : tensor<5x6xi32>) -> tensor<5x6xi32>
  // REMARK: :[[#@LINE+1]]:8: remark: {{.*}}Reason="sum is not rescaled: a choice is neither a bound nor by sign"
  %c = linalg.matmul ins(%x, %w : tensor<5x7xi8>, tensor<7x6xi8>) outs(%f : tensor<5x6xi32>) -> tensor<5x6xi32>
  %q = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%c : tensor<5x6xi32>) outs(%e8 : tensor<5x6xi8>) {
  ^bb0(%sum: i32, %out: i8):
    %multiplier = arith.constant 1400780721 : i64
    %half = arith.constant 274877906944 : i64
    %shift = arith.constant 39 : i64
    %more = arith.constant 1073741824 : i64
    %less = arith.constant -1073741824 : i64
    %least = arith.constant -128 : i32
    %most = arith.constant 127 : i32
    %0 = arith.extsi %sum : i32 to i64
    %1 = arith.muli %0, %multiplier : i64
    %2 = arith.addi %1, %half : i64
    %3 = arith.cmpi slt, %sum, %limit : i32
    %4 = arith.select %3, %less, %more : i64
    %5 = arith.addi %2, %4 : i64
    %6 = arith.shrsi %5, %shift : i64
    %7 = arith.trunci %6 : i64 to i32
    %8 = arith.maxsi %7, %least : i32
    %9 = arith.minsi %8, %most : i32
    %10 = arith.trunci %9 : i32 to i8
    linalg.yield %10 : i8
  } -> tensor<5x6xi8>
  return %q : tensor<5x6xi8>
}

// Another step down than up.
// CHECK-LABEL: func @other_step(
// CHECK:         fusion.quantized_matmul_bias_act {{.*}}-> tensor<5x6xi32>
// CHECK:         linalg.generic
func.func @other_step(%x: tensor<5x7xi8>, %w: tensor<7x6xi8>) -> tensor<5x6xi8> {
  %zero = arith.constant 0 : i32
  %limit = arith.constant 0 : i32
  %e32 = tensor.empty() : tensor<5x6xi32>
  %e8 = tensor.empty() : tensor<5x6xi8>
  %f = linalg.fill ins(%zero : i32) outs(%e32 : tensor<5x6xi32>) -> tensor<5x6xi32>
  // REMARK: :[[#@LINE+1]]:8: remark: {{.*}}Reason="sum is not rescaled: a choice is neither a bound nor by sign"
  %c = linalg.matmul ins(%x, %w : tensor<5x7xi8>, tensor<7x6xi8>) outs(%f : tensor<5x6xi32>) -> tensor<5x6xi32>
  %q = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%c : tensor<5x6xi32>) outs(%e8 : tensor<5x6xi8>) {
  ^bb0(%sum: i32, %out: i8):
    %multiplier = arith.constant 1400780721 : i64
    %half = arith.constant 274877906944 : i64
    %shift = arith.constant 39 : i64
    %more = arith.constant 1073741824 : i64
    %less = arith.constant -536870912 : i64
    %least = arith.constant -128 : i32
    %most = arith.constant 127 : i32
    %0 = arith.extsi %sum : i32 to i64
    %1 = arith.muli %0, %multiplier : i64
    %2 = arith.addi %1, %half : i64
    %3 = arith.cmpi slt, %sum, %limit : i32
    %4 = arith.select %3, %less, %more : i64
    %5 = arith.addi %2, %4 : i64
    %6 = arith.shrsi %5, %shift : i64
    %7 = arith.trunci %6 : i64 to i32
    %8 = arith.maxsi %7, %least : i32
    %9 = arith.minsi %8, %most : i32
    %10 = arith.trunci %9 : i32 to i8
    linalg.yield %10 : i8
  } -> tensor<5x6xi8>
  return %q : tensor<5x6xi8>
}

// Numbers without a sign are never below 0.
// CHECK-LABEL: func @without_sign(
// CHECK:         fusion.quantized_matmul_bias_act {{.*}}-> tensor<5x6xi32>
// CHECK:         linalg.generic
func.func @without_sign(%x: tensor<5x7xi8>, %w: tensor<7x6xi8>) -> tensor<5x6xi8> {
  %zero = arith.constant 0 : i32
  %limit = arith.constant 0 : i32
  %e32 = tensor.empty() : tensor<5x6xi32>
  %e8 = tensor.empty() : tensor<5x6xi8>
  %f = linalg.fill ins(%zero : i32) outs(%e32 : tensor<5x6xi32>) -> tensor<5x6xi32>
  // REMARK: :[[#@LINE+1]]:8: remark: {{.*}}Reason="sum is not rescaled: a choice is neither a bound nor by sign"
  %c = linalg.matmul ins(%x, %w : tensor<5x7xi8>, tensor<7x6xi8>) outs(%f : tensor<5x6xi32>) -> tensor<5x6xi32>
  %q = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%c : tensor<5x6xi32>) outs(%e8 : tensor<5x6xi8>) {
  ^bb0(%sum: i32, %out: i8):
    %multiplier = arith.constant 1400780721 : i64
    %half = arith.constant 274877906944 : i64
    %shift = arith.constant 39 : i64
    %more = arith.constant 1073741824 : i64
    %less = arith.constant -1073741824 : i64
    %least = arith.constant -128 : i32
    %most = arith.constant 127 : i32
    %0 = arith.extsi %sum : i32 to i64
    %1 = arith.muli %0, %multiplier : i64
    %2 = arith.addi %1, %half : i64
    %3 = arith.cmpi ult, %sum, %limit : i32
    %4 = arith.select %3, %less, %more : i64
    %5 = arith.addi %2, %4 : i64
    %6 = arith.shrsi %5, %shift : i64
    %7 = arith.trunci %6 : i64 to i32
    %8 = arith.maxsi %7, %least : i32
    %9 = arith.minsi %8, %most : i32
    %10 = arith.trunci %9 : i32 to i8
    linalg.yield %10 : i8
  } -> tensor<5x6xi8>
  return %q : tensor<5x6xi8>
}
