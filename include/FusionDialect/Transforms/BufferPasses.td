//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// The passes that fusion-compile runs behind bufferization. Passes.td includes them.

#ifndef FUSION_TRANSFORMS_BUFFERPASSES_TD
#define FUSION_TRANSFORMS_BUFFERPASSES_TD

include "mlir/Pass/PassBase.td"

def FusionFreeBuffers : Pass<"fusion-free-buffers"> {
  let summary = "free buffers behind their last use";
  let description = [{
    Runs in front of `buffer-deallocation-pipeline` and behind it. A buffer that does not
    leave its block, through a terminator or as the result of an op that is no view, is
    freed behind its last use, and marked as not to be freed by upstream's passes, whose
    time is quadratic in the number of buffers. Where an op frees a buffer already, in the
    block that allocates it, that op moves up behind the last use.

    ```mlir
    %a = memref.alloc() : memref<4x5xf32>
    "use"(%a) : (memref<4x5xf32>) -> ()
    "other"() : () -> ()
    ```
    becomes
    ```mlir
    %a = memref.alloc() {bufferization.manual_deallocation} : memref<4x5xf32>
    "use"(%a) : (memref<4x5xf32>) -> ()
    memref.dealloc %a {bufferization.manual_deallocation} : memref<4x5xf32>
    "other"() : () -> ()
    ```
  }];
  let dependentDialects = ["::mlir::bufferization::BufferizationDialect",
    "::mlir::memref::MemRefDialect"];
}

def FusionPlanMemory : Pass<"fusion-plan-memory"> {
  let summary = "give the buffers of a call places in one arena";
  let description = [{
    Runs behind the placement of deallocations. Buffers that are allocated and freed in
    the entry block of a function, or in an iteration of an `scf.for`, get places in one
    arena, which the runtime keeps for each thread from call to call, so that calls
    neither allocate nor touch fresh pages.
    Buffers share memory if none is used between the first and the last use of another.
    The largest get places first, each at the lowest offset that is free for its
    lifetime ("greedy by size", Pisarchyk and Lee, 2020), aligned to 64 bytes. Buffers
    with one dynamic size, a batch, have a part of the arena for themselves. Those that
    a function returns, or with several dynamic sizes, stay as they are. A buffer of more
    than 2^47 bytes, which no process can address, is an error.

    ```mlir
    %a = memref.alloc() {alignment = 64 : i64} : memref<1x56x56x64xf32>
    "use"(%a) : (memref<1x56x56x64xf32>) -> ()
    memref.dealloc %a : memref<1x56x56x64xf32>
    ```
    becomes
    ```mlir
    %arena = fusion.rt.arena_begin : memref<802816xi8>
    %c0 = arith.constant 0 : index
    %a = memref.view %arena[%c0][] : memref<802816xi8> to memref<1x56x56x64xf32>
    "use"(%a) : (memref<1x56x56x64xf32>) -> ()
    fusion.rt.arena_end %arena : memref<802816xi8>
    ```
  }];
  let dependentDialects = ["::fusion::FusionDialect", "::mlir::arith::ArithDialect",
    "::mlir::memref::MemRefDialect"];
}

def FusionLowerToLoops : Pass<"fusion-lower-to-loops"> {
  let summary = "turn linalg and copies on memrefs into parallel loops";
  let description = [{
    Works as `convert-linalg-to-parallel-loops`, for loops that are run without further
    transformations:

    - dimensions that are contiguous in all operands become one;
    - copies become loops too, contiguous or not;
    - the accumulator of a reduction stays in a register, and a sum may be added up in
      any order, so that the compiler can use vectors;
    - where the elements of a parallel loop lie side by side, such as channels, and those
      of a reduction do not, such as pixels, that loop becomes the innermost one, if the
      reduction has more iterations than the compiler unrolls;
    - such a loop of known size, of up to 256 bytes, becomes ops on vectors, so that the
      accumulators stay in registers. Of fewer than 8 elements it does if the reduction has
      at most 32 iterations, and it does if its ops are loads, stores and those of arith;
    - a dimension of which an operand has one element, such as one that a front end keeps
      behind a reduction, is dropped from the operand, so that all of the above holds for
      the others;
    - where two iterations of parallel dimensions write to one element, the loops are
      not parallel;
    - a transpose of the innermost dimension moves blocks of 16x16 elements, or 8x8 of 64
      bits, in registers; where a size is not a multiple of that, the last two blocks
      overlap. Both dimensions have known sizes, of a block at least, and elements side by
      side, of whole bytes.

    A `memref.expand_shape` that makes several dynamic sizes of one, which upstream cannot
    lower, becomes a `memref.reinterpret_cast`.

    A `linalg.reduce { arith.addf }` of memref<12x128x64xf32> by its last dimension becomes
    ```mlir
    %a = memref.collapse_shape %x [[0, 1], [2]] : ... into memref<1536x64xf32>
    scf.parallel (%i) = (%c0) to (%c1536) step (%c1) {
      %0 = memref.load %b[%i] : memref<1536xf32>
      %1 = scf.for %j = %c0 to %c64 step %c1 iter_args(%sum = %0) -> (f32) {
        %2 = memref.load %a[%i, %j] : memref<1536x64xf32>
        %3 = arith.addf %2, %sum fastmath<reassoc> : f32
        scf.yield %3 : f32
      }
      memref.store %1, %b[%i] : memref<1536xf32>
    ```
  }];
  let dependentDialects = ["::mlir::affine::AffineDialect",
    "::mlir::linalg::LinalgDialect", "::mlir::memref::MemRefDialect",
    "::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect",
    "::mlir::vector::VectorDialect"];
}

def FusionApproximateMath : Pass<"fusion-approximate-math"> {
  let summary = "write functions of the math library as polynomials";
  let description = [{
    Replaces exp, expm1, erf, log1p and tanh of scalars and vectors, in f32, and erf in
    f16, by upstream's polynomials, which LLVM can vectorise and which are within 5 units
    in the last place. Powers of scalars with 1, 2, 3 or -1 as exponent become products.
    Other functions, types and tensors stay as they are.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::math::MathDialect",
    "::mlir::vector::VectorDialect"];
}

def FusionHoistLoads : Pass<"fusion-hoist-loads"> {
  let summary = "load once what all iterations of an innermost loop read";
  let description = [{
    Splits the last dimension off an innermost `scf.parallel` whose body loads elements
    that do not depend on it, such as the maximum of a row or an entry of a table, and
    loads them in front of it. LLVM would load them in each iteration, and find no
    vectors, where it cannot tell that the loop does not write them: several buffers
    are parts of one arena.

    The iterations of a parallel loop may run in any order, so that none may write what
    another one reads. A load stays where it is behind a write of its own iteration, and
    if the loop writes to the same memref. Where the number of iterations is not known,
    nothing is loaded if there are none.

    ```mlir
    scf.parallel (%i, %j) = (%c0, %c0) to (%c1536, %c128) step (%c1, %c1) {
      %a = memref.load %x[%i, %j] : memref<1536x128xf32>
      %b = memref.load %m[%i] : memref<1536xf32>
      %c = arith.subf %a, %b : f32
      memref.store %c, %y[%i, %j] : memref<1536x128xf32>
    }
    ```
    becomes
    ```mlir
    scf.parallel (%i) = (%c0) to (%c1536) step (%c1) {
      %b = memref.load %m[%i] : memref<1536xf32>
      scf.parallel (%j) = (%c0) to (%c128) step (%c1) {
        %a = memref.load %x[%i, %j] : memref<1536x128xf32>
        %c = arith.subf %a, %b : f32
        memref.store %c, %y[%i, %j] : memref<1536x128xf32>
      }
    }
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect"];
}

def FusionParallelizeLoops : Pass<"fusion-parallelize-loops", "::mlir::ModuleOp"> {
  let summary = "share the iterations of parallel loops between threads";
  let description = [{
    Moves the body of each outermost `scf.parallel` to a function of its own, which
    `fusion.rt.parallel_for` calls over ranges of iterations, on the threads that the
    kernels of the runtime use. The outer dimensions of a loop are shared, as many as
    give 64 iterations; the innermost only if it is alone, or has a parallel loop inside.

    A thread gets no less than `min-work`. The work is the number of arithmetic
    operations in the body and the loops inside; a load or store of an element counts as 16, a
    division or root as 50, a function of the math library and a division of integers as
    1000. It is counted at run time where sizes are
    dynamic. A loop that is known to be too small for two threads stays as it is, and so
    do reductions, whose order would change, and loops around kernels and calls, which
    have threads of their own.

    ```mlir
    scf.parallel (%i, %j) = (%c0, %c0) to (%c3136, %c64) step (%c1, %c1) {
      "use"(%x, %i, %j) : (memref<3136x64xf32>, index, index) -> ()
    }
    ```
    becomes
    ```mlir
    fusion.rt.parallel_for @main_loop_0 for %c3136 grain %grain (%x) : memref<3136x64xf32>
    func.func private @main_loop_0(%begin: index, %end: index, %x: memref<3136x64xf32>) {
      scf.for %i = %begin to %end step %c1 {
        scf.for %j = %c0 to %c64 step %c1 { "use"(%x, %i, %j) }
    ```
  }];
  let options = [
    Option<"minWork", "min-work", "int64_t", "16777216",
           "Arithmetic operations that are worth the start of a thread">,
  ];
  let dependentDialects = ["::fusion::FusionDialect", "::mlir::arith::ArithDialect",
    "::mlir::func::FuncDialect", "::mlir::LLVM::LLVMDialect", "::mlir::scf::SCFDialect"];
}

def FusionConvertToBlocks : Pass<"fusion-convert-to-blocks"> {
  let summary = "convert scf to cf, the last loop of a block first";
  let description = [{
    Applies the patterns of upstream's `convert-scf-to-cf`. Each pattern splits the block
    behind its loop and moves all later ops to a new one. The upstream pass begins with the
    first loop, so that its time grows with the square of the number of loops in a block;
    this one begins with the last. It fails on an op that the patterns leave.

    ```mlir
    scf.for %i = %c0 to %c8 step %c1 { "use"(%i) : (index) -> () }
    ```
    becomes
    ```mlir
      cf.br ^bb1(%c0 : index)
    ^bb1(%i: index):
      %0 = arith.cmpi slt, %i, %c8 : index
      cf.cond_br %0, ^bb2, ^bb3
    ^bb2:
      "use"(%i) : (index) -> ()
      %1 = arith.addi %i, %c1 : index
      cf.br ^bb1(%1 : index)
    ^bb3:
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
    "::mlir::cf::ControlFlowDialect", "::mlir::LLVM::LLVMDialect"];
}

def FusionKeepRounding : Pass<"fusion-keep-rounding"> {
  let summary = "keep conversions of floating-point numbers from being folded away";
  let description = [{
    Takes the flag `contract` from `arith.extf` and `arith.truncf`. Upstream's emulation of
    narrow types sets it, and with it a rounding between two ops is folded away:
    `extf(truncf(x))` becomes `x`. `fusion-compile` runs the pass if
    `allow-contract-rounding` is false.

    ```mlir
    %n = arith.truncf %x fastmath<contract> : f32 to bf16
    %w = arith.extf %n fastmath<contract> : bf16 to f32
    ```
    becomes
    ```mlir
    %n = arith.truncf %x : f32 to bf16
    %w = arith.extf %n : bf16 to f32
    ```
  }];
}

def FusionExpandArithmetic : Pass<"fusion-expand-arithmetic"> {
  let summary = "write arithmetic in ops that LLVM makes vectors of";
  let description = [{
    Expands `ceildivsi`, `ceildivui`, `floordivsi`, and `extf` and `truncf` between bf16
    and f32, of numbers and vectors, as `arith-expand` does. It leaves maxima alone:
    `arith-expand` writes maxima and minima as comparisons and selections, in which LLVM
    finds no reduction.

    ```mlir
    %q = arith.ceildivsi %a, %b : index
    ```
    becomes an `arith.divsi` and ops that correct it by the signs and the remainder.

    Sums in i64 of integers of at most 16 bits and constants become sums in i32 where
    they are converted to floats, which is exact: a vector has twice as many of these.

    ```mlir
    %w = arith.extui %q : i8 to i64
    %d = arith.subi %w, %c121 : i64
    %f = arith.sitofp %d : i64 to f32
    ```
    becomes `%f = arith.sitofp %e : i32 to f32`, with `%e` the difference in i32.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

#endif // FUSION_TRANSFORMS_BUFFERPASSES_TD
