// The forms in which front ends write a quantised layer, here a matrix multiplication: how many
// integers are others than upstream's lowering of the input gives. quantized-forms.py makes a
// row for each function of the table in docs/QuantizedOps.md, with 65536 rows in place of 1024.

// RUN: fusion-opt %s --fusion-optimize | FileCheck %s --check-prefix=IR
// IR-NOT:     fusion.fused
// IR-COUNT-5: fusion.quantized_matmul_bias_act {{.*}} -> tensor<?x16xi8>
// IR:         fusion.quantized_matmul_bias_act {{.*}} -> tensor<?x16xi32>
// IR:         fusion.quantized_matmul_bias_act {{.*}} -> tensor<?x16xf32>
// IR:         fusion.fused_matmul_bias_act {{.*}} -> tensor<?x16xf32>

// RUN: %python %S/quantized-forms.py %s --batch=32 | FileCheck %s
// CHECK:      | form | function | `nearest` | `exact` |
// CHECK-NEXT: |---|---|---|---|
// CHECK-NEXT: | TOSA, `SINGLE_ROUND` | `tosa` | {{(0[.0-9]+ %, by 1|0)}} | 0 |
// CHECK-NEXT: | TOSA, `DOUBLE_ROUND`, shift 40 | `tosa_double` | {{0[.0-9]+ %, by 1}} | 0 |
// CHECK-NEXT: {{.*}} | `torch` | {{(0[.0-9]+ %, by 1|0)}} | 0 |
// CHECK-NEXT: {{.*}} | `qdq` | {{(0[.0-9]+ %, by 1|0)}} | {{(0[.0-9]+ %, by 1|0)}} |
// CHECK-NEXT: {{.*}} | `stablehlo` | {{(0[.0-9]+ %, by 1|0)}} | 0 |
// CHECK-NEXT: {{.*}} | `integers` | 0 | 0 |
// CHECK-NEXT: {{.*}} | `dynamic` | f32, {{(.*e-07|0)}} | f32, {{(.*e-07|0)}} |
// CHECK-NEXT: {{.*}} | `weights` | f32, {{.*}}e-07 | f32, {{.*}}e-07 |

// RUN: fusion-opt %s --fusion-optimize --fusion-explain -o /dev/null 2>&1 | FileCheck %s --check-prefix=EXPLAIN
// EXPLAIN-COUNT-3: fused: zero point, bias, requantize{{$}}
// EXPLAIN-NEXT:    fused: dequantize, zero point, scale, bias, quantize{{$}}
// EXPLAIN-NEXT:    fused: zero point, bias, requantize{{$}}
// EXPLAIN-NEXT:    fused: zero point, bias{{$}}
// EXPLAIN-NEXT:    fused: dequantize, zero point, bias{{$}}

#n = affine_map<(d0, d1) -> (d0, d1)>
#c = affine_map<(d0, d1) -> (d1)>

// TOSA, `SINGLE_ROUND`: 2^39 is added and 40 bits are shifted out.
func.func @tosa(%x: tensor<?x32xi8>) -> tensor<?x16xi8> {
  %zero = arith.constant 0 : index
  %w = arith.constant dense_resource<filter> : tensor<32x16xi8>
  %zx = arith.constant -14 : i32
  %zw = arith.constant 0 : i32
  %rows = tensor.dim %x, %zero : tensor<?x32xi8>
  %e8 = tensor.empty(%rows) : tensor<?x16xi8>
  %e32 = tensor.empty(%rows) : tensor<?x16xi32>
  %b = arith.constant dense<[629, 17724, -7439, -8759, -19999, 4222, 19492, 11155, -17140, -11638, -9488, 2465, -1737, 7670, -7692, -11829]> : tensor<16xi32>
  %i = linalg.broadcast ins(%b : tensor<16xi32>) outs(%e32 : tensor<?x16xi32>) dimensions = [0]
  %m = arith.constant dense<[1790004930, 1714138628, 2069280883, 895002465, 1837283930, 1875766837, 2013205790, 1913150232, 857619070, 764160581, 1413971953, 1729531790, 1008252163, 1976921907, 1305120302, 1554709442]> : tensor<16xi32>
  %s = linalg.quantized_matmul ins(%x, %w, %zx, %zw : tensor<?x32xi8>, tensor<32x16xi8>, i32, i32) outs(%i : tensor<?x16xi32>) -> tensor<?x16xi32>
  %r = linalg.generic {indexing_maps = [#n, #c, #n], iterator_types = ["parallel", "parallel"]} ins(%s, %m : tensor<?x16xi32>, tensor<16xi32>) outs(%e8 : tensor<?x16xi8>) {
  ^bb0(%sum: i32, %multiplier: i32, %out: i8):
    %half = arith.constant 549755813888 : i64
    %shift = arith.constant 40 : i64
    %zo = arith.constant 7 : i32
    %lo = arith.constant -128 : i32
    %hi = arith.constant 127 : i32
    %a = arith.extsi %sum : i32 to i64
    %f = arith.extsi %multiplier : i32 to i64
    %0 = arith.muli %a, %f : i64
    %1 = arith.addi %0, %half : i64
    %3 = arith.shrsi %1, %shift : i64
    %4 = arith.trunci %3 : i64 to i32
    %5 = arith.addi %4, %zo : i32
    %6 = arith.maxsi %5, %lo : i32
    %7 = arith.minsi %6, %hi : i32
    %8 = arith.trunci %7 : i32 to i8
    linalg.yield %8 : i8
  } -> tensor<?x16xi8>
  return %r : tensor<?x16xi8>
}

// TOSA, `DOUBLE_ROUND`, shift 40: 2^30 more, by the sign of the sum.
func.func @tosa_double(%x: tensor<?x32xi8>) -> tensor<?x16xi8> {
  %zero = arith.constant 0 : index
  %w = arith.constant dense_resource<filter> : tensor<32x16xi8>
  %zx = arith.constant -14 : i32
  %zw = arith.constant 0 : i32
  %rows = tensor.dim %x, %zero : tensor<?x32xi8>
  %e8 = tensor.empty(%rows) : tensor<?x16xi8>
  %e32 = tensor.empty(%rows) : tensor<?x16xi32>
  %b = arith.constant dense<[629, 17724, -7439, -8759, -19999, 4222, 19492, 11155, -17140, -11638, -9488, 2465, -1737, 7670, -7692, -11829]> : tensor<16xi32>
  %i = linalg.broadcast ins(%b : tensor<16xi32>) outs(%e32 : tensor<?x16xi32>) dimensions = [0]
  %m = arith.constant dense<[1790004930, 1714138628, 2069280883, 895002465, 1837283930, 1875766837, 2013205790, 1913150232, 857619070, 764160581, 1413971953, 1729531790, 1008252163, 1976921907, 1305120302, 1554709442]> : tensor<16xi32>
  %s = linalg.quantized_matmul ins(%x, %w, %zx, %zw : tensor<?x32xi8>, tensor<32x16xi8>, i32, i32) outs(%i : tensor<?x16xi32>) -> tensor<?x16xi32>
  %r = linalg.generic {indexing_maps = [#n, #c, #n], iterator_types = ["parallel", "parallel"]} ins(%s, %m : tensor<?x16xi32>, tensor<16xi32>) outs(%e8 : tensor<?x16xi8>) {
  ^bb0(%sum: i32, %multiplier: i32, %out: i8):
    %half = arith.constant 549755813888 : i64
    %shift = arith.constant 40 : i64
    %zo = arith.constant 7 : i32
    %lo = arith.constant -128 : i32
    %hi = arith.constant 127 : i32
    %a = arith.extsi %sum : i32 to i64
    %f = arith.extsi %multiplier : i32 to i64
    %0 = arith.muli %a, %f : i64
    %1 = arith.addi %0, %half : i64
    %positive = arith.cmpi sge, %sum, %zw : i32
    %more = arith.constant 1073741824 : i64
    %less = arith.constant -1073741824 : i64
    %nudge = arith.select %positive, %more, %less : i64
    %2 = arith.addi %1, %nudge : i64
    %3 = arith.shrsi %2, %shift : i64
    %4 = arith.trunci %3 : i64 to i32
    %5 = arith.addi %4, %zo : i32
    %6 = arith.maxsi %5, %lo : i32
    %7 = arith.minsi %6, %hi : i32
    %8 = arith.trunci %7 : i32 to i8
    linalg.yield %8 : i8
  } -> tensor<?x16xi8>
  return %r : tensor<?x16xi8>
}

// torch-mlir, one scale: the sum becomes a float, which is divided by the scale of the result.
func.func @torch(%x: tensor<?x32xi8>) -> tensor<?x16xi8> {
  %zero = arith.constant 0 : index
  %w = arith.constant dense_resource<filter> : tensor<32x16xi8>
  %zx = arith.constant -14 : i32
  %zw = arith.constant 0 : i32
  %rows = tensor.dim %x, %zero : tensor<?x32xi8>
  %e8 = tensor.empty(%rows) : tensor<?x16xi8>
  %e32 = tensor.empty(%rows) : tensor<?x16xi32>
  %b = arith.constant dense<[629, 17724, -7439, -8759, -19999, 4222, 19492, 11155, -17140, -11638, -9488, 2465, -1737, 7670, -7692, -11829]> : tensor<16xi32>
  %i = linalg.broadcast ins(%b : tensor<16xi32>) outs(%e32 : tensor<?x16xi32>) dimensions = [0]
  %s = linalg.quantized_matmul ins(%x, %w, %zx, %zw : tensor<?x32xi8>, tensor<32x16xi8>, i32, i32) outs(%i : tensor<?x16xi32>) -> tensor<?x16xi32>
  %r = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%s : tensor<?x16xi32>) outs(%e8 : tensor<?x16xi8>) {
  ^bb0(%sum: i32, %out: i8):
    %scale = arith.constant 0.000814 : f32
    %so = arith.constant 0.5 : f32
    %zo = arith.constant 7.0 : f32
    %lo = arith.constant -128.0 : f32
    %hi = arith.constant 127.0 : f32
    %0 = arith.sitofp %sum : i32 to f32
    %1 = arith.mulf %0, %scale : f32
    %3 = arith.divf %1, %so : f32
    %4 = math.roundeven %3 : f32
    %5 = arith.addf %4, %zo : f32
    %6 = arith.maximumf %5, %lo : f32
    %7 = arith.minimumf %6, %hi : f32
    %8 = arith.fptosi %7 : f32 to i8
    linalg.yield %8 : i8
  } -> tensor<?x16xi8>
  return %r : tensor<?x16xi8>
}

// QDQ, a scale for each channel: operands are dequantised, and the result of a layer in f32 is quantised.
func.func @qdq(%x: tensor<?x32xi8>) -> tensor<?x16xi8> {
  %zero = arith.constant 0 : index
  %w = arith.constant dense_resource<filter> : tensor<32x16xi8>
  %zx = arith.constant -14 : i32
  %zw = arith.constant 0 : i32
  %rows = tensor.dim %x, %zero : tensor<?x32xi8>
  %e8 = tensor.empty(%rows) : tensor<?x16xi8>
  %e32 = tensor.empty(%rows) : tensor<?x16xi32>
  %ws = arith.constant dense<[0.006512, 0.006236, 0.007528, 0.003256, 0.006684, 0.006824, 0.007324, 0.00696, 0.00312, 0.00278, 0.005144, 0.006292, 0.003668, 0.007192, 0.004748, 0.005656]> : tensor<16xf32>
  %b = arith.constant dense<[0.51201, 13.81586, -7.0001, -3.56491, -16.70916, 3.60137, 17.84493, 9.70485, -6.6846, -4.0442, -6.10078, 1.93872, -0.79641, 6.89533, -4.5652, -8.3631]> : tensor<16xf32>
  %sx = arith.constant 0.125 : f32
  %ex = tensor.empty(%rows) : tensor<?x32xf32>
  %ew = tensor.empty() : tensor<32x16xf32>
  %e = tensor.empty(%rows) : tensor<?x16xf32>
  %xd = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<?x32xi8>) outs(%ex : tensor<?x32xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.extsi %in : i8 to i32
    %1 = arith.subi %0, %zx : i32
    %2 = arith.sitofp %1 : i32 to f32
    %3 = arith.mulf %2, %sx : f32
    linalg.yield %3 : f32
  } -> tensor<?x32xf32>
  %wd = linalg.generic {indexing_maps = [#n, #c, #n], iterator_types = ["parallel", "parallel"]} ins(%w, %ws : tensor<32x16xi8>, tensor<16xf32>) outs(%ew : tensor<32x16xf32>) {
  ^bb0(%in: i8, %scale: f32, %out: f32):
    %0 = arith.sitofp %in : i8 to f32
    %1 = arith.mulf %0, %scale : f32
    linalg.yield %1 : f32
  } -> tensor<32x16xf32>
  %i = linalg.broadcast ins(%b : tensor<16xf32>) outs(%e : tensor<?x16xf32>) dimensions = [0]
  %s = linalg.matmul ins(%xd, %wd : tensor<?x32xf32>, tensor<32x16xf32>) outs(%i : tensor<?x16xf32>) -> tensor<?x16xf32>
  %r = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%s : tensor<?x16xf32>) outs(%e8 : tensor<?x16xi8>) {
  ^bb0(%sum: f32, %out: i8):
    %so = arith.constant 0.5 : f32
    %zo = arith.constant 7.0 : f32
    %lo = arith.constant -128.0 : f32
    %hi = arith.constant 127.0 : f32
    %3 = arith.divf %sum, %so : f32
    %4 = math.roundeven %3 : f32
    %5 = arith.addf %4, %zo : f32
    %6 = arith.maximumf %5, %lo : f32
    %7 = arith.minimumf %6, %hi : f32
    %8 = arith.fptosi %7 : f32 to i8
    linalg.yield %8 : i8
  } -> tensor<?x16xi8>
  return %r : tensor<?x16xi8>
}

// StableHLO: the zero point is a correction by sums of the filter, and is added to the result before the rounding.
func.func @stablehlo(%x: tensor<?x32xi8>) -> tensor<?x16xi8> {
  %zero = arith.constant 0 : index
  %w = arith.constant dense_resource<filter> : tensor<32x16xi8>
  %zx = arith.constant -14 : i32
  %zw = arith.constant 0 : i32
  %rows = tensor.dim %x, %zero : tensor<?x32xi8>
  %e8 = tensor.empty(%rows) : tensor<?x16xi8>
  %e32 = tensor.empty(%rows) : tensor<?x16xi32>
  %b = arith.constant dense<[9477, 15540, 1773, -527, -12117, 1464, 15040, 4575, -16748, -16062, -12862, -2519, 587, 9840, -8616, -6915]> : tensor<16xi32>
  %scales = arith.constant dense<[0.001628, 0.001559, 0.001882, 0.000814, 0.001671, 0.001706, 0.001831, 0.00174, 0.00078, 0.000695, 0.001286, 0.001573, 0.000917, 0.001798, 0.001187, 0.001414]> : tensor<16xf32>
  %i = linalg.fill ins(%zw : i32) outs(%e32 : tensor<?x16xi32>) -> tensor<?x16xi32>
  %s = linalg.matmul ins(%x, %w : tensor<?x32xi8>, tensor<32x16xi8>) outs(%i : tensor<?x16xi32>) -> tensor<?x16xi32>
  %r = linalg.generic {indexing_maps = [#n, #c, #c, #n], iterator_types = ["parallel", "parallel"]} ins(%s, %b, %scales : tensor<?x16xi32>, tensor<16xi32>, tensor<16xf32>) outs(%e8 : tensor<?x16xi8>) {
  ^bb0(%sum: i32, %addend: i32, %scale: f32, %out: i8):
    %zo = arith.constant 7.0 : f32
    %lo = arith.constant -128.0 : f32
    %hi = arith.constant 127.0 : f32
    %0 = arith.addi %sum, %addend : i32
    %1 = arith.sitofp %0 : i32 to f32
    %2 = arith.mulf %1, %scale : f32
    %3 = arith.addf %2, %zo : f32
    %4 = arith.maximumf %3, %lo : f32
    %5 = arith.minimumf %4, %hi : f32
    %6 = math.roundeven %5 : f32
    %7 = arith.fptosi %6 : f32 to i8
    linalg.yield %7 : i8
  } -> tensor<?x16xi8>
  return %r : tensor<?x16xi8>
}

// Sums in i32.
func.func @integers(%x: tensor<?x32xi8>) -> tensor<?x16xi32> {
  %zero = arith.constant 0 : index
  %w = arith.constant dense_resource<filter> : tensor<32x16xi8>
  %zx = arith.constant -14 : i32
  %zw = arith.constant 0 : i32
  %rows = tensor.dim %x, %zero : tensor<?x32xi8>
  %e8 = tensor.empty(%rows) : tensor<?x16xi8>
  %e32 = tensor.empty(%rows) : tensor<?x16xi32>
  %b = arith.constant dense<[629, 17724, -7439, -8759, -19999, 4222, 19492, 11155, -17140, -11638, -9488, 2465, -1737, 7670, -7692, -11829]> : tensor<16xi32>
  %i = linalg.broadcast ins(%b : tensor<16xi32>) outs(%e32 : tensor<?x16xi32>) dimensions = [0]
  %s = linalg.quantized_matmul ins(%x, %w, %zx, %zw : tensor<?x32xi8>, tensor<32x16xi8>, i32, i32) outs(%i : tensor<?x16xi32>) -> tensor<?x16xi32>
  return %s : tensor<?x16xi32>
}

// Dynamic, a result in f32: only a call knows the scale of the input.
func.func @dynamic(%x: tensor<?x32xi8>, %scale: f32) -> tensor<?x16xf32> {
  %zero = arith.constant 0 : index
  %w = arith.constant dense_resource<filter> : tensor<32x16xi8>
  %zx = arith.constant -14 : i32
  %zw = arith.constant 0 : i32
  %rows = tensor.dim %x, %zero : tensor<?x32xi8>
  %e8 = tensor.empty(%rows) : tensor<?x16xi8>
  %e32 = tensor.empty(%rows) : tensor<?x16xi32>
  %b = arith.constant dense<[629, 17724, -7439, -8759, -19999, 4222, 19492, 11155, -17140, -11638, -9488, 2465, -1737, 7670, -7692, -11829]> : tensor<16xi32>
  %i = linalg.broadcast ins(%b : tensor<16xi32>) outs(%e32 : tensor<?x16xi32>) dimensions = [0]
  %e = tensor.empty(%rows) : tensor<?x16xf32>
  %s = linalg.quantized_matmul ins(%x, %w, %zx, %zw : tensor<?x32xi8>, tensor<32x16xi8>, i32, i32) outs(%i : tensor<?x16xi32>) -> tensor<?x16xi32>
  %r = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%s : tensor<?x16xi32>) outs(%e : tensor<?x16xf32>) {
  ^bb0(%sum: i32, %out: f32):
    %0 = arith.sitofp %sum : i32 to f32
    %1 = arith.mulf %0, %scale : f32
    linalg.yield %1 : f32
  } -> tensor<?x16xf32>
  return %r : tensor<?x16xf32>
}

// Weight-only, a result in f32: a filter of i8, an input of f32.
func.func @weights(%x: tensor<?x32xf32>) -> tensor<?x16xf32> {
  %zero = arith.constant 0 : index
  %w = arith.constant dense_resource<filter> : tensor<32x16xi8>
  %rows = tensor.dim %x, %zero : tensor<?x32xf32>
  %ws = arith.constant dense<[0.006512, 0.006236, 0.007528, 0.003256, 0.006684, 0.006824, 0.007324, 0.00696, 0.00312, 0.00278, 0.005144, 0.006292, 0.003668, 0.007192, 0.004748, 0.005656]> : tensor<16xf32>
  %b = arith.constant dense<[0.51201, 13.81586, -7.0001, -3.56491, -16.70916, 3.60137, 17.84493, 9.70485, -6.6846, -4.0442, -6.10078, 1.93872, -0.79641, 6.89533, -4.5652, -8.3631]> : tensor<16xf32>
  %ew = tensor.empty() : tensor<32x16xf32>
  %e = tensor.empty(%rows) : tensor<?x16xf32>
  %wd = linalg.generic {indexing_maps = [#n, #c, #n], iterator_types = ["parallel", "parallel"]} ins(%w, %ws : tensor<32x16xi8>, tensor<16xf32>) outs(%ew : tensor<32x16xf32>) {
  ^bb0(%in: i8, %scale: f32, %out: f32):
    %0 = arith.sitofp %in : i8 to f32
    %1 = arith.mulf %0, %scale : f32
    linalg.yield %1 : f32
  } -> tensor<32x16xf32>
  %i = linalg.broadcast ins(%b : tensor<16xf32>) outs(%e : tensor<?x16xf32>) dimensions = [0]
  %s = linalg.matmul ins(%x, %wd : tensor<?x32xf32>, tensor<32x16xf32>) outs(%i : tensor<?x16xf32>) -> tensor<?x16xf32>
  return %s : tensor<?x16xf32>
}

{-#
  dialect_resources: {
    builtin: {
      filter: "0x0100000037E35716AFB8ABB2AC2C2F983542A74F35C93A6D4584F1F85E397D239E8805AC76FE3E59F22FCE00747F963043C2581DA92FD476CF940B27DE2A65896DB7D1D7663F92D099BF2B194DA8525A7EFE5DC9C5103FC76DB39814FF49A828A5D4FBB32C1B7A49A2FA02C30344BA094CBF9622A3C3D1250B27BBE5B54CCFE892F9DD55D4C147B03F1454F0D86063C068E0898F5FF434D1F1F34A44978A957ED437E950E10A001407E95AE657B9C9CEE0CCA6D73F69914D15254E856AC46D0C843226ECE722E568CBC5F4E22E43E0D2603983E66985FCF74B92AC49BC59A108286717B772F3A3AD548D9D54968EBD70870F7834FE8DAF69D64CD09B5EAF9DA548024495194D06000635CFC230286CF5F626E1EA6B7E29593E56A8D895B108A8AFA2F178D8C9765F5ABC251FA3C09ACF7C40241C1B7366BD6CC6F791B1B7E17C20114FFA17D87E43F53160A85D8C6FADAC52B13C54BA84BCC7CFFA2E204015BE65D5C4BDCB73FA0EC97188BED9221912CC6FB9DE56BB4C526F744903E5D69496DCF2586DF4DC76F3F911EABD899CAA058878466048CE23490B55921629DD7BB36A3544301CB7DCA5739E26550663B705C11D2236DFA9C8055AF3CA5F62AAC95915A5E21D85655994BEFC6B82C00346FD757645FDA4690A3BBB581ADA73991B24279DD8213CAE2A1B7C45BB7715B4D8AD1AECBC7A41C277FA7BE21090F80BDECFB3F9583E"
    }
  }
#-}
