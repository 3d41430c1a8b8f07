"""From kernels to WebAssembly: one module that searches, and one that builds the endgame database.

Numba compiles each entry point, with all that it calls, to LLVM's intermediate text. That text
is about this processor in a few places only; once they are rewritten, LLVM's own back end makes
WebAssembly of it, and its linker a module. A page needs neither Numba nor Python then. It is a
step of development: the module is shipped, and a test builds it again and compares.

The entries take and give plain 64-bit numbers (BigInt in JavaScript) and addresses in the
module's memory. `poll` stands where the kernels read the stop flag: a page cannot set that from
outside while its worker searches, so now and then the module asks the function ``tick`` that
it imports whether it is time to end.
"""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import tempfile
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeAlias

import llvmlite.binding as llvm
from numba import carray, cfunc, types

from kingme.engine.endgames import files, pack, slices
from kingme.engine.kernels import movegen, packed, packing, perft, probe, retrograde, root, tables

__all__ = ["BUILDING", "PLAYING", "BuildError", "build", "layout", "packs", "pairs"]

TRIPLE = "wasm32-unknown-unknown"
LAYOUT = "e-m:e-p:32:32-p10:8:8-p20:8:8-i64:64-i128:128-n32:64-S128-ni:1:10:20"
FEATURES = "+bulk-memory,+sign-ext,+mutable-globals"
LINKERS = ("wasm-ld", *(f"wasm-ld-{version}" for version in range(22, 13, -1)))
STACK = 1 << 20
"""Bytes of the module's stack: a search goes 128 plies deep."""

POLL = """
@ticks = internal global i32 0, align 4

declare i32 @tick() #990

define internal i64 @poll(ptr %flag) #991 {
entry:
  %before = load i32, ptr @ticks, align 4
  %now = add i32 %before, 1
  store i32 %now, ptr @ticks, align 4
  %rest = and i32 %now, 8191
  %due = icmp eq i32 %rest, 0
  br i1 %due, label %ask, label %read
ask:
  %said = call i32 @tick()
  %ended = icmp ne i32 %said, 0
  br i1 %ended, label %end, label %read
end:
  store i64 1, ptr %flag, align 8
  br label %read
read:
  %value = load i64, ptr %flag, align 8
  ret i64 %value
}

attributes #990 = { nounwind "wasm-import-module"="env" "wasm-import-name"="tick" }
attributes #991 = { nounwind alwaysinline }
"""

LOWERED = """
define internal i8 @lowered(ptr %at, i8 %by, i32 %condition) #992 {
  %before = load i8, ptr %at, align 1
  %after = sub i8 %before, %by
  store i8 %after, ptr %at, align 1
  %none = icmp eq i8 %after, 0
  %told = zext i1 %none to i8
  ret i8 %told
}

attributes #992 = { nounwind alwaysinline }
"""
"""A count lowered, and whether nothing is left: in one instruction where threads share it."""

WORDS = types.CPointer(types.uint64)
NUMBERS = types.CPointer(types.int64)
OCTETS = types.CPointer(types.uint8)
UNSIGNED, SIGNED = types.uint64, types.int64


class BuildError(RuntimeError):
    """A build that cannot be made here; the message says what is missing."""


# Numba cannot look into modules for kernels that it shall inline, so they get names here.
_prepare, _root, _deepen = root.prepare, root.root, root.deepen
_key_of, _lines = tables.key_of, perft.lines
_begin, _spread, _lookup = retrograde.begin, retrograde.spread, probe.lookup
_value_of, _number_of = packed.value_of, packed.number_of
_MEM, _CTL = tables.MEM_SIZE, tables.CTL_SIZE


def _enter_prepare(own: Any, opp: Any, kings: Any, black: Any, mem: Any, ctl: Any) -> Any:
    return _prepare(own, opp, kings, black, carray(mem, (_MEM,)), carray(ctl, (_CTL,)))


def _enter_root(
    own: Any,
    opp: Any,
    kings: Any,
    black: Any,
    alpha: Any,
    beta: Any,
    depth: Any,
    every: Any,
    mem: Any,
    ctl: Any,
    table: Any,
) -> Any:
    memory, control, entries = carray(mem, (_MEM,)), carray(ctl, (_CTL,)), carray(table, (1,))
    return _root(own, opp, kings, black, alpha, beta, depth, every, memory, control, entries)


def _enter_deepen(
    own: Any,
    opp: Any,
    kings: Any,
    black: Any,
    depth: Any,
    last: Any,
    mem: Any,
    ctl: Any,
    table: Any,
) -> Any:
    memory, control, entries = carray(mem, (_MEM,)), carray(ctl, (_CTL,)), carray(table, (1,))
    return _deepen(own, opp, kings, black, depth, last, memory, control, entries)


def _enter_key(own: Any, opp: Any, kings: Any, black: Any) -> Any:
    return _key_of(own, opp, kings, black)


def _enter_perft(own: Any, opp: Any, kings: Any, black: Any, depth: Any, mem: Any) -> Any:
    return _lines(own, opp, kings, black, depth, mem)


def _enter_begin(
    block: Any,
    left: Any,
    at: Any,
    base: Any,
    first: Any,
    a: Any,
    b: Any,
    c: Any,
    d: Any,
    low: Any,
    high: Any,
    mem: Any,
) -> Any:
    codes, counts, memory = carray(block, (1,)), carray(left, (1,)), carray(mem, (1,))
    return _begin(codes, counts, at, base, first, a, b, c, d, low, high, memory)


def _enter_spread(
    block: Any,
    eights: Any,
    left: Any,
    at: Any,
    code: Any,
    base: Any,
    other: Any,
    first: Any,
    a: Any,
    b: Any,
    c: Any,
    d: Any,
    low: Any,
    high: Any,
) -> Any:
    codes, words, counts = carray(block, (1,)), carray(eights, (1,)), carray(left, (1,))
    return _spread(codes, words, counts, at, code, base, other, first, a, b, c, d, low, high)


def _enter_lookup(own: Any, opp: Any, kings: Any, at: Any) -> Any:
    return _lookup(own, opp, kings, at)


def _enter_value_of(own: Any, opp: Any, kings: Any, black: Any, directory: Any) -> Any:
    return _value_of(own, opp, kings, black, directory)


def _enter_number_of(own: Any, opp: Any, kings: Any, black: Any) -> Any:
    return _number_of(own, opp, kings, black)


Entries: TypeAlias = dict[str, tuple[Callable[..., Any], Any]]
"""A module's functions by name, each with its signature."""

_POSITION = (UNSIGNED, UNSIGNED, UNSIGNED, SIGNED)
_BOUNDS = (SIGNED, SIGNED, SIGNED, SIGNED)
PLAYING: Entries = {
    "prepare": (_enter_prepare, SIGNED(*_POSITION, WORDS, NUMBERS)),
    "root": (_enter_root, SIGNED(*_POSITION, *_BOUNDS, WORDS, NUMBERS, WORDS)),
    "deepen": (_enter_deepen, SIGNED(*_POSITION, SIGNED, SIGNED, WORDS, NUMBERS, WORDS)),
    "key_of": (_enter_key, UNSIGNED(*_POSITION)),
    "perft": (_enter_perft, SIGNED(*_POSITION, SIGNED, WORDS)),
}
"""The module that searches."""

_SLICE = (SIGNED,) * 6
BUILDING: Entries = {
    "begin": (_enter_begin, SIGNED(OCTETS, OCTETS, *(SIGNED,) * 3, *_SLICE, WORDS)),
    "spread": (_enter_spread, SIGNED(OCTETS, WORDS, OCTETS, *(SIGNED,) * 5, *_SLICE)),
    "lookup": (_enter_lookup, SIGNED(UNSIGNED, UNSIGNED, UNSIGNED, SIGNED)),
    "value_of": (_enter_value_of, SIGNED(*_POSITION, SIGNED)),
    "number_of": (_enter_number_of, SIGNED(*_POSITION)),
}
"""The module that builds the endgame database, and looks in it and in packed values."""

CONSTANTS = (
    "PLIES", "PAST", "WIN", "INFINITY", "DECIDED", "LIKELY", "LINES", "KEYS", "MEM_SIZE",
    "CTL_SIZE", "STOP", "NODES", "NODE_LIMIT", "ROOT", "RESETS", "QUIET_LIMIT", "REPEATS",
    "AGE", "MASK", "SIGHT", "COUNT", "DONE", "DEEPEST", "WEIGHTS", "ENDGAMES", "PACKS", "SKIP",
    "SAME", "QUIET", "LENGTH", "ROOT_SCORES", "KILLERS", "HISTORY",
)  # fmt: skip
"""The names of `tables` that JavaScript needs to fill and read the buffers."""


def layout(module: bytes) -> str:
    """Return the places of things in a module's buffers, and its CRC-32, as JavaScript."""
    lines = [f"  {name}: {int(getattr(tables, name))}," for name in CONSTANTS]
    head = "// Written by scripts/wasm.py from kingme.engine.kernels.tables: not to be edited.\n"
    check = f"export const KERNELS = {zlib.crc32(module)};"
    return "\n".join([f"{head}export const AT = {{", *lines, "};", check, ""])


PACKED = (
    "EXACT", "KINDS", "ENDING", "SYMBOLS", "PEEK", "BLOCK", "GROUP", "PIECES", "SLICES", "RECORDS",
    "STRIDE", "FORM", "DEFAULT", "GROUPS", "SIZES", "BITS", "DECODING", "RAW", "PACKED",
)  # fmt: skip
"""The names of `packed` that JavaScript needs to lay packed values out for kernels."""


def packs() -> str:
    """Return the form of packed files, and of the array of words that leads kernels to them."""
    lines = [f"  {name}: {int(getattr(packed, name))}," for name in PACKED]
    following = packing.extra
    more = [following(kind) for kind in range(packed.KINDS)]
    return f"""// Written by scripts/wasm.py from kingme.engine.kernels.packed and
// kingme.engine.endgames.pack: not to be edited.
export const PACKED = {{
{chr(10).join(lines)}
}};
/** Lower bits that follow each kind of run. */
export const MORE = {json.dumps(more)};
/** Bytes of the head of a file and of a slice, and of an entry of the directory. */
export const HEAD = {pack.HEAD.size};
export const ENTRY = {pack.ENTRY.size};
/** Positions of a block of distances. */
export const SPAN = {pack.SPAN};
"""


def pairs(module: bytes) -> str:
    """Return the order and the places of the slices that a page builds, as JavaScript."""
    plan = slices.layout(files.PIECES)
    shown = [
        [[*one.counts, one.positions, plan.places[one]] for one in pair]
        for pair in slices.pairs(files.PIECES)
    ]
    return f"""// Written by scripts/wasm.py from kingme.engine.endgames.slices: not to be edited.
/** Pairs of slices in order: men and kings of either side, positions, first byte. */
export const PAIRS = [
{"".join(f"  {json.dumps(pair)},{chr(10)}" for pair in shown)}];
// Most pieces, words before the directory, and bytes: of units, block, counts, list of moves.
export const PIECES = {files.PIECES};
export const DIRECTORY = {probe.DIRECTORY};
export const UNIT = {slices.UNIT};
export const SIZE = {plan.size};
export const WORKING = {plan.working};
export const MOVES = {8 * movegen.WIDTH};
/** The CRC-32 of endgames.wasm. */
export const KERNELS = {zlib.crc32(module)};
"""


def build(entries: Entries) -> bytes:
    """Return a module; raise `BuildError` where there is no linker for WebAssembly."""
    linker = next(filter(None, map(shutil.which, LINKERS)), None)
    if linker is None:
        raise BuildError(f"no linker for WebAssembly: install lld, which has {LINKERS[0]}")
    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    whole: Any = None
    for name, (function, signature) in entries.items():
        module = llvm.parse_assembly(_rewritten(name, _text(function, signature)))
        if whole is None:
            whole = module
        else:
            whole.link_in(module)
    whole.link_in(llvm.parse_assembly(_header() + POLL.replace("internal i64 @poll", "i64 @poll")))
    whole.verify()
    machine = llvm.Target.from_triple(TRIPLE).create_target_machine(opt=3, features=FEATURES)
    _optimise(whole, machine)
    with tempfile.TemporaryDirectory() as folder:
        compiled, made = Path(folder) / "kernels.o", Path(folder) / "kernels.wasm"
        compiled.write_bytes(machine.emit_object(whole))
        command = [
            linker, "--no-entry", "--gc-sections", "--strip-all", "--allow-undefined",
            *(f"--export={name}" for name in entries), "--export=__heap_base",
            "-z", f"stack-size={STACK}", "-O2", str(compiled), "-o", str(made),
        ]  # fmt: skip
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode:
            raise BuildError(f"{linker} failed: {done.stderr.strip()}")
        return made.read_bytes()


def _text(function: Callable[..., Any], signature: Any) -> tuple[str, str]:
    """Return the intermediate text of an entry, and the name that Numba gave it."""
    entry = cfunc(signature)(function)
    return entry.inspect_llvm(), entry.native_name


def _header() -> str:
    return f'target datalayout = "{LAYOUT}"\ntarget triple = "{TRIPLE}"\n'


def _rewritten(name: str, made: tuple[str, str]) -> str:
    """Return the text of an entry without what is about this processor and about Python."""
    text, native = made
    text = re.sub(r"^target (datalayout|triple) = .*\n", "", text, flags=re.MULTILINE)
    text = re.sub(r'"(target-cpu|target-features|tune-cpu)"="[^"]*"', "", text)
    text = text.replace("= common ", "= linkonce_odr ")
    # What Numba adds for calls from Python, and its count of references: never called here.
    text = re.sub(r"^define [^\n]*@_ZN7cpython[^\n]*\{\n.*?^\}\n", "", text, flags=re.M | re.S)
    text = re.sub(
        r"^define ([^\n]*)@NRT_decref\(([^\n]*)\{\n.*?^\}\n",
        r"define \1@NRT_decref(\2{\n  ret void\n}\n",
        text,
        flags=re.M | re.S,
    )
    if "@llvm.x86.atomic.sub.cc.i8(" in text:
        text = text.replace("call i8 @llvm.x86.atomic.sub.cc.i8(", "call i8 @lowered(") + LOWERED
    text = re.sub(r"^declare [^\n]*@llvm\.x86\.[^\n]*\n", "", text, flags=re.MULTILINE)
    # Errors of Python's: kernels raise none, and should one be reached all the same, it stops.
    text = re.sub(
        r"^declare ([^\n@]*)@(?!llvm\.)(\w+)\(([^\n)]*)\)[^\n]*\n",
        r"define linkonce_odr \1@\2(\3) {\n  call void @llvm.trap()\n  unreachable\n}\n",
        text,
        flags=re.MULTILINE,
    )
    if "declare void @llvm.trap()" not in text:
        text += "\ndeclare void @llvm.trap()\n"
    text = text.replace(f"@{native}(", f"@{name}(").replace(f'@"{native}"(', f"@{name}(")
    text, found = re.subn(
        r"load atomic i64, ptr (%[\w.]+) monotonic, align 8[^\n]*", r"call i64 @poll(ptr \1)", text
    )
    if found:
        text += "\ndeclare i64 @poll(ptr)\n"
    return _header() + text


def _optimise(module: Any, machine: Any) -> None:
    """Inline and tidy what came together; the kernels themselves were optimised before."""
    options = llvm.create_pipeline_tuning_options(speed_level=3)
    options.loop_vectorization = False
    options.slp_vectorization = False
    passes = llvm.create_pass_builder(machine, options)
    passes.getModulePassManager().run(module, passes)
