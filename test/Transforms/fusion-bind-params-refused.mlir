// RUN: rm -rf %t && mkdir %t
// RUN: %npy write %t/f32.npy '<f4' 2x3 'i'
// RUN: %npy write %t/f64.npy '<f8' 2x3 'i'
// RUN: %npy write %t/i32.npy '<i4' 2x3 'i'
// RUN: %npy write %t/f32-32.npy '<f4' 3x2 'i'
// RUN: %npy write %t/three.npy '<i8' 3 'i'
// RUN: %python -c "import sys; d = open(sys.argv[1], 'rb').read(); open(sys.argv[2], 'wb').write(d[:-1])" %t/f32.npy %t/cut.npy
// RUN: echo "not an array" > %t/text.npy

// Each error names the argument, what was expected, and what there is.

// The text of the option.
// RUN: not fusion-opt %s --fusion-bind-params="bind=w" 2>&1 | FileCheck %s --check-prefix=TEXT
// TEXT: error: option 'bind': expected NAME_OR_INDEX=FILE.npy, got 'w'{{$}}
// RUN: not fusion-opt %s --fusion-bind-params="bind==%t/f32.npy" 2>&1 | FileCheck %s --check-prefix=NO-NAME
// NO-NAME: error: option 'bind': expected NAME_OR_INDEX=FILE.npy, got '={{.*}}f32.npy'
// RUN: not fusion-opt %s --fusion-bind-params="bind=x=%t/f32.npy,w=" 2>&1 | FileCheck %s --check-prefix=NO-FILE
// NO-FILE: error: option 'bind': expected NAME_OR_INDEX=FILE.npy, got 'w='

// TVM 51, 52: no such function, name or index.
// RUN: not fusion-opt %s --fusion-bind-params="function=forward bind=w=%t/f32.npy" 2>&1 | FileCheck %s --check-prefix=FUNCTION
// FUNCTION: error: there is no function 'forward' whose arguments to bind, there are: 'main', 'twins', 'none', 'declared', 'called',
// RUN: not fusion-opt %s --fusion-bind-params="bind=v=%t/f32.npy" 2>&1 | FileCheck %s --check-prefix=NAME
// NAME: fusion-bind-params-refused.mlir:{{.*}}:1: error: 'main' has no argument named 'v': it has argument 0 ('x'), argument 1 ('w'), argument 2{{$}}
// RUN: not fusion-opt %s --fusion-bind-params="bind=3=%t/f32.npy" 2>&1 | FileCheck %s --check-prefix=INDEX
// INDEX: error: 'main' has no argument 3: it has argument 0 ('x'), argument 1 ('w'), argument 2{{$}}
// RUN: not fusion-opt %s --fusion-bind-params="bind=-1=%t/f32.npy" 2>&1 | FileCheck %s --check-prefix=NEGATIVE
// NEGATIVE: error: 'main' has no argument named '-1': it has
// RUN: not fusion-opt %s --fusion-bind-params="function=none bind=0=%t/f32.npy" 2>&1 | FileCheck %s --check-prefix=NONE
// NONE: error: 'none' has no argument 0: it has none
// RUN: not fusion-opt %s --fusion-bind-params="function=twins bind=w=%t/f32.npy" 2>&1 | FileCheck %s --check-prefix=TWINS
// TWINS: error: arguments 0 and 1 of 'twins' are both named 'w': bind them by index

// One argument twice, by the same or by another name.
// RUN: not fusion-opt %s --fusion-bind-params="bind=w=%t/f32.npy,x=%t/f32.npy,1=%t/f32.npy" 2>&1 | FileCheck %s --check-prefix=TWICE
// RUN: not fusion-opt %s --fusion-bind-params="bind=w=%t/f32.npy,w=%t/f32.npy" 2>&1 | FileCheck %s --check-prefix=TWICE
// TWICE: fusion-bind-params-refused.mlir:{{.*}}:17: error: argument 1 ('w') is bound twice

// Files: missing, cut off, none at all, of another shape or element type.
// RUN: not fusion-opt %s --fusion-bind-params="bind=w=%t/missing.npy" 2>&1 | FileCheck %s --check-prefix=MISSING
// MISSING: :17: error: cannot read '{{.*}}missing.npy': No such file or directory
// RUN: not fusion-opt %s --fusion-bind-params="bind=w=%t/cut.npy" 2>&1 | FileCheck %s --check-prefix=CUT
// CUT: error: cannot read '{{.*}}cut.npy': truncated: expected 24 bytes of data, got 23
// RUN: not fusion-opt %s --fusion-bind-params="bind=w=%t/text.npy" 2>&1 | FileCheck %s --check-prefix=NO-ARRAY
// NO-ARRAY: error: cannot read '{{.*}}text.npy': not a .npy file
// RUN: not fusion-opt %s --fusion-bind-params="bind=w=%t/f32-32.npy" 2>&1 | FileCheck %s --check-prefix=SHAPE
// SHAPE: error: '{{.*}}f32-32.npy' does not fit argument 1 ('w'): expected 2x3xf32, got 3x2xf32
// RUN: not fusion-opt %s --fusion-bind-params="bind=w=%t/f64.npy" 2>&1 | FileCheck %s --check-prefix=TYPE
// TYPE: error: '{{.*}}f64.npy' does not fit argument 1 ('w'): expected elements of f32, got '<f8'
// RUN: not fusion-opt %s --fusion-bind-params="bind=w=%t/i32.npy" 2>&1 | FileCheck %s --check-prefix=INTEGER
// INTEGER: error: '{{.*}}i32.npy' does not fit argument 1 ('w'): expected elements of f32, got '<i4'
// The first is right, the second is not: nothing is bound.
// RUN: not fusion-opt %s --fusion-bind-params="bind=x=%t/f32.npy,w=%t/f64.npy" 2>&1 | FileCheck %s --check-prefix=TYPE
// A dynamic size takes any, a static one beside it does not.
// RUN: not fusion-opt %s --fusion-bind-params="function=dynamic bind=0=%t/f32-32.npy" 2>&1 | FileCheck %s --check-prefix=DYNAMIC
// DYNAMIC: error: '{{.*}}f32-32.npy' does not fit argument 0: expected ?x3xf32, got 3x2xf32
// TVM 57: a size is a scalar.
// RUN: not fusion-opt %s --fusion-bind-params="bind=2=%t/three.npy" 2>&1 | FileCheck %s --check-prefix=SCALAR
// SCALAR: error: '{{.*}}three.npy' does not fit argument 2: expected index, got 3xi64

// Types that no array can be given for.
// RUN: not fusion-opt %s --fusion-bind-params="function=types bind=0=%t/f32.npy" 2>&1 | FileCheck %s --check-prefix=UNRANKED
// UNRANKED: error: argument 0 cannot be bound: it must be a ranked tensor without encoding, or a scalar, got 'tensor<*xf32>'
// RUN: not fusion-opt %s --fusion-bind-params="function=types bind=1=%t/f32.npy" 2>&1 | FileCheck %s --check-prefix=MEMREF
// MEMREF: error: argument 1 cannot be bound: it must be a ranked tensor without encoding, or a scalar, got 'memref<2x3xf32>'
// RUN: not fusion-opt %s --fusion-bind-params="function=types bind=2=%t/f32.npy" 2>&1 | FileCheck %s --check-prefix=ENCODING
// ENCODING: error: argument 2 cannot be bound: it must be a ranked tensor without encoding, or a scalar, got 'tensor<2x3xf32, "rows">'
// RUN: not fusion-opt %s --fusion-bind-params="function=types bind=3=%t/f32.npy" 2>&1 | FileCheck %s --check-prefix=COMPLEX
// COMPLEX: error: argument 3 cannot be bound: no array has elements of type 'complex<f32>'
// RUN: not fusion-opt %s --fusion-bind-params="function=types bind=4=%t/f32.npy" 2>&1 | FileCheck %s --check-prefix=VECTOR
// VECTOR: error: argument 4 cannot be bound: it must be a ranked tensor without encoding, or a scalar, got 'vector<2x3xf32>'
// RUN: not fusion-opt %s --fusion-bind-params="function=types bind=5=%t/i32.npy" 2>&1 | FileCheck %s --check-prefix=SIGNED
// SIGNED: error: argument 5 cannot be bound: no array has elements of type 'si32'

// Functions without a body, and functions in use.
// RUN: not fusion-opt %s --fusion-bind-params="function=declared bind=0=%t/f32.npy" 2>&1 | FileCheck %s --check-prefix=DECLARED
// DECLARED: error: arguments of 'declared' cannot be bound: it has no body
// RUN: not fusion-opt %s --fusion-bind-params="function=called bind=0=%t/f32.npy" 2>&1 | FileCheck %s --check-prefix=CALLED
// CALLED: :8: error: arguments of 'called' cannot be bound: it is used here, with arguments of the user's; bind those of the caller, or inline the call
// CALLED: note: the function
// RUN: not fusion-opt %s --inline --fusion-bind-params="function=called bind=foo=%t/f32.npy" 2>&1 | FileCheck %s --check-prefix=INLINED
// INLINED: error: 'called' has no argument named 'foo': it has argument 0

func.func @main(%x: tensor<2x3xf32> {fusion.name = "x"},
                %w: tensor<2x3xf32> {fusion.name = "w"}, %n: index) -> tensor<2x3xf32> {
  %r = arith.subf %x, %w : tensor<2x3xf32>
  return %r : tensor<2x3xf32>
}

func.func @twins(%a: tensor<2x3xf32> {fusion.name = "w"}, %b: tensor<2x3xf32> {fusion.name = "w"}) {
  return
}

func.func @none() {
  return
}

func.func private @declared(tensor<2x3xf32>)

func.func @called(%a: tensor<2x3xf32>) -> tensor<2x3xf32> {
  return %a : tensor<2x3xf32>
}

func.func @caller(%a: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %r = call @called(%a) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return %r : tensor<2x3xf32>
}

func.func @dynamic(%a: tensor<?x3xf32>) {
  return
}

func.func @types(%0: tensor<*xf32>, %1: memref<2x3xf32>, %2: tensor<2x3xf32, "rows">, %3: tensor<2x3xcomplex<f32>>,
                 %4: vector<2x3xf32>, %5: tensor<2x3xsi32>) {
  return
}
