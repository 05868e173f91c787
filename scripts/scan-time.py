"""Checks how long it takes to load a plugin, against the time for the same without it.

usage: scan-time.py PLUGIN LIMIT_MS
"""
import statistics
import subprocess
import sys
import time


def run(argument):
    """Milliseconds that gst-inspect-1.0 takes for one plugin file."""
    start = time.monotonic()
    subprocess.run(["gst-inspect-1.0", argument], check=True, stdout=subprocess.DEVNULL)
    return (time.monotonic() - start) * 1000


def main():
    plugin, limit = sys.argv[1], float(sys.argv[2])
    core = subprocess.check_output(
        ["pkg-config", "--variable=pluginsdir", "gstreamer-1.0"], text=True).strip()
    pairs = [(run(plugin), run(f"{core}/libgstcoreelements.so")) for _ in range(9)]
    cost = statistics.median(a - b for a, b in pairs)
    print(f"scanning takes {cost:.1f} ms more than scanning coreelements (limit {limit:.0f} ms)")
    sys.exit(0 if cost < limit else 1)


main()
