// RUN: fusion-opt %s --fusion-keep-rounding | FileCheck %s
// RUN: fusion-opt %s --fusion-keep-rounding --canonicalize | FileCheck %s --check-prefix=FOLDED

// Conversions lose the flag `contract`, and no other; other ops keep it.
// CHECK-LABEL: func.func @flags(
// CHECK:         %[[N:.*]] = arith.truncf %{{.*}} : f32 to bf16
// CHECK:         %[[W:.*]] = arith.extf %[[N]] fastmath<nnan> : bf16 to f32
// CHECK:         arith.mulf %[[W]], %[[W]] fastmath<contract> : f32
// FOLDED-LABEL: func.func @flags(
// FOLDED:         arith.truncf
// FOLDED:         arith.extf
func.func @flags(%x: f32) -> f32 {
  %n = arith.truncf %x fastmath<contract> : f32 to bf16
  %w = arith.extf %n fastmath<nnan,contract> : bf16 to f32
  %m = arith.mulf %w, %w fastmath<contract> : f32
  return %m : f32
}

// `fusion-compile` runs it behind each pass that sets the flag, where asked for.
// RUN: fusion-opt --fusion-compile=allow-contract-rounding=false --dump-pass-pipeline %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=PIPELINE
// PIPELINE:      math-extend-to-supported-types
// PIPELINE-NEXT: fusion-keep-rounding
// PIPELINE:      math-extend-to-supported-types
// PIPELINE-NEXT: arith-emulate-unsupported-floats
// PIPELINE-NEXT: fusion-keep-rounding
// RUN: fusion-opt --fusion-compile --dump-pass-pipeline %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=DEFAULT
// DEFAULT-NOT: fusion-keep-rounding
