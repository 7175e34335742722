# Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Holds the links of the pages against the tree.

usage: links.py SOURCE_DIR

Each link of a Markdown page to a file of the tree leads to one, and its anchor to a
heading. Each page of docs is in docs/README.md. Prints what is wrong, or how many links
there are.
"""

import pathlib
import re
import sys

FENCED = re.compile(r"^```.*?^```$", re.M | re.S)
LINK = re.compile(r"\]\(([^)\s]+)\)")
HEADING = re.compile(r"^#+ (.+)$", re.M)
FOLDERS = ("docs", "examples", "test")


def prose_of(page):
    return FENCED.sub("", page.read_text(encoding="utf-8"))


def anchor_of(heading):
    """As GitHub makes it: lower case, no punctuation, a dash for each blank."""
    return re.sub(r"[^\w\- ]", "", heading.strip().lower()).replace(" ", "-")


def check_link(page, link):
    """The error of a link, and the file that it leads to."""
    name, _, anchor = link.partition("#")
    target = (page.parent / name).resolve() if name else page
    if not target.exists():
        return "no file", None
    if anchor and anchor not in map(anchor_of, HEADING.findall(prose_of(target))):
        return "no heading", target
    return None, target


def main():
    root = pathlib.Path(sys.argv[1]).resolve()
    pages = sorted(root.glob("*.md"))
    for folder in FOLDERS:
        pages += sorted((root / folder).rglob("*.md"))
    index = root / "docs" / "README.md"
    count, findings, indexed = 0, 0, {index}
    for page in pages:
        for link in LINK.findall(prose_of(page)):
            if re.match(r"\w+:", link):
                continue
            count += 1
            wrong, target = check_link(page, link)
            if wrong:
                findings += 1
                print("%s: %s: %s" % (page.relative_to(root).as_posix(), wrong, link))
            if page == index:
                indexed.add(target)
    for page in sorted((root / "docs").rglob("*.md")):
        if page not in indexed:
            findings += 1
            print("docs/README.md: no link to", page.relative_to(root).as_posix())
    if findings:
        sys.exit(1)
    print("%d links" % count)


if __name__ == "__main__":
    main()
