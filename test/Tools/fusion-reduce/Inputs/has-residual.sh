#!/bin/sh
# Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Interesting, with 1 as a reducer wants it: a valid module with a matrix multiplication
# that has a residual.
fusion-opt "$1" 2>/dev/null | grep 'fusion.fused_matmul_bias_act' | grep -q ' residual' &&
  exit 1
exit 0
