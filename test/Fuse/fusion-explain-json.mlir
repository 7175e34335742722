// RUN: fusion-opt %s --fusion-optimize=propagate-layout=false --fusion-explain=format=json -o /dev/null 2>&1 | FileCheck %s
// RUN: fusion-opt %s --fusion-optimize=propagate-layout=false --fusion-explain="format=json output=%t.json" -o /dev/null
// RUN: %python -c "import json, sys; r = json.load(open(sys.argv[1])); print(len(r)); [print(e['status'], *e['folded'], e['op'], sorted(e)) for e in r]" %t.json | FileCheck %s --check-prefix=PARSED
// RUN: echo "module {}" | fusion-opt --fusion-explain=format=json -o /dev/null 2>&1 | %python -c "import json, sys; assert json.load(sys.stdin) == []"

// The report for machines: an array with an object for each convolution.

// CHECK:      [
// CHECK-NEXT:   {
// CHECK-NEXT:     "location": "{{.*}}fusion-explain-json.mlir:[[#@LINE+36]]:8",
// CHECK-NEXT:     "op": "fusion.fused_conv_bias_act",
// CHECK-NEXT:     "status": "fused",
// CHECK-NEXT:     "folded": [
// CHECK-NEXT:       "bias",
// CHECK-NEXT:       "relu"
// CHECK-NEXT:     ],
// CHECK-NEXT:     "reason": ""
// CHECK-NEXT:   },
// CHECK-NEXT:   {
// CHECK-NEXT:     "location": "{{.*}}fusion-explain-json.mlir:[[#@LINE+28]]:8",
// CHECK-NEXT:     "op": "linalg.conv_1d_ncw_fcw",
// CHECK-NEXT:     "status": "not fused",
// CHECK-NEXT:     "folded": [],
// CHECK-NEXT:     "reason": "accumulates into 'tensor.empty', whose contents are undefined; fill it with zero first"
// CHECK-NEXT:   },
// CHECK-NEXT:   {
// CHECK-NEXT:     "location": "a \"quoted\\name:3:4",
// CHECK-NEXT:     "op": "fusion.fused_conv_bias_act",
// CHECK-NEXT:     "status": "partly fused",
// CHECK-NEXT:     "folded": [
// CHECK-NEXT:       "bias"
// CHECK-NEXT:     ],
// CHECK-NEXT:     "reason": "result has 2 users: {{.*}}"
// CHECK-NEXT:   }
// CHECK-NEXT: ]

// PARSED:      {{^}}3{{$}}
// PARSED-NEXT: fused bias relu fusion.fused_conv_bias_act ['folded', 'location', 'op', 'reason', 'status']
// PARSED-NEXT: not fused linalg.conv_1d_ncw_fcw ['folded', 'location', 'op', 'reason', 'status']
// PARSED-NEXT: partly fused bias fusion.fused_conv_bias_act ['folded', 'location', 'op', 'reason', 'status']

func.func @f(%x: tensor<1x3x9xf32>, %w: tensor<5x3x2xf32>, %b: tensor<5xf32>) -> (tensor<1x5x8xf32>, tensor<1x5x8xf32>, tensor<1x5x8xf32>, tensor<1x5x8xf32>) {
  %z = arith.constant dense<0.0> : tensor<1x5x8xf32>
  %e = tensor.empty() : tensor<1x5x8xf32>
  %v = linalg.broadcast ins(%b : tensor<5xf32>) outs(%e : tensor<1x5x8xf32>) dimensions = [0, 2]
  %c = linalg.conv_1d_ncw_fcw ins(%x, %w : tensor<1x3x9xf32>, tensor<5x3x2xf32>) outs(%v : tensor<1x5x8xf32>) -> tensor<1x5x8xf32>
  %r = linalg.max ins(%c, %z : tensor<1x5x8xf32>, tensor<1x5x8xf32>) outs(%e : tensor<1x5x8xf32>) -> tensor<1x5x8xf32>
  %d = linalg.conv_1d_ncw_fcw ins(%x, %w : tensor<1x3x9xf32>, tensor<5x3x2xf32>) outs(%e : tensor<1x5x8xf32>) -> tensor<1x5x8xf32>
  %g = linalg.conv_1d_ncw_fcw {strides = dense<1> : tensor<1xi64>} ins(%x, %w : tensor<1x3x9xf32>, tensor<5x3x2xf32>) outs(%v : tensor<1x5x8xf32>) -> tensor<1x5x8xf32> loc("a \"quoted\\name":3:4)
  %t = linalg.tanh ins(%g : tensor<1x5x8xf32>) outs(%e : tensor<1x5x8xf32>) -> tensor<1x5x8xf32>
  return %r, %d, %g, %t : tensor<1x5x8xf32>, tensor<1x5x8xf32>, tensor<1x5x8xf32>, tensor<1x5x8xf32>
}
