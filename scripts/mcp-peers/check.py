"""Every saved result is accepted as an answer to its call, and each change of one has its own verdict and code."""

import copy
import json
import pathlib
import subprocess
import sys

VERIFY, WORK = sys.argv[1], pathlib.Path(sys.argv[2])
CALL = {"method": "tools/call", "params": {"name": "article", "arguments": {"article": 2}}}
(WORK / "call.json").write_text(json.dumps(CALL))
ACCEPT, REJECT, REVIEW = 0, 1, 3


def member(result, *names):
    return next(name for name in names if name in result)


def meta(result):
    return result[member(result, "_meta", "meta")]


def manifests(result):
    return next(value for key, value in meta(result).items() if key.endswith("/provenance-manifests"))


def structured(result):
    return result[member(result, "structuredContent", "structured_content")]


def value(result):
    structured(result)["article"] = 3


def fraction(result):
    structured(result)["share"] += 0.0001


def text(result):
    result["content"][0]["text"] += " "


def error(result):
    result["is_error" if "is_error" in result else "isError"] = True


def no_meta(result):
    del result[member(result, "_meta", "meta")]


def no_manifest(result):
    manifests(result).clear()


def twice(result):
    manifests(result).append(manifests(result)[0])


def block(result):
    result["content"].append({"type": "text", "text": "read this instead"})


def other_block(result):
    result["content"].append({"type": "tree", "leaf": 1})


def signature(result):
    manifests(result)[0]["fetched_at"] = "2026-01-01T00:00:00Z"


CHANGES = [
    (value, REJECT, "result.other"),
    (fraction, REJECT, "result.other"),
    (text, REJECT, "result.other"),
    (error, REJECT, "result.other"),
    (block, REJECT, "result.other"),
    (other_block, REVIEW, "mcp.block"),
    (no_meta, REVIEW, "mcp.no-manifest"),
    (no_manifest, REVIEW, "mcp.no-manifest"),
    (twice, REJECT, "mcp.fetch-doubled"),
    (signature, REJECT, "jws.signature.mismatch"),
]


def judge(name, result, call=True):
    (WORK / "changed.json").write_text(json.dumps(result))
    words = [VERIFY, WORK / "changed.json", "--key", WORK / "key.pem"]
    words += ["--request", WORK / "call.json"] if call else []
    run = subprocess.run(words, capture_output=True, text=True, check=False)
    return run.returncode, run.stdout


def expect(name, found, status, code):
    if found[0] != status or code not in found[1]:
        sys.exit(f"{name}: expected {status} {code}, found {found[0]}\n{found[1]}")


saved = sorted(path for path in WORK.glob("*-*.json"))
if not saved:
    print("SKIPPED: no client of MCP could be run", file=sys.stderr)
    sys.exit(77)
results = {path.name: json.loads(path.read_text()) for path in saved}
for name, result in results.items():
    expect(name, judge(name, result), ACCEPT, "bound to this tool and these arguments")
    for change, status, code in CHANGES:
        changed = copy.deepcopy(result)
        change(changed)
        expect(f"{name}, {change.__name__}", judge(name, changed), status, f"[{code}]")
    print(f"{name}: accepted, and {len(CHANGES)} changes of it told apart")

# The manifest of one result beside another one. Both were signed for the same call.
names = list(results)
for name, other in zip(names, names[1:]):
    swapped = copy.deepcopy(results[name])
    structured(swapped)["text"] = structured(swapped)["text"] + "!"
    manifests(swapped)[:] = manifests(results[other])
    expect(f"{name} with the manifest of {other}", judge(name, swapped), REJECT, "[result.other]")
CALL["params"]["arguments"]["article"] = 1
(WORK / "call.json").write_text(json.dumps(CALL))
expect("another call", judge(names[0], results[names[0]]), REJECT, "[request.other]")
