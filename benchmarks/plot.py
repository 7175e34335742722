# Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The results of bench.py as a plot in SVG: a bar for each contender, as long as its
median is a multiple of the limit of the network in f32."""

from html import escape

COLOURS = {
    "limit": "#8c8c8c",
    "Fusion": "#c8501e",
    "unfused": "#e8b48c",
    "limit Winograd": "#bebebe",
    "Fusion Winograd": "#dc8228",
    "unfused Winograd": "#f0d2b4",
    "PyTorch": "#3c78b4",
    "ONNX Runtime": "#3c966e",
}
WIDTH, LABELS, VALUES = 900, 150, 150
BAR, GAP, HEADING = 16, 4, 30
# Longer bars are cut; their value is written beside them as always.
LONGEST = 5.0


def text(x, y, content, **attributes):
    listed = "".join(
        f' {name.replace("_", "-")}="{value}"' for name, value in attributes.items()
    )
    return f'<text x="{x:g}" y="{y:g}"{listed}>{escape(content)}</text>'


def milliseconds(microseconds):
    return f"{microseconds / 1e3:.3g} ms"


def group(network, top, scale):
    """The elements of one network and where the next one begins."""
    contenders = network["contenders"]
    limit = next((c for c in contenders if c["title"] == "limit f32"), contenders[0])
    parts = [text(12, top + 20, network["network"], font_weight="bold")]
    y = top + HEADING
    for contender in contenders:
        ratio = contender["median_us"] / limit["median_us"]
        width = min(ratio, LONGEST) * scale
        opacity = "1" if contender["precision"] == "f32" else "0.6"
        parts.append(text(LABELS - 8, y + 12, contender["title"], text_anchor="end"))
        parts.append(
            f'<rect x="{LABELS}" y="{y}" width="{max(width, 1):.1f}" height="{BAR}"'
            f' fill="{COLOURS[contender["name"]]}" fill-opacity="{opacity}"/>'
        )
        value = f"{milliseconds(contender['median_us'])}, {ratio:.2f}"
        if ratio > LONGEST:
            value += " (cut)"
        parts.append(text(LABELS + width + 6, y + 12, value))
        y += BAR + GAP
    return parts, y


def svg(results):
    networks = [network for network in results["networks"] if network["rounds"]]
    scale = (WIDTH - LABELS - VALUES) / LONGEST
    parts, top = [], 34
    for network in networks:
        made, top = group(network, top, scale)
        parts += made
    title = (
        "Median time of a run, as a multiple of the limit in f32;"
        f" {results['threads']} threads, batch {results['batch']}"
    )
    x = LABELS + scale
    line = f'<line x1="{x:g}" y1="34" x2="{x:g}" y2="{top}" stroke="#8c8c8c"/>'
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}"'
            f' height="{top + 16}" font-family="sans-serif" font-size="12">',
            f'<rect width="{WIDTH}" height="{top + 16}" fill="white"/>',
            text(12, 22, title, font_size=14),
            line,
            *parts,
            "</svg>\n",
        ]
    )
