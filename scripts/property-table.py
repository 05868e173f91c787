"""Prints a Markdown file with its tables of properties as gst-inspect-1.0 has them.

A table stands between the lines "<!-- scripts/property-table.py ELEMENT [pads] -->" and "<!-- end -->".

usage: property-table.py FILE
"""
import re
import subprocess
import sys

# Those of the base classes, which GStreamer documents.
INHERITED = {"name", "parent", "qos", "emit-signals", "force-live", "latency", "min-upstream-latency", "start-time",
             "start-time-selection", "zorder", "repeat-after-eos", "max-last-buffer-repeat"}


def row(name, blurb, flags, kind, values):
    """One line of the table."""
    animated = ", can be animated" if "controllable" in flags else ""
    number = re.match(r"(Double|Integer|Unsigned Integer)\. Range: +(\S+) - +(\S+) Default: +(\S+)", kind)
    enum = re.match(r'Enum "\w+" Default: -?\d+, "([^"]*)"', kind)
    if "0xAARRGGBB" in blurb:
        return f"| `{name}` | color{animated} | 0x{int(number.group(4)):08x} | {blurb} |"
    if number:
        word, low, high, default = number.groups()
        return f"| `{name}` | {word.lower()} {low} … {high}{animated} | {default} | {blurb} |"
    if enum:
        return f"| `{name}` | {' '.join(values)}{animated} | {enum.group(1)} | {blurb} |"
    if kind.startswith("Boolean"):
        return f"| `{name}` | boolean | {kind.split()[-1]} | {blurb} |"
    if kind.startswith("String"):
        return f"| `{name}` | string | unset | {blurb} |"
    access = "" if "writable" in flags else ", read only"
    return f"| `{name}` | GstStructure{access} | | {blurb} |"


def table(element, *pads):
    """The table of an element, or of its pads."""
    text = subprocess.check_output(["gst-inspect-1.0", element], text=True)
    of_pads, of_element = text.split("Element Properties:", 1)
    part = of_pads.split("Pad Properties:", 1)[1] if pads else of_element
    entries = re.findall(r"^ +([a-z-]+) *: (.*)\n +flags: (.*)\n +(.*)\n((?: +\(-?\d+\): .*\n)*)", part, re.M)
    lines = ["| property | type and range | default | meaning |", "|---|---|---|---|"]
    for name, blurb, flags, kind, values in entries:
        if name not in INHERITED:
            lines.append(row(name, blurb, flags, kind, re.findall(r"\): (\S+)", values)))
    return "\n".join(lines)


def main():
    mark = r"(<!-- scripts/property-table.py (.*) -->\n)[^<]*(?=<!-- end -->)"
    text = open(sys.argv[1], encoding="utf-8").read()
    print(re.sub(mark, lambda found: found[1] + table(*found[2].split()) + "\n", text), end="")


main()
