# Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The processor that benchmarks run on."""


def processor():
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as file:
            lines = dict(line.split(":", 1) for line in file if ":" in line)
    except OSError:
        return "unknown", []
    fields = {name.strip(): value.strip() for name, value in lines.items()}
    kinds = "avx2", "avx512f", "avx512_vnni", "avx512_bf16", "amx_bf16"
    flags = fields.get("flags", "").split()
    return fields.get("model name", "unknown"), [kind for kind in kinds if kind in flags]
