# Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Holds docs/Reasons.md against the sources and the tests.

usage: reasons.py SOURCE_DIR

Each reason that SOURCES give with Refusal::because needs a row on the page
unless it is internal, each row a reason in the sources and a line of a test that
expects it. Prints what is missing and exits with 1 if anything is.
"""

import pathlib
import re
import sys

PAGE = "docs/Reasons.md"
SOURCES = ("lib/Analysis", "lib/Fuse", "lib/Partition", "lib/Interfaces", "lib/Transforms")

# Files whose refusals are never the reason why something is not fused.
INTERNAL_FILES = {
    "ActivationRegion.cpp": "Explain.cpp asks the ops behind the result one by one",
    "BodyPart.cpp": "as in SplitAtIntegers.cpp and SplitFactors.cpp, which ask",
    "CombineScales.cpp": "a chain of scales that stays one is no convolution",
    "ConstantElements.cpp": "as in ConstantEvaluation.cpp, which asks",
    "ConstantEvaluation.cpp": "constants are computed after all has been fused",
    "Laws.cpp": "an error about the option `disable`",
    "FuseProbe.cpp": "MatchChain.cpp says what the ops are instead",
    "MatchOp.cpp": "an op that no pattern of one op takes is no convolution",
    "MovedIntegers.cpp": "a remark about ops that move elements, which are no convolutions",
    "MovedExtension.cpp": "a law on what is in front of a product",
    "ChannelParts.cpp": "a law on operands behind a sum; SumBias.cpp says what is left",
    "CroppedInput.cpp": "a law on what is in front of a product",
    "MergedFilter.cpp": "DequantizedOperands.cpp says what is left of a filter",
    "RunTimeScale.cpp": "RescaledSum.cpp says what is left",
    "ShiftedInput.cpp": "a law on what is in front of a product",
    "SplitAtIntegers.cpp": "a remark about merged bodies; the convolution in front or behind says more",
    "SplitFactors.cpp": "a REASON in a row of the page, which MergedProduct.cpp gives",
    "SummedImage.cpp": "a loop that adds up an image is no convolution",
    "IntegerEvaluation.cpp": "as in ConstantEvaluation.cpp",
    "PatternNames.cpp": "errors about the option `patterns`",
    "DropTaps.cpp": "a filter that stays whole is fused all the same",
    "EvaluateIndex.cpp": "the index of a gather, which is no convolution",
    "RaiseGathers.cpp": "a gather that stays one is no convolution",
    "ScalarExpr.cpp": "an op that is not element-wise is no part of what is folded",
    "PatternConstraints.cpp": "a pattern of a user's own does not match; nothing is said",
    "PatternFile.cpp": "a pattern of a user's own does not match; nothing is said",
}

# Reasons that Explain.cpp does not pass on. `...` stands for a value.
INTERNAL = {
    # Explain.cpp asks the laws on floats about ops with a result of f32 only.
    "'...' takes no steps on floats",
    # A law that does not apply; Explain.cpp then asks the next.
    "next op does not add to the result",
    "next op does not scale the result",
    "next op does not round the result",
    "next op computes no activation that is known",
    "next op is folded into another fusion op",
    "no operand is the result of a fusion op",
    "unsupported: result rounded to ..., expected bf16 or f16",
    "no operand is a transpose behind a reshape",
    "an operand of the sum is no permutation of loops",
    "the sum is no matrix multiplication",
    "no factor is read by windows or pixels",
    "'input' would be read along its columns",
    # The same of the laws on integers.
    "no operand is dequantised",
    "'input' is not padded",
    "no op quantises the result",
    "no op rescales the sum",
    "unsupported: the result of an op on integers is rounded to ...",
    # Explain.cpp asks when the law that moves integers is done.
    "residual is going to be integers",
    "no op shifts the integers of the result",
    "not from i8 to i8",
    "no op adds to the sum",
    "no integers are computed from constants",
    "an operand is no vector that is computed",
    # Explain.cpp asks about sums of several tensors that read a product.
    "no operand is a product of integers",
    # The law on a sum that is rescaled has said it before.
    "more than constants is added",
    "constants are added to another tensor",
    "the sum is scaled or bounded",
    "what is added varies along dimension ...",
    "something is added to the sum in another block",
    # An earlier check rules it out.
    "no linalg op computes the value",
    "not from f32 to i8",
    "unsupported: '...' has no group dimension",
    "there is no activation",
    # Explain.cpp asks when all is done.
    "a residual after the activation is folded last",
}

# Rows that no test expects. Empty, unless a test is still to be written.
UNTESTED = []

STRINGS = re.compile(r'(?:"(?:[^"\\]|\\.)*"\s*)+')
ROW = re.compile(r"^\| `([^`]+)` \| .+<br>.+ \| .+ \|$")
PLACEHOLDER = re.compile(r"\b[A-Z]+\b")
EXPECTED = re.compile(r"// expected-\w+ @.*?\{\{(.*)\}\}")
# As in test/lint.py.
DIRECTIVE = re.compile(
    r"(?://|#)\s*([A-Z][A-Z0-9_-]*?)(?:-(?:NEXT|SAME|DAG|LABEL))?(?:\{LITERAL\})?: (.*)")


def arguments_of(text, start):
    """The arguments of the call whose parenthesis opens in front of `start`."""
    arguments, current, depth, position = [], "", 1, start
    while True:
        quoted = re.compile(r'"(?:[^"\\]|\\.)*"').match(text, position)
        if quoted:
            current += quoted.group()
            position = quoted.end()
            continue
        character = text[position]
        depth += (character in "([{") - (character in ")]}")
        if depth == 0 or (character == "," and depth == 1):
            arguments.append(current.strip())
            current = ""
            if depth == 0:
                return arguments
        else:
            current += character
        position += 1


def read_literals(root):
    """Each reason of the sources, with `...` for its values, and its place."""
    for path in sorted(path for folder in SOURCES for path in (root / folder).rglob("*.cpp")):
        text = path.read_text()
        for call in re.finditer(r"\bbecause\(", text):
            parts = []
            for argument in arguments_of(text, call.end()):
                if STRINGS.fullmatch(argument):
                    parts.append(unquote(argument))
                else:
                    parts.append("...")
            literal = re.sub(r"(?:\.\.\.){2,}", "...", "".join(parts))
            if literal != "...":  # passes on the reason of another
                yield path.name, text.count("\n", 0, call.start()) + 1, literal


def pattern_of(parts, value):
    return re.compile(value.join(map(re.escape, parts)))


def read_rows(root, findings):
    rows = []
    for number, line in enumerate((root / PAGE).read_text().split("\n"), 1):
        if not line.startswith("|") or line.startswith(("| reason |", "|---")):
            continue
        match = ROW.match(line)
        if not match:
            findings.append("%s:%d: no row of a reason, an example of two lines and "
                            "an advice" % (PAGE, number))
        elif match.group(1) in rows:
            findings.append("%s:%d: the second row of `%s`"
                            % (PAGE, number, match.group(1)))
        else:
            rows.append(match.group(1))
    return rows


def unquote(strings):
    """The text of C++ literals one after the other."""
    quoted = re.findall(r'"((?:[^"\\]|\\.)*)"', strings)
    return "".join(quoted).replace('\\"', '"')


def read_checks(root):
    """The texts that the FileCheck lines and expected diagnostics of all tests expect,
    and the strings of the unit tests."""
    checks = []
    for path in sorted((root / "unittests/Transforms").glob("*.cpp")):
        checks += [unquote(strings) for strings in STRINGS.findall(path.read_text())]
    for path in sorted((root / "test").rglob("*")):
        if path.suffix not in (".mlir", ".test") or "Inputs" in path.parts:
            continue
        for line in path.read_text().split("\n"):
            match = DIRECTIVE.match(line.strip())
            if match and match.group(1) != "RUN" and "NOT" not in match.group(1):
                checks.append(match.group(2))
            checks += EXPECTED.findall(line)
    return checks


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    root = pathlib.Path(sys.argv[1])
    findings = []
    rows = read_rows(root, findings)
    literals = list(read_literals(root))
    explained = set()
    for name, line, literal in literals:
        pattern = pattern_of(literal.split("..."), ".*")
        found = [row for row in rows if pattern.fullmatch(row)]
        explained.update(found)
        if name in INTERNAL_FILES or literal in INTERNAL:
            continue
        if not found:
            findings.append("%s:%d: no row of %s for: %s" % (name, line, PAGE, literal))
    for name in sorted(INTERNAL_FILES.keys() - {name for name, _, _ in literals}):
        findings.append("INTERNAL_FILES: gives no reasons: %s" % name)
    for literal in sorted(INTERNAL - {literal for _, _, literal in literals}):
        findings.append("INTERNAL: not in the sources: %s" % literal)
    checks = read_checks(root)
    for row in rows:
        if row not in explained:
            findings.append("%s: not in the sources: %s" % (PAGE, row))
        pattern = pattern_of(PLACEHOLDER.split(row), ".+")
        isTested = any(map(pattern.search, checks))
        if isTested == (row in UNTESTED):
            findings.append("%s: %s: %s" % (
                PAGE, "tested, but in UNTESTED" if isTested else "no test expects", row))
    for row in UNTESTED:
        if row not in rows:
            findings.append("UNTESTED: no row of %s: %s" % (PAGE, row))
    for finding in findings:
        print(finding)
    if findings:
        sys.exit(1)
    print("%d reasons, %d of them without a test" % (len(rows), len(UNTESTED)))


if __name__ == "__main__":
    main()
