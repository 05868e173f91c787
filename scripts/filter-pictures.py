"""Makes the pictures of docs/filters with the filters, or compares them with what those make now.

usage: filter-pictures.py missing|all|check < LISTS     LISTS: what `raster-docs examples` prints
"""
import os
import pathlib
import subprocess
import sys
import tempfile

CLIP = "docs/media/bigbuckbunny.mp4"
FOLDER = pathlib.Path("docs/filters")
WIDTH, HEIGHT = 224, 126
RGBA = ["videoconvert", "!", "video/x-raw,format=RGBA"]
# A sample may differ by as much, and one in a thousand by more, since drivers round differently.
TOLERANCE, EXCEPTIONS = 3, 0.001


def launch(*words):
    command = ["gst-launch-1.0", "-q", *words]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120)
    if done.returncode != 0 or "ERROR" in done.stderr:
        sys.exit(f"filter-pictures: {' '.join(words)}\n{done.stderr}")


def picture(name):
    return FOLDER / f"{name}.png"


def decoded(name):
    return ["filesrc", f"location={picture(name)}", "!", "pngdec", "!", *RGBA]


def last_frame(raw):
    """Writes the last frame of the clip, scaled down, as it lies in memory."""
    launch("filesrc", f"location={CLIP}", "!", "qtdemux", "!", "h264parse", "!", "avdec_h264", "!",
           "videoscale", "method=bilinear2", "!", f"video/x-raw,width={WIDTH},height={HEIGHT}", "!",
           *RGBA, "!", "filesink", f"location={raw}")
    raw.write_bytes(raw.read_bytes()[-4 * WIDTH * HEIGHT:])


def filtered(filters):
    # In quotation marks, with those inside escaped, as gst-launch-1.0 reads text.
    text = filters.replace("\\", "\\\\").replace('"', '\\"')
    return [*decoded("original"), "!", "rasterfilter", f'filters="{text}"']


def store(name, source, work):
    """Writes what a pipeline makes as a PNG, without alpha where all of it is opaque."""
    raw = work / "picture.raw"
    launch(*source, "!", "filesink", f"location={raw}")
    is_opaque = set(raw.read_bytes()[3::4]) == {255}
    form = "RGB" if is_opaque else "RGBA"
    launch(*source, "!", "videoconvert", "!", f"video/x-raw,format={form}", "!",
           "pngenc", "compression-level=9", "!", "filesink", f"location={picture(name)}")


def write(lists, every, work):
    if every or not picture("original").exists():
        raw = work / "original.raw"
        last_frame(raw)
        store("original", ["filesrc", f"location={raw}", "!", "rawvideoparse", "format=rgba",
                           f"width={WIDTH}", f"height={HEIGHT}"], work)
    for name, filters in lists:
        if every or not picture(name).exists():
            store(name, filtered(filters), work)


def difference(name, stored, fresh):
    """What is wrong with a picture; nothing where it is as it should be."""
    if len(stored) != len(fresh):
        return [f"{picture(name)}: of another size"]
    if stored == fresh:
        return []
    large = sum(abs(a - b) > TOLERANCE for a, b in zip(stored, fresh))
    if large <= EXCEPTIONS * len(fresh):
        return []
    return [f"{picture(name)}: {large} of {len(fresh)} samples differ by more than {TOLERANCE}"]


def check(lists, work):
    stored, fresh = work / "stored.raw", work / "fresh.raw"
    wrong = []
    for name in ["original"] + [name for name, _ in lists]:
        if not picture(name).exists():
            wrong.append(f"{picture(name)} is missing")
    known = {picture(name) for name, _ in lists} | {picture("original")}
    wrong += [f"{path} is of no filter" for path in sorted(FOLDER.iterdir()) if path not in known]
    if wrong:
        return wrong
    last_frame(fresh)
    launch(*decoded("original"), "!", "filesink", f"location={stored}")
    wrong += difference("original", stored.read_bytes(), fresh.read_bytes())
    for name, filters in lists:
        launch(*decoded(name), "!", "filesink", f"location={stored}",
               *filtered(filters), "!", "filesink", f"location={fresh}")
        wrong += difference(name, stored.read_bytes(), fresh.read_bytes())
    return wrong


def main():
    lists = [line.rstrip("\n").split("\t") for line in sys.stdin]
    FOLDER.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        work = pathlib.Path(folder)
        if sys.argv[1] == "check":
            wrong = check(lists, work)
            print("\n".join(wrong), file=sys.stderr, end="\n" if wrong else "")
            sys.exit(1 if wrong else 0)
        write(lists, sys.argv[1] == "all", work)


os.chdir(pathlib.Path(__file__).resolve().parent.parent)
main()
