#!/bin/sh
# SPDX-License-Identifier: MIT
# Three decoders of x86 refuse `mov eax, tr6` and `mov tr6, eax` (0F 24 F0, 0F 26 F0) in 32-bit mode:
# capstone 5.0.9, distorm3 3.5.2, and iced-x86 1.21.0 unless asked with MOV_TR. The 386 and 486 have
# these instructions (80386 Programmer's Reference Manual, 10.6, testing of the TLB). So a decoder's
# "invalid" is not a #UD on the processor that the code was written for. All three decode moves of
# control and debug registers.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check \
    capstone==5.0.9 distorm3==3.5.2 iced-x86==1.21.0
"$folder/venv/bin/python" - <<'END'
import capstone, distorm3, iced_x86

capstone_32 = capstone.Cs(capstone.CS_ARCH_X86, capstone.CS_MODE_32)

def texts(code, options=0):
    one = [f"{i.mnemonic} {i.op_str}" for i in capstone_32.disasm(code, 0)]
    iced = next(iter(iced_x86.Decoder(32, code, options)))
    two = [str(iced)] if iced.code else []
    three = [text.lower() for _, size, text, _ in distorm3.Decode(0, code, distorm3.Decode32Bits)
             if size == len(code)]
    return one, two, three

for name, code in {"cr0": "0f20c0", "dr6": "0f21f0"}.items():
    assert all(texts(bytes.fromhex(code))), name
for code in ("0f24f0", "0f26f0"):
    print(code, texts(bytes.fromhex(code)))
    assert texts(bytes.fromhex(code)) == ([], [], [])
asked = texts(bytes.fromhex("0f24f0"), iced_x86.DecoderOptions.MOV_TR)[1]
print("iced-x86 with MOV_TR:", asked)
assert asked == ["mov eax,tr6"]
END
