// RUN: fusion-opt %s | fusion-opt | FileCheck %s

// Every order of dimensions that linalg's named convolutions use, and some that
// they do not. No two dimensions have one size, so that a layout that is read
// wrongly is refused by the verifier.

// CHECK-LABEL: func @ncw_fcw_ncw
// CHECK:         fusion.fused_conv_bias_act groups 2 ins(
// CHECK-SAME:      %{{.*}}, %{{.*}} : tensor<2x4x9xf32>, tensor<6x2x4xf32>)
// CHECK-SAME:      outs(%{{.*}} : tensor<2x6x6xf32>)
func.func @ncw_fcw_ncw(%x: tensor<2x4x9xf32>, %w: tensor<6x2x4xf32>, %e: tensor<2x6x6xf32>) -> tensor<2x6x6xf32> {
  %r = fusion.fused_conv_bias_act {
         strides = array<i64: 1>, dilations = array<i64: 1>,
         pad_low = array<i64: 0>, pad_high = array<i64: 0>, groups = 2,
         input_layout = "ncw", filter_layout = "fcw", output_layout = "ncw"}
       ins(%x, %w : tensor<2x4x9xf32>, tensor<6x2x4xf32>)
       outs(%e : tensor<2x6x6xf32>) -> tensor<2x6x6xf32>
  return %r : tensor<2x6x6xf32>
}

// CHECK-LABEL: func @ncw_fcw_nwc
// CHECK:         fusion.fused_conv_bias_act groups 2 layouts(ncw, fcw, nwc) ins(
// CHECK-SAME:      %{{.*}}, %{{.*}} : tensor<2x4x9xf32>, tensor<6x2x4xf32>)
// CHECK-SAME:      outs(%{{.*}} : tensor<2x6x6xf32>)
func.func @ncw_fcw_nwc(%x: tensor<2x4x9xf32>, %w: tensor<6x2x4xf32>, %e: tensor<2x6x6xf32>) -> tensor<2x6x6xf32> {
  %r = fusion.fused_conv_bias_act {
         strides = array<i64: 1>, dilations = array<i64: 1>,
         pad_low = array<i64: 0>, pad_high = array<i64: 0>, groups = 2,
         input_layout = "ncw", filter_layout = "fcw", output_layout = "nwc"}
       ins(%x, %w : tensor<2x4x9xf32>, tensor<6x2x4xf32>)
       outs(%e : tensor<2x6x6xf32>) -> tensor<2x6x6xf32>
  return %r : tensor<2x6x6xf32>
}

// CHECK-LABEL: func @ncw_fwc_ncw
// CHECK:         fusion.fused_conv_bias_act groups 2 layouts(ncw, fwc, ncw) ins(
// CHECK-SAME:      %{{.*}}, %{{.*}} : tensor<2x4x9xf32>, tensor<6x4x2xf32>)
// CHECK-SAME:      outs(%{{.*}} : tensor<2x6x6xf32>)
func.func @ncw_fwc_ncw(%x: tensor<2x4x9xf32>, %w: tensor<6x4x2xf32>, %e: tensor<2x6x6xf32>) -> tensor<2x6x6xf32> {
  %r = fusion.fused_conv_bias_act {
         strides = array<i64: 1>, dilations = array<i64: 1>,
         pad_low = array<i64: 0>, pad_high = array<i64: 0>, groups = 2,
         input_layout = "ncw", filter_layout = "fwc", output_layout = "ncw"}
       ins(%x, %w : tensor<2x4x9xf32>, tensor<6x4x2xf32>)
       outs(%e : tensor<2x6x6xf32>) -> tensor<2x6x6xf32>
  return %r : tensor<2x6x6xf32>
}

// CHECK-LABEL: func @ncw_wcf_ncw
// CHECK:         fusion.fused_conv_bias_act groups 2 layouts(ncw, wcf, ncw) ins(
// CHECK-SAME:      %{{.*}}, %{{.*}} : tensor<2x4x9xf32>, tensor<4x2x6xf32>)
// CHECK-SAME:      outs(%{{.*}} : tensor<2x6x6xf32>)
func.func @ncw_wcf_ncw(%x: tensor<2x4x9xf32>, %w: tensor<4x2x6xf32>, %e: tensor<2x6x6xf32>) -> tensor<2x6x6xf32> {
  %r = fusion.fused_conv_bias_act {
         strides = array<i64: 1>, dilations = array<i64: 1>,
         pad_low = array<i64: 0>, pad_high = array<i64: 0>, groups = 2,
         input_layout = "ncw", filter_layout = "wcf", output_layout = "ncw"}
       ins(%x, %w : tensor<2x4x9xf32>, tensor<4x2x6xf32>)
       outs(%e : tensor<2x6x6xf32>) -> tensor<2x6x6xf32>
  return %r : tensor<2x6x6xf32>
}

// CHECK-LABEL: func @ncw_cfw_ncw
// CHECK:         fusion.fused_conv_bias_act groups 2 layouts(ncw, cfw, ncw) ins(
// CHECK-SAME:      %{{.*}}, %{{.*}} : tensor<2x4x9xf32>, tensor<2x6x4xf32>)
// CHECK-SAME:      outs(%{{.*}} : tensor<2x6x6xf32>)
func.func @ncw_cfw_ncw(%x: tensor<2x4x9xf32>, %w: tensor<2x6x4xf32>, %e: tensor<2x6x6xf32>) -> tensor<2x6x6xf32> {
  %r = fusion.fused_conv_bias_act {
         strides = array<i64: 1>, dilations = array<i64: 1>,
         pad_low = array<i64: 0>, pad_high = array<i64: 0>, groups = 2,
         input_layout = "ncw", filter_layout = "cfw", output_layout = "ncw"}
       ins(%x, %w : tensor<2x4x9xf32>, tensor<2x6x4xf32>)
       outs(%e : tensor<2x6x6xf32>) -> tensor<2x6x6xf32>
  return %r : tensor<2x6x6xf32>
}

// CHECK-LABEL: func @nwc_fcw_ncw
// CHECK:         fusion.fused_conv_bias_act groups 2 layouts(nwc, fcw, ncw) ins(
// CHECK-SAME:      %{{.*}}, %{{.*}} : tensor<2x9x4xf32>, tensor<6x2x4xf32>)
// CHECK-SAME:      outs(%{{.*}} : tensor<2x6x6xf32>)
func.func @nwc_fcw_ncw(%x: tensor<2x9x4xf32>, %w: tensor<6x2x4xf32>, %e: tensor<2x6x6xf32>) -> tensor<2x6x6xf32> {
  %r = fusion.fused_conv_bias_act {
         strides = array<i64: 1>, dilations = array<i64: 1>,
         pad_low = array<i64: 0>, pad_high = array<i64: 0>, groups = 2,
         input_layout = "nwc", filter_layout = "fcw", output_layout = "ncw"}
       ins(%x, %w : tensor<2x9x4xf32>, tensor<6x2x4xf32>)
       outs(%e : tensor<2x6x6xf32>) -> tensor<2x6x6xf32>
  return %r : tensor<2x6x6xf32>
}

// CHECK-LABEL: func @nwc_fcw_nwc
// CHECK:         fusion.fused_conv_bias_act groups 2 layouts(nwc, fcw, nwc) ins(
// CHECK-SAME:      %{{.*}}, %{{.*}} : tensor<2x9x4xf32>, tensor<6x2x4xf32>)
// CHECK-SAME:      outs(%{{.*}} : tensor<2x6x6xf32>)
func.func @nwc_fcw_nwc(%x: tensor<2x9x4xf32>, %w: tensor<6x2x4xf32>, %e: tensor<2x6x6xf32>) -> tensor<2x6x6xf32> {
  %r = fusion.fused_conv_bias_act {
         strides = array<i64: 1>, dilations = array<i64: 1>,
         pad_low = array<i64: 0>, pad_high = array<i64: 0>, groups = 2,
         input_layout = "nwc", filter_layout = "fcw", output_layout = "nwc"}
       ins(%x, %w : tensor<2x9x4xf32>, tensor<6x2x4xf32>)
       outs(%e : tensor<2x6x6xf32>) -> tensor<2x6x6xf32>
  return %r : tensor<2x6x6xf32>
}

// CHECK-LABEL: func @nwc_fwc_nwc
// CHECK:         fusion.fused_conv_bias_act groups 2 layouts(nwc, fwc, nwc) ins(
// CHECK-SAME:      %{{.*}}, %{{.*}} : tensor<2x9x4xf32>, tensor<6x4x2xf32>)
// CHECK-SAME:      outs(%{{.*}} : tensor<2x6x6xf32>)
func.func @nwc_fwc_nwc(%x: tensor<2x9x4xf32>, %w: tensor<6x4x2xf32>, %e: tensor<2x6x6xf32>) -> tensor<2x6x6xf32> {
  %r = fusion.fused_conv_bias_act {
         strides = array<i64: 1>, dilations = array<i64: 1>,
         pad_low = array<i64: 0>, pad_high = array<i64: 0>, groups = 2,
         input_layout = "nwc", filter_layout = "fwc", output_layout = "nwc"}
       ins(%x, %w : tensor<2x9x4xf32>, tensor<6x4x2xf32>)
       outs(%e : tensor<2x6x6xf32>) -> tensor<2x6x6xf32>
  return %r : tensor<2x6x6xf32>
}

// CHECK-LABEL: func @nwc_wcf_nwc
// CHECK:         fusion.fused_conv_bias_act groups 2 layouts(nwc, wcf, nwc) ins(
// CHECK-SAME:      %{{.*}}, %{{.*}} : tensor<2x9x4xf32>, tensor<4x2x6xf32>)
// CHECK-SAME:      outs(%{{.*}} : tensor<2x6x6xf32>)
func.func @nwc_wcf_nwc(%x: tensor<2x9x4xf32>, %w: tensor<4x2x6xf32>, %e: tensor<2x6x6xf32>) -> tensor<2x6x6xf32> {
  %r = fusion.fused_conv_bias_act {
         strides = array<i64: 1>, dilations = array<i64: 1>,
         pad_low = array<i64: 0>, pad_high = array<i64: 0>, groups = 2,
         input_layout = "nwc", filter_layout = "wcf", output_layout = "nwc"}
       ins(%x, %w : tensor<2x9x4xf32>, tensor<4x2x6xf32>)
       outs(%e : tensor<2x6x6xf32>) -> tensor<2x6x6xf32>
  return %r : tensor<2x6x6xf32>
}

// CHECK-LABEL: func @nwc_cfw_nwc
// CHECK:         fusion.fused_conv_bias_act groups 2 layouts(nwc, cfw, nwc) ins(
// CHECK-SAME:      %{{.*}}, %{{.*}} : tensor<2x9x4xf32>, tensor<2x6x4xf32>)
// CHECK-SAME:      outs(%{{.*}} : tensor<2x6x6xf32>)
func.func @nwc_cfw_nwc(%x: tensor<2x9x4xf32>, %w: tensor<2x6x4xf32>, %e: tensor<2x6x6xf32>) -> tensor<2x6x6xf32> {
  %r = fusion.fused_conv_bias_act {
         strides = array<i64: 1>, dilations = array<i64: 1>,
         pad_low = array<i64: 0>, pad_high = array<i64: 0>, groups = 2,
         input_layout = "nwc", filter_layout = "cfw", output_layout = "nwc"}
       ins(%x, %w : tensor<2x9x4xf32>, tensor<2x6x4xf32>)
       outs(%e : tensor<2x6x6xf32>) -> tensor<2x6x6xf32>
  return %r : tensor<2x6x6xf32>
}

// CHECK-LABEL: func @nchw_fchw_nchw
// CHECK:         fusion.fused_conv_bias_act groups 2 ins(
// CHECK-SAME:      %{{.*}}, %{{.*}} : tensor<2x4x7x9xf32>, tensor<6x2x3x4xf32>)
// CHECK-SAME:      outs(%{{.*}} : tensor<2x6x5x6xf32>)
func.func @nchw_fchw_nchw(%x: tensor<2x4x7x9xf32>, %w: tensor<6x2x3x4xf32>, %e: tensor<2x6x5x6xf32>) -> tensor<2x6x5x6xf32> {
  %r = fusion.fused_conv_bias_act {
         strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>,
         pad_low = array<i64: 0, 0>, pad_high = array<i64: 0, 0>, groups = 2,
         input_layout = "nchw", filter_layout = "fchw", output_layout = "nchw"}
       ins(%x, %w : tensor<2x4x7x9xf32>, tensor<6x2x3x4xf32>)
       outs(%e : tensor<2x6x5x6xf32>) -> tensor<2x6x5x6xf32>
  return %r : tensor<2x6x5x6xf32>
}

// CHECK-LABEL: func @nchw_fchw_nhwc
// CHECK:         fusion.fused_conv_bias_act groups 2 layouts(nchw, fchw, nhwc) ins(
// CHECK-SAME:      %{{.*}}, %{{.*}} : tensor<2x4x7x9xf32>, tensor<6x2x3x4xf32>)
// CHECK-SAME:      outs(%{{.*}} : tensor<2x5x6x6xf32>)
func.func @nchw_fchw_nhwc(%x: tensor<2x4x7x9xf32>, %w: tensor<6x2x3x4xf32>, %e: tensor<2x5x6x6xf32>) -> tensor<2x5x6x6xf32> {
  %r = fusion.fused_conv_bias_act {
         strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>,
         pad_low = array<i64: 0, 0>, pad_high = array<i64: 0, 0>, groups = 2,
         input_layout = "nchw", filter_layout = "fchw", output_layout = "nhwc"}
       ins(%x, %w : tensor<2x4x7x9xf32>, tensor<6x2x3x4xf32>)
       outs(%e : tensor<2x5x6x6xf32>) -> tensor<2x5x6x6xf32>
  return %r : tensor<2x5x6x6xf32>
}

// CHECK-LABEL: func @nchw_fhwc_nchw
// CHECK:         fusion.fused_conv_bias_act groups 2 layouts(nchw, fhwc, nchw) ins(
// CHECK-SAME:      %{{.*}}, %{{.*}} : tensor<2x4x7x9xf32>, tensor<6x3x4x2xf32>)
// CHECK-SAME:      outs(%{{.*}} : tensor<2x6x5x6xf32>)
func.func @nchw_fhwc_nchw(%x: tensor<2x4x7x9xf32>, %w: tensor<6x3x4x2xf32>, %e: tensor<2x6x5x6xf32>) -> tensor<2x6x5x6xf32> {
  %r = fusion.fused_conv_bias_act {
         strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>,
         pad_low = array<i64: 0, 0>, pad_high = array<i64: 0, 0>, groups = 2,
         input_layout = "nchw", filter_layout = "fhwc", output_layout = "nchw"}
       ins(%x, %w : tensor<2x4x7x9xf32>, tensor<6x3x4x2xf32>)
       outs(%e : tensor<2x6x5x6xf32>) -> tensor<2x6x5x6xf32>
  return %r : tensor<2x6x5x6xf32>
}

// CHECK-LABEL: func @nchw_hwcf_nchw
// CHECK:         fusion.fused_conv_bias_act groups 2 layouts(nchw, hwcf, nchw) ins(
// CHECK-SAME:      %{{.*}}, %{{.*}} : tensor<2x4x7x9xf32>, tensor<3x4x2x6xf32>)
// CHECK-SAME:      outs(%{{.*}} : tensor<2x6x5x6xf32>)
func.func @nchw_hwcf_nchw(%x: tensor<2x4x7x9xf32>, %w: tensor<3x4x2x6xf32>, %e: tensor<2x6x5x6xf32>) -> tensor<2x6x5x6xf32> {
  %r = fusion.fused_conv_bias_act {
         strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>,
         pad_low = array<i64: 0, 0>, pad_high = array<i64: 0, 0>, groups = 2,
         input_layout = "nchw", filter_layout = "hwcf", output_layout = "nchw"}
       ins(%x, %w : tensor<2x4x7x9xf32>, tensor<3x4x2x6xf32>)
       outs(%e : tensor<2x6x5x6xf32>) -> tensor<2x6x5x6xf32>
  return %r : tensor<2x6x5x6xf32>
}

// CHECK-LABEL: func @nchw_hwfc_nchw
// CHECK:         fusion.fused_conv_bias_act groups 2 layouts(nchw, hwfc, nchw) ins(
// CHECK-SAME:      %{{.*}}, %{{.*}} : tensor<2x4x7x9xf32>, tensor<3x4x6x2xf32>)
// CHECK-SAME:      outs(%{{.*}} : tensor<2x6x5x6xf32>)
func.func @nchw_hwfc_nchw(%x: tensor<2x4x7x9xf32>, %w: tensor<3x4x6x2xf32>, %e: tensor<2x6x5x6xf32>) -> tensor<2x6x5x6xf32> {
  %r = fusion.fused_conv_bias_act {
         strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>,
         pad_low = array<i64: 0, 0>, pad_high = array<i64: 0, 0>, groups = 2,
         input_layout = "nchw", filter_layout = "hwfc", output_layout = "nchw"}
       ins(%x, %w : tensor<2x4x7x9xf32>, tensor<3x4x6x2xf32>)
       outs(%e : tensor<2x6x5x6xf32>) -> tensor<2x6x5x6xf32>
  return %r : tensor<2x6x5x6xf32>
}

// CHECK-LABEL: func @nchw_chwf_nchw
// CHECK:         fusion.fused_conv_bias_act groups 2 layouts(nchw, chwf, nchw) ins(
// CHECK-SAME:      %{{.*}}, %{{.*}} : tensor<2x4x7x9xf32>, tensor<2x3x4x6xf32>)
// CHECK-SAME:      outs(%{{.*}} : tensor<2x6x5x6xf32>)
func.func @nchw_chwf_nchw(%x: tensor<2x4x7x9xf32>, %w: tensor<2x3x4x6xf32>, %e: tensor<2x6x5x6xf32>) -> tensor<2x6x5x6xf32> {
  %r = fusion.fused_conv_bias_act {
         strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>,
         pad_low = array<i64: 0, 0>, pad_high = array<i64: 0, 0>, groups = 2,
         input_layout = "nchw", filter_layout = "chwf", output_layout = "nchw"}
       ins(%x, %w : tensor<2x4x7x9xf32>, tensor<2x3x4x6xf32>)
       outs(%e : tensor<2x6x5x6xf32>) -> tensor<2x6x5x6xf32>
  return %r : tensor<2x6x5x6xf32>
}

// CHECK-LABEL: func @nhwc_fchw_nchw
// CHECK:         fusion.fused_conv_bias_act groups 2 layouts(nhwc, fchw, nchw) ins(
// CHECK-SAME:      %{{.*}}, %{{.*}} : tensor<2x7x9x4xf32>, tensor<6x2x3x4xf32>)
// CHECK-SAME:      outs(%{{.*}} : tensor<2x6x5x6xf32>)
func.func @nhwc_fchw_nchw(%x: tensor<2x7x9x4xf32>, %w: tensor<6x2x3x4xf32>, %e: tensor<2x6x5x6xf32>) -> tensor<2x6x5x6xf32> {
  %r = fusion.fused_conv_bias_act {
         strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>,
         pad_low = array<i64: 0, 0>, pad_high = array<i64: 0, 0>, groups = 2,
         input_layout = "nhwc", filter_layout = "fchw", output_layout = "nchw"}
       ins(%x, %w : tensor<2x7x9x4xf32>, tensor<6x2x3x4xf32>)
       outs(%e : tensor<2x6x5x6xf32>) -> tensor<2x6x5x6xf32>
  return %r : tensor<2x6x5x6xf32>
}

// CHECK-LABEL: func @nhwc_fchw_nhwc
// CHECK:         fusion.fused_conv_bias_act groups 2 layouts(nhwc, fchw, nhwc) ins(
// CHECK-SAME:      %{{.*}}, %{{.*}} : tensor<2x7x9x4xf32>, tensor<6x2x3x4xf32>)
// CHECK-SAME:      outs(%{{.*}} : tensor<2x5x6x6xf32>)
func.func @nhwc_fchw_nhwc(%x: tensor<2x7x9x4xf32>, %w: tensor<6x2x3x4xf32>, %e: tensor<2x5x6x6xf32>) -> tensor<2x5x6x6xf32> {
  %r = fusion.fused_conv_bias_act {
         strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>,
         pad_low = array<i64: 0, 0>, pad_high = array<i64: 0, 0>, groups = 2,
         input_layout = "nhwc", filter_layout = "fchw", output_layout = "nhwc"}
       ins(%x, %w : tensor<2x7x9x4xf32>, tensor<6x2x3x4xf32>)
       outs(%e : tensor<2x5x6x6xf32>) -> tensor<2x5x6x6xf32>
  return %r : tensor<2x5x6x6xf32>
}

// CHECK-LABEL: func @nhwc_fhwc_nhwc
// CHECK:         fusion.fused_conv_bias_act groups 2 layouts(nhwc, fhwc, nhwc) ins(
// CHECK-SAME:      %{{.*}}, %{{.*}} : tensor<2x7x9x4xf32>, tensor<6x3x4x2xf32>)
// CHECK-SAME:      outs(%{{.*}} : tensor<2x5x6x6xf32>)
func.func @nhwc_fhwc_nhwc(%x: tensor<2x7x9x4xf32>, %w: tensor<6x3x4x2xf32>, %e: tensor<2x5x6x6xf32>) -> tensor<2x5x6x6xf32> {
  %r = fusion.fused_conv_bias_act {
         strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>,
         pad_low = array<i64: 0, 0>, pad_high = array<i64: 0, 0>, groups = 2,
         input_layout = "nhwc", filter_layout = "fhwc", output_layout = "nhwc"}
       ins(%x, %w : tensor<2x7x9x4xf32>, tensor<6x3x4x2xf32>)
       outs(%e : tensor<2x5x6x6xf32>) -> tensor<2x5x6x6xf32>
  return %r : tensor<2x5x6x6xf32>
}

// CHECK-LABEL: func @nhwc_hwcf_nhwc
// CHECK:         fusion.fused_conv_bias_act groups 2 layouts(nhwc, hwcf, nhwc) ins(
// CHECK-SAME:      %{{.*}}, %{{.*}} : tensor<2x7x9x4xf32>, tensor<3x4x2x6xf32>)
// CHECK-SAME:      outs(%{{.*}} : tensor<2x5x6x6xf32>)
func.func @nhwc_hwcf_nhwc(%x: tensor<2x7x9x4xf32>, %w: tensor<3x4x2x6xf32>, %e: tensor<2x5x6x6xf32>) -> tensor<2x5x6x6xf32> {
  %r = fusion.fused_conv_bias_act {
         strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>,
         pad_low = array<i64: 0, 0>, pad_high = array<i64: 0, 0>, groups = 2,
         input_layout = "nhwc", filter_layout = "hwcf", output_layout = "nhwc"}
       ins(%x, %w : tensor<2x7x9x4xf32>, tensor<3x4x2x6xf32>)
       outs(%e : tensor<2x5x6x6xf32>) -> tensor<2x5x6x6xf32>
  return %r : tensor<2x5x6x6xf32>
}

// CHECK-LABEL: func @nhwc_hwfc_nhwc
// CHECK:         fusion.fused_conv_bias_act groups 2 layouts(nhwc, hwfc, nhwc) ins(
// CHECK-SAME:      %{{.*}}, %{{.*}} : tensor<2x7x9x4xf32>, tensor<3x4x6x2xf32>)
// CHECK-SAME:      outs(%{{.*}} : tensor<2x5x6x6xf32>)
func.func @nhwc_hwfc_nhwc(%x: tensor<2x7x9x4xf32>, %w: tensor<3x4x6x2xf32>, %e: tensor<2x5x6x6xf32>) -> tensor<2x5x6x6xf32> {
  %r = fusion.fused_conv_bias_act {
         strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>,
         pad_low = array<i64: 0, 0>, pad_high = array<i64: 0, 0>, groups = 2,
         input_layout = "nhwc", filter_layout = "hwfc", output_layout = "nhwc"}
       ins(%x, %w : tensor<2x7x9x4xf32>, tensor<3x4x6x2xf32>)
       outs(%e : tensor<2x5x6x6xf32>) -> tensor<2x5x6x6xf32>
  return %r : tensor<2x5x6x6xf32>
}

// CHECK-LABEL: func @nhwc_chwf_nhwc
// CHECK:         fusion.fused_conv_bias_act groups 2 layouts(nhwc, chwf, nhwc) ins(
// CHECK-SAME:      %{{.*}}, %{{.*}} : tensor<2x7x9x4xf32>, tensor<2x3x4x6xf32>)
// CHECK-SAME:      outs(%{{.*}} : tensor<2x5x6x6xf32>)
func.func @nhwc_chwf_nhwc(%x: tensor<2x7x9x4xf32>, %w: tensor<2x3x4x6xf32>, %e: tensor<2x5x6x6xf32>) -> tensor<2x5x6x6xf32> {
  %r = fusion.fused_conv_bias_act {
         strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>,
         pad_low = array<i64: 0, 0>, pad_high = array<i64: 0, 0>, groups = 2,
         input_layout = "nhwc", filter_layout = "chwf", output_layout = "nhwc"}
       ins(%x, %w : tensor<2x7x9x4xf32>, tensor<2x3x4x6xf32>)
       outs(%e : tensor<2x5x6x6xf32>) -> tensor<2x5x6x6xf32>
  return %r : tensor<2x5x6x6xf32>
}

// CHECK-LABEL: func @ncdhw_fcdhw_ncdhw
// CHECK:         fusion.fused_conv_bias_act groups 2 ins(
// CHECK-SAME:      %{{.*}}, %{{.*}} : tensor<2x4x5x7x9xf32>, tensor<6x2x2x3x4xf32>)
// CHECK-SAME:      outs(%{{.*}} : tensor<2x6x4x5x6xf32>)
func.func @ncdhw_fcdhw_ncdhw(%x: tensor<2x4x5x7x9xf32>, %w: tensor<6x2x2x3x4xf32>, %e: tensor<2x6x4x5x6xf32>) -> tensor<2x6x4x5x6xf32> {
  %r = fusion.fused_conv_bias_act {
         strides = array<i64: 1, 1, 1>, dilations = array<i64: 1, 1, 1>,
         pad_low = array<i64: 0, 0, 0>, pad_high = array<i64: 0, 0, 0>, groups = 2,
         input_layout = "ncdhw", filter_layout = "fcdhw", output_layout = "ncdhw"}
       ins(%x, %w : tensor<2x4x5x7x9xf32>, tensor<6x2x2x3x4xf32>)
       outs(%e : tensor<2x6x4x5x6xf32>) -> tensor<2x6x4x5x6xf32>
  return %r : tensor<2x6x4x5x6xf32>
}

// CHECK-LABEL: func @ncdhw_fcdhw_ndhwc
// CHECK:         fusion.fused_conv_bias_act groups 2 layouts(ncdhw, fcdhw, ndhwc) ins(
// CHECK-SAME:      %{{.*}}, %{{.*}} : tensor<2x4x5x7x9xf32>, tensor<6x2x2x3x4xf32>)
// CHECK-SAME:      outs(%{{.*}} : tensor<2x4x5x6x6xf32>)
func.func @ncdhw_fcdhw_ndhwc(%x: tensor<2x4x5x7x9xf32>, %w: tensor<6x2x2x3x4xf32>, %e: tensor<2x4x5x6x6xf32>) -> tensor<2x4x5x6x6xf32> {
  %r = fusion.fused_conv_bias_act {
         strides = array<i64: 1, 1, 1>, dilations = array<i64: 1, 1, 1>,
         pad_low = array<i64: 0, 0, 0>, pad_high = array<i64: 0, 0, 0>, groups = 2,
         input_layout = "ncdhw", filter_layout = "fcdhw", output_layout = "ndhwc"}
       ins(%x, %w : tensor<2x4x5x7x9xf32>, tensor<6x2x2x3x4xf32>)
       outs(%e : tensor<2x4x5x6x6xf32>) -> tensor<2x4x5x6x6xf32>
  return %r : tensor<2x4x5x6x6xf32>
}

// CHECK-LABEL: func @ncdhw_fdhwc_ncdhw
// CHECK:         fusion.fused_conv_bias_act groups 2 layouts(ncdhw, fdhwc, ncdhw) ins(
// CHECK-SAME:      %{{.*}}, %{{.*}} : tensor<2x4x5x7x9xf32>, tensor<6x2x3x4x2xf32>)
// CHECK-SAME:      outs(%{{.*}} : tensor<2x6x4x5x6xf32>)
func.func @ncdhw_fdhwc_ncdhw(%x: tensor<2x4x5x7x9xf32>, %w: tensor<6x2x3x4x2xf32>, %e: tensor<2x6x4x5x6xf32>) -> tensor<2x6x4x5x6xf32> {
  %r = fusion.fused_conv_bias_act {
         strides = array<i64: 1, 1, 1>, dilations = array<i64: 1, 1, 1>,
         pad_low = array<i64: 0, 0, 0>, pad_high = array<i64: 0, 0, 0>, groups = 2,
         input_layout = "ncdhw", filter_layout = "fdhwc", output_layout = "ncdhw"}
       ins(%x, %w : tensor<2x4x5x7x9xf32>, tensor<6x2x3x4x2xf32>)
       outs(%e : tensor<2x6x4x5x6xf32>) -> tensor<2x6x4x5x6xf32>
  return %r : tensor<2x6x4x5x6xf32>
}

// CHECK-LABEL: func @ncdhw_dhwcf_ncdhw
// CHECK:         fusion.fused_conv_bias_act groups 2 layouts(ncdhw, dhwcf, ncdhw) ins(
// CHECK-SAME:      %{{.*}}, %{{.*}} : tensor<2x4x5x7x9xf32>, tensor<2x3x4x2x6xf32>)
// CHECK-SAME:      outs(%{{.*}} : tensor<2x6x4x5x6xf32>)
func.func @ncdhw_dhwcf_ncdhw(%x: tensor<2x4x5x7x9xf32>, %w: tensor<2x3x4x2x6xf32>, %e: tensor<2x6x4x5x6xf32>) -> tensor<2x6x4x5x6xf32> {
  %r = fusion.fused_conv_bias_act {
         strides = array<i64: 1, 1, 1>, dilations = array<i64: 1, 1, 1>,
         pad_low = array<i64: 0, 0, 0>, pad_high = array<i64: 0, 0, 0>, groups = 2,
         input_layout = "ncdhw", filter_layout = "dhwcf", output_layout = "ncdhw"}
       ins(%x, %w : tensor<2x4x5x7x9xf32>, tensor<2x3x4x2x6xf32>)
       outs(%e : tensor<2x6x4x5x6xf32>) -> tensor<2x6x4x5x6xf32>
  return %r : tensor<2x6x4x5x6xf32>
}

// CHECK-LABEL: func @ncdhw_cdhwf_ncdhw
// CHECK:         fusion.fused_conv_bias_act groups 2 layouts(ncdhw, cdhwf, ncdhw) ins(
// CHECK-SAME:      %{{.*}}, %{{.*}} : tensor<2x4x5x7x9xf32>, tensor<2x2x3x4x6xf32>)
// CHECK-SAME:      outs(%{{.*}} : tensor<2x6x4x5x6xf32>)
func.func @ncdhw_cdhwf_ncdhw(%x: tensor<2x4x5x7x9xf32>, %w: tensor<2x2x3x4x6xf32>, %e: tensor<2x6x4x5x6xf32>) -> tensor<2x6x4x5x6xf32> {
  %r = fusion.fused_conv_bias_act {
         strides = array<i64: 1, 1, 1>, dilations = array<i64: 1, 1, 1>,
         pad_low = array<i64: 0, 0, 0>, pad_high = array<i64: 0, 0, 0>, groups = 2,
         input_layout = "ncdhw", filter_layout = "cdhwf", output_layout = "ncdhw"}
       ins(%x, %w : tensor<2x4x5x7x9xf32>, tensor<2x2x3x4x6xf32>)
       outs(%e : tensor<2x6x4x5x6xf32>) -> tensor<2x6x4x5x6xf32>
  return %r : tensor<2x6x4x5x6xf32>
}

// CHECK-LABEL: func @ndhwc_fcdhw_ncdhw
// CHECK:         fusion.fused_conv_bias_act groups 2 layouts(ndhwc, fcdhw, ncdhw) ins(
// CHECK-SAME:      %{{.*}}, %{{.*}} : tensor<2x5x7x9x4xf32>, tensor<6x2x2x3x4xf32>)
// CHECK-SAME:      outs(%{{.*}} : tensor<2x6x4x5x6xf32>)
func.func @ndhwc_fcdhw_ncdhw(%x: tensor<2x5x7x9x4xf32>, %w: tensor<6x2x2x3x4xf32>, %e: tensor<2x6x4x5x6xf32>) -> tensor<2x6x4x5x6xf32> {
  %r = fusion.fused_conv_bias_act {
         strides = array<i64: 1, 1, 1>, dilations = array<i64: 1, 1, 1>,
         pad_low = array<i64: 0, 0, 0>, pad_high = array<i64: 0, 0, 0>, groups = 2,
         input_layout = "ndhwc", filter_layout = "fcdhw", output_layout = "ncdhw"}
       ins(%x, %w : tensor<2x5x7x9x4xf32>, tensor<6x2x2x3x4xf32>)
       outs(%e : tensor<2x6x4x5x6xf32>) -> tensor<2x6x4x5x6xf32>
  return %r : tensor<2x6x4x5x6xf32>
}

// CHECK-LABEL: func @ndhwc_fcdhw_ndhwc
// CHECK:         fusion.fused_conv_bias_act groups 2 layouts(ndhwc, fcdhw, ndhwc) ins(
// CHECK-SAME:      %{{.*}}, %{{.*}} : tensor<2x5x7x9x4xf32>, tensor<6x2x2x3x4xf32>)
// CHECK-SAME:      outs(%{{.*}} : tensor<2x4x5x6x6xf32>)
func.func @ndhwc_fcdhw_ndhwc(%x: tensor<2x5x7x9x4xf32>, %w: tensor<6x2x2x3x4xf32>, %e: tensor<2x4x5x6x6xf32>) -> tensor<2x4x5x6x6xf32> {
  %r = fusion.fused_conv_bias_act {
         strides = array<i64: 1, 1, 1>, dilations = array<i64: 1, 1, 1>,
         pad_low = array<i64: 0, 0, 0>, pad_high = array<i64: 0, 0, 0>, groups = 2,
         input_layout = "ndhwc", filter_layout = "fcdhw", output_layout = "ndhwc"}
       ins(%x, %w : tensor<2x5x7x9x4xf32>, tensor<6x2x2x3x4xf32>)
       outs(%e : tensor<2x4x5x6x6xf32>) -> tensor<2x4x5x6x6xf32>
  return %r : tensor<2x4x5x6x6xf32>
}

// CHECK-LABEL: func @ndhwc_fdhwc_ndhwc
// CHECK:         fusion.fused_conv_bias_act groups 2 layouts(ndhwc, fdhwc, ndhwc) ins(
// CHECK-SAME:      %{{.*}}, %{{.*}} : tensor<2x5x7x9x4xf32>, tensor<6x2x3x4x2xf32>)
// CHECK-SAME:      outs(%{{.*}} : tensor<2x4x5x6x6xf32>)
func.func @ndhwc_fdhwc_ndhwc(%x: tensor<2x5x7x9x4xf32>, %w: tensor<6x2x3x4x2xf32>, %e: tensor<2x4x5x6x6xf32>) -> tensor<2x4x5x6x6xf32> {
  %r = fusion.fused_conv_bias_act {
         strides = array<i64: 1, 1, 1>, dilations = array<i64: 1, 1, 1>,
         pad_low = array<i64: 0, 0, 0>, pad_high = array<i64: 0, 0, 0>, groups = 2,
         input_layout = "ndhwc", filter_layout = "fdhwc", output_layout = "ndhwc"}
       ins(%x, %w : tensor<2x5x7x9x4xf32>, tensor<6x2x3x4x2xf32>)
       outs(%e : tensor<2x4x5x6x6xf32>) -> tensor<2x4x5x6x6xf32>
  return %r : tensor<2x4x5x6x6xf32>
}

// CHECK-LABEL: func @ndhwc_dhwcf_ndhwc
// CHECK:         fusion.fused_conv_bias_act groups 2 layouts(ndhwc, dhwcf, ndhwc) ins(
// CHECK-SAME:      %{{.*}}, %{{.*}} : tensor<2x5x7x9x4xf32>, tensor<2x3x4x2x6xf32>)
// CHECK-SAME:      outs(%{{.*}} : tensor<2x4x5x6x6xf32>)
func.func @ndhwc_dhwcf_ndhwc(%x: tensor<2x5x7x9x4xf32>, %w: tensor<2x3x4x2x6xf32>, %e: tensor<2x4x5x6x6xf32>) -> tensor<2x4x5x6x6xf32> {
  %r = fusion.fused_conv_bias_act {
         strides = array<i64: 1, 1, 1>, dilations = array<i64: 1, 1, 1>,
         pad_low = array<i64: 0, 0, 0>, pad_high = array<i64: 0, 0, 0>, groups = 2,
         input_layout = "ndhwc", filter_layout = "dhwcf", output_layout = "ndhwc"}
       ins(%x, %w : tensor<2x5x7x9x4xf32>, tensor<2x3x4x2x6xf32>)
       outs(%e : tensor<2x4x5x6x6xf32>) -> tensor<2x4x5x6x6xf32>
  return %r : tensor<2x4x5x6x6xf32>
}

// CHECK-LABEL: func @ndhwc_cdhwf_ndhwc
// CHECK:         fusion.fused_conv_bias_act groups 2 layouts(ndhwc, cdhwf, ndhwc) ins(
// CHECK-SAME:      %{{.*}}, %{{.*}} : tensor<2x5x7x9x4xf32>, tensor<2x2x3x4x6xf32>)
// CHECK-SAME:      outs(%{{.*}} : tensor<2x4x5x6x6xf32>)
func.func @ndhwc_cdhwf_ndhwc(%x: tensor<2x5x7x9x4xf32>, %w: tensor<2x2x3x4x6xf32>, %e: tensor<2x4x5x6x6xf32>) -> tensor<2x4x5x6x6xf32> {
  %r = fusion.fused_conv_bias_act {
         strides = array<i64: 1, 1, 1>, dilations = array<i64: 1, 1, 1>,
         pad_low = array<i64: 0, 0, 0>, pad_high = array<i64: 0, 0, 0>, groups = 2,
         input_layout = "ndhwc", filter_layout = "cdhwf", output_layout = "ndhwc"}
       ins(%x, %w : tensor<2x5x7x9x4xf32>, tensor<2x2x3x4x6xf32>)
       outs(%e : tensor<2x4x5x6x6xf32>) -> tensor<2x4x5x6x6xf32>
  return %r : tensor<2x4x5x6x6xf32>
}
