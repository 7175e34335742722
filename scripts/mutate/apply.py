# Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Reads the list of mutants and applies one to a tree.

usage: apply.py LIST --list [NAME...]      names, picked by regular expression
       apply.py LIST --check TREE          every mutant fits exactly one place
       apply.py LIST --apply NAME TREE
       apply.py LIST --revert NAME TREE

The list has blocks of lines, with an empty line between them:

    mutant NAME
    file   PATH
    find   CODE        must occur exactly once in the file, white space aside; as
                       many lines as wanted
    with   CODE        takes its place

or, for a function that is to do nothing but return a value:

    mutant NAME
    file   PATH
    accept FUNCTION    the name of a function defined in the file
    return EXPRESSION  what it returns (default: success())

Lines that begin with # are comments.
"""

import os
import re
import shutil
import sys


def pattern_of(code):
    """Matches the tokens of `code`, whatever white space is between them."""
    pattern, word_before = "", False
    for token in re.findall(r"\w+|[^\w\s]", code):
        is_word = re.match(r"\w", token) is not None
        pattern += r"\s+" if word_before and is_word else r"\s*" if pattern else ""
        pattern += re.escape(token)
        word_before = is_word
    return pattern


class Mutant:
    def __init__(self):
        self.fields = {}

    def add(self, key, value):
        self.fields.setdefault(key, []).append(value)

    def one(self, key, default=None):
        return self.fields.get(key, [default])[0]

    def changed(self, text):
        """The text with the mutant applied; ValueError if it does not fit."""
        if "accept" in self.fields:
            name = re.escape(self.one("accept"))
            # The text from the name to the brace that opens the body. In between are
            # parameters, so that neither ; nor { ends it early.
            found = list(re.finditer(
                r"^[\w:<>&*, ]*\b%s\([^;{]*\)\s*(?:const\s*)?\{" % name, text, re.M))
            if len(found) != 1:
                raise ValueError("function %s defined %d times"
                                 % (self.one("accept"), len(found)))
            at = found[0].end()
            # The compiler cannot evaluate the condition. So the rest of the function
            # stays reachable, and nothing is reported as unused.
            value = self.one("return", "success()")
            return "%s\n  if (volatile bool mutated = true)\n    return %s;%s" % (
                text[:at], value, text[at:])
        old = " ".join(self.fields["find"])
        new = "\n".join(self.fields.get("with", []))
        found = list(re.finditer(pattern_of(old), text))
        if len(found) != 1:
            raise ValueError("%r occurs %d times" % (old, len(found)))
        return text[:found[0].start()] + new + text[found[0].end():]


def read_list(path):
    mutants, current = {}, None
    with open(path, encoding="utf-8") as file:
        for number, line in enumerate(file, 1):
            line = line.rstrip("\n")
            if line.startswith("#"):
                continue
            if not line.strip():
                current = None
                continue
            key, _, value = line.partition(" ")
            # `find` and `with` keep the indentation of the text they name.
            value = value if key in ("find", "with") else value.strip()
            if key == "mutant":
                if value in mutants:
                    sys.exit("%s:%d: second mutant %s" % (path, number, value))
                current = mutants[value] = Mutant()
            elif current is None or key not in (
                    "file", "find", "with", "accept", "return"):
                sys.exit("%s:%d: cannot read '%s'" % (path, number, line))
            else:
                current.add(key, value)
    return mutants


def main():
    mutants = read_list(sys.argv[1])
    command, rest = sys.argv[2], sys.argv[3:]
    if command == "--list":
        for name in mutants:
            if not rest or any(re.search(pattern, name) for pattern in rest):
                print(name)
        return 0
    if command == "--check":
        bad = 0
        for name, mutant in mutants.items():
            try:
                with open(os.path.join(rest[0], mutant.one("file"))) as file:
                    mutant.changed(file.read())
            except (OSError, ValueError) as error:
                bad += 1
                print("%s: %s" % (name, error))
        return 1 if bad else 0
    mutant = mutants[rest[0]]
    path = os.path.join(rest[1], mutant.one("file"))
    backup = path + ".unchanged"
    if command == "--apply":
        shutil.copy2(path, backup)
        with open(path, encoding="utf-8") as file:
            text = mutant.changed(file.read())
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        return 0
    if command == "--revert":
        shutil.copy(backup, path)
        os.remove(backup)
        return 0
    sys.exit(__doc__)


if __name__ == "__main__":
    sys.exit(main())
