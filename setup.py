# Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`pip install .` of the Python package, which records where libFusionC is: an installed
package cannot tell where the build folder was. pyproject.toml has all else."""

import os

from setuptools import setup
from setuptools.command.build_py import build_py

ROOT = os.path.dirname(os.path.abspath(__file__))
# Of setuptools, whose usual folder build/lib is CMake's.
SCRATCH = os.path.join("build", "python")


class BuildPackage(build_py):
    """Writes fusion/library.txt, whether the library is built yet or not."""

    def run(self):
        super().run()
        if self.editable_mode:
            return  # finds the build by itself
        name = "libFusionC.so." + self.distribution.get_version().rpartition(".")[0]
        built = os.path.join(ROOT, "build", "lib", name)
        record = os.path.join(self.build_lib, "fusion", "library.txt")
        with open(record, "w", encoding="utf-8", errors="surrogateescape") as file:
            file.write(os.path.abspath(os.environ.get("FUSION_LIBRARY") or built))


os.makedirs(os.path.join(ROOT, SCRATCH), exist_ok=True)
setup(cmdclass={"build_py": BuildPackage},
      options={"build": {"build_base": SCRATCH}, "egg_info": {"egg_base": SCRATCH}})
