# Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Holds the order of the libraries, as docs/Architecture.md draws it, against the tree.

usage: libraries.py SOURCE_DIR

A library is a folder of lib with its headers in include. The arrows of the section
`Libraries` lead from a library to those that it uses, and never in a circle. A library
includes, and links, only what arrows lead to; it links what it includes; and each arrow
is of use. Prints what is wrong, or how many libraries there are.
"""

import pathlib
import re
import sys

PAGE = "docs/Architecture.md"
SECTION = re.compile(r"^## Libraries$.*?^```mermaid$(.*?)^```$", re.M | re.S)
ARROW = re.compile(r"^ *([\w &]+?) --> ([\w &]+)$", re.M)
INCLUDE = re.compile(r'^#include "([^"]+)"', re.M)
TARGET = re.compile(r"^add_(?:fusion_)?library\((\w+)([^)]*)\)", re.M)
# The declarations of all passes, for the libraries that define them.
DECLARATIONS = re.compile(r"FusionDialect/\w+/Passes\.h(?:\.inc)?")
# A library in C. Compilers include its headers for numbers and names, and do not link it.
RUNTIME = "Runtime"


def library_of(path):
    """The library that a source or a header, as it is included, belongs to."""
    match = re.match(r"(?:lib|(?:include/)?FusionDialect)/(\w+)(?:/|\.h$)", path)
    if match:
        return match.group(1)
    match = re.match(r"(?:include/)?Fusion(Runtime|Dialect-c)/", path)
    return match and match.group(1).replace("Dialect-c", "CAPI")


def read_arrows(root):
    section = SECTION.search((root / PAGE).read_text(encoding="utf-8"))
    if not section:
        sys.exit("%s: no section Libraries with a picture" % PAGE)
    return {(user, used) for users, uses in ARROW.findall(section.group(1))
            for user in users.split(" & ") for used in uses.split(" & ")}


def read_links(root):
    targets, links = {}, set()
    for path in sorted((root / "lib").rglob("CMakeLists.txt")):
        library = library_of(path.relative_to(root).as_posix())
        for name, rest in TARGET.findall(path.read_text(encoding="utf-8")):
            targets[name] = library
            words = rest.partition("LINK_LIBS")[2].split()
            links |= {(library, word) for word in words}
    return {(user, targets[word]) for user, word in links
            if word in targets and targets[word] != user}


def read_includes(root):
    """The file, the header, and the libraries of both."""
    for folder in ("lib", "include"):
        for path in sorted((root / folder).rglob("*")):
            name = path.relative_to(root).as_posix()
            user = library_of(name)
            if path.suffix not in (".h", ".cpp", ".c") or not user:
                continue
            for header in INCLUDE.findall(path.read_text(encoding="utf-8")):
                used = "a folder beside it" if "../" in header else library_of(header)
                if used and used != user and not DECLARATIONS.fullmatch(header):
                    yield name, header, user, used


def reach(edges, start):
    """All that edges lead to from `start`, which is in it only if they go in a circle."""
    found, worklist = set(), [start]
    while worklist:
        here = worklist.pop()
        new = {used for user, used in edges if user == here} - found
        found |= new
        worklist += new
    return found


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    root = pathlib.Path(sys.argv[1])
    arrows, links = read_arrows(root), read_links(root)
    includes = list(read_includes(root))
    libraries = {path.name for path in (root / "lib").iterdir() if path.is_dir()}
    drawn = {library: reach(arrows, library) for library in libraries}
    linked = {library: reach(links, library) for library in libraries}
    needed = links | {(user, used) for _, _, user, used in includes}
    findings = []
    for library in sorted(libraries):
        if library in drawn[library]:
            findings.append("%s: arrows lead from %s to itself" % (PAGE, library))
        if not any(library in arrow for arrow in arrows):
            findings.append("%s: no arrow of %s" % (PAGE, library))
    for name, header, user, used in includes:
        if used not in drawn[user]:
            findings.append("%s: %s must not use %s: %s" % (name, user, used, header))
        elif used != RUNTIME and used not in linked[user]:
            findings.append("%s: %s does not link %s: %s" % (name, user, used, header))
    for user, used in sorted(links):
        if used not in drawn[user]:
            findings.append("lib/%s: must not link %s" % (user, used))
    for user, used in sorted(arrows):
        if used not in reach(needed, user):
            findings.append("%s: %s does not use %s" % (PAGE, user, used))
    for finding in findings:
        print(finding)
    if findings:
        sys.exit(1)
    print("%d libraries" % len(libraries))


if __name__ == "__main__":
    main()
