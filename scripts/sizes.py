"""Finds files over 400 lines and functions over 40 lines in Swift and C sources."""
import re
import subprocess
import sys

FILE_LIMIT, FUNCTION_LIMIT = 400, 40
START = {
    "swift": re.compile(r"^\s*(?:@\w+(?:\([^)]*\))?\s+)*(?:(?:package|public|private|static|mutating|"
                        r"consuming|convenience|override|internal)\s+)*(?:func\b|init\b|deinit\b)"),
    "c": re.compile(r"^(?:static |gboolean |void |Gst|gpointer )[^;=]*\([^;]*$"),
}


def functions(lines, start):
    """Yields (first line, name, length) of each function; strings and comments are skipped roughly."""
    index = 0
    while index < len(lines):
        if not start.match(lines[index]):
            index += 1
            continue
        depth, opened, end = 0, False, index
        while end < len(lines):
            text = re.sub(r'"(?:\\.|[^"\\])*"|//.*', "", lines[end])
            depth += text.count("{") - text.count("}")
            opened = opened or "{" in text
            if opened and depth <= 0:
                break
            if not opened and end > index and start.match(lines[end]):
                end -= 1
                break
            end += 1
        if opened:
            yield index + 1, lines[index].strip(), end - index + 1
        index += 1


def main():
    names = subprocess.check_output(
        ["git", "ls-files", "*.swift", "*.c", "*.h", "*.glsl"], text=True).split()
    failed = False
    for name in names:
        with open(name, encoding="utf-8") as file:
            lines = file.read().split("\n")
        if len(lines) - 1 > FILE_LIMIT:
            print(f"{name}: {len(lines) - 1} lines, at most {FILE_LIMIT}")
            failed = True
        kind = {"swift": "swift", "c": "c"}.get(name.rsplit(".", 1)[-1])
        for first, text, length in functions(lines, START[kind]) if kind else ():
            if length > FUNCTION_LIMIT:
                print(f"{name}:{first}: {length} lines, at most {FUNCTION_LIMIT}: {text}")
                failed = True
    sys.exit(1 if failed else 0)


main()
