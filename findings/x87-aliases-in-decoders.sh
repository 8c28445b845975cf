#!/bin/sh
# SPDX-License-Identifier: MIT
# Processors execute second encodings of fcom, fcomp, fxch and fstp (DC D0, DC D8, DD C8, DF C8, DF D0),
# which Intel's manual leaves out; tried on an AMD EPYC. iced-x86 1.21.0 decodes them by the names of
# their twins. capstone 5.0.9 and distorm3 3.5.2 decode none of them, and the second writes `fedisi`
# for fdisi (DB E1). A sweep over the opcodes that such a decoder knows leaves these instructions out.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check \
    capstone==5.0.9 distorm3==3.5.2 iced-x86==1.21.0
"$folder/venv/bin/python" - <<'END'
import capstone, distorm3, iced_x86

capstone_32 = capstone.Cs(capstone.CS_ARCH_X86, capstone.CS_MODE_32)
seen = {}
for code in ("dcd0", "dcd8", "ddc8", "dfc8", "dfd0", "dbe1"):
    raw = bytes.fromhex(code)
    iced = next(iter(iced_x86.Decoder(32, raw)))
    seen[code] = (
        [f"{i.mnemonic} {i.op_str}".strip() for i in capstone_32.disasm(raw, 0)],
        str(iced) if iced.code else None,
        [text.lower() for _, size, text, _ in distorm3.Decode(0, raw, distorm3.Decode32Bits)
         if size == 2],
    )
    print(code, *seen[code])
for code, name in {"dcd0": "fcom", "dcd8": "fcomp", "ddc8": "fxch", "dfc8": "fxch",
                   "dfd0": "fstp"}.items():
    assert seen[code][0] == [] and seen[code][2] == [], code
    assert seen[code][1].split()[0] == name, code
assert seen["dbe1"][2] == ["fedisi"]
END
