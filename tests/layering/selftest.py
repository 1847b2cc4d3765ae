#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright 2026 The epochcast developers
"""The layering check itself: each kind of forbidden include must be found, allowed ones must not."""
import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
CASES = [
    ("src/core/a.cpp", "#include <fstream>\n", "src/core may not include <fstream>"),
    ("src/core/a.cpp", "#include <sys/stat.h>\n", "src/core may not include <sys/stat.h>"),
    ("src/core/a.cpp", '#include "h5/file.hpp"\n', "src/core may not include h5/file.hpp"),
    ("src/core/sub/a.cpp", "#  include <hdf5.h>\n", "<hdf5.h> may be included only in src/h5"),
    ("src/cli/a.cpp", "#include <toml.hpp>\n", "<toml.hpp> may be included only in src/config"),
    ("mpi-runtime/job/a.cpp", "#include <mpi.h>\n", "<mpi.h> may be included only in"),
    ("mpi-runtime/agent/a.cpp", "#include <torch/torch.h>\n", "<torch/torch.h> may be included"),
    ("src/cli/a.cpp", "#include <slurm/slurm.h>\n", "<slurm/slurm.h> may be included only in"),
    ("slurm-plugin/a.cpp", '#include "core/text.hpp"\n', "slurm-plugin may not include core/text"),
    ("src/new/a.cpp", "#include <vector>\n", "its folder is not in layers.txt"),
    ("mpi-runtime/agent/a.cpp", '#include <mpi.h>\n#include "core/text.hpp"\n', None),
    ("src/core/a.cpp", '#include <vector>\n#include "core/text.hpp"\n', None),
]


def findings(path, text):
    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder)
        for name, content in (("src/core/text.hpp", ""), ("src/h5/file.hpp", ""), (path, text),
                              ("tests/unit/core/a_test.cpp", ""), ("tests/unit/h5/a_test.cpp", "")):
            (root / name).parent.mkdir(parents=True, exist_ok=True)
            (root / name).write_text(content)
        run = subprocess.run([sys.executable, HERE / "check.py", root, HERE / "layers.txt"],
                             capture_output=True, text=True, check=False)
        return run.returncode, run.stdout


def main():
    failed = 0
    for path, text, expected in CASES:
        code, output = findings(path, text)
        good = (code == 0) if expected is None else (code == 1 and expected in output)
        if not good:
            failed += 1
            print(f"FAILED {path} {text!r}: exit {code}, wanted {expected!r}\n{output}")
    print(f"{len(CASES) - failed} of {len(CASES)} cases as expected")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
