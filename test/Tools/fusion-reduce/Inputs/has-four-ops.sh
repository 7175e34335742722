#!/bin/sh
# Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Interesting, with 1 as a reducer wants it: a valid module with four fusion ops.
text=$(fusion-opt "$1" 2>/dev/null) || exit 0
[ "$(echo "$text" | grep -c 'fusion\.')" = 4 ] || exit 0
exit 1
