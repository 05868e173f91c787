"""Prints the properties of an element as a Markdown table, from what gst-inspect-1.0 says.

usage: property-table.py ELEMENT
"""
import re
import subprocess
import sys

INHERITED = {"name", "parent", "qos"}


def main():
    text = subprocess.check_output(["gst-inspect-1.0", sys.argv[1]], text=True)
    text = text.split("Element Properties:", 1)[1]
    entries = re.findall(r"^  ([a-z-]+) +: (.*)\n +flags: (.*)\n +(.*)$", text, re.M)
    print("| property | type and range | default | meaning |")
    print("|---|---|---|---|")
    for name, blurb, flags, kind in entries:
        if name in INHERITED:
            continue
        number = re.match(
            r"(Double|Unsigned Integer)\. Range: +(\S+) - +(\S+) Default: +(\S+)", kind)
        if number:
            word, low, high, default = number.groups()
            animated = ", can be animated" if "controllable" in flags else ""
            print(f"| `{name}` | {word.lower()} {low} … {high}{animated} | {default} | {blurb} |")
        elif kind.startswith("String"):
            print(f"| `{name}` | string | unset | {blurb} |")
        else:
            print(f"| `{name}` | GstStructure, read only | | {blurb} |")


main()
