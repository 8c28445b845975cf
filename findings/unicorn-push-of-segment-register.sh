#!/bin/sh
# SPDX-License-Identifier: MIT
# Unicorn 2.1.4 (the CPU of QEMU as a library): `push ds` with a 32-bit operand writes four bytes.
# Processors write two and leave the upper half of the slot as it was: Intel's manual (SDM volume 2,
# PUSH) says so of its recent ones, and the tests of test386.asm expect it of a 386. Whoever compares
# memory with Unicorn after each instruction meets this difference.
# Seen: slot efbeadde before, 00000000 after; 0000adde is due.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check unicorn==2.1.4 setuptools==80.9.0
seen=$("$folder/venv/bin/python" - <<'END'
from unicorn import UC_ARCH_X86, UC_MODE_32, Uc
from unicorn.x86_const import UC_X86_REG_DS, UC_X86_REG_ESP

cpu = Uc(UC_ARCH_X86, UC_MODE_32)
cpu.mem_map(0, 0x10000)
cpu.mem_write(0x1000, b"\x1e")  # push ds
cpu.mem_write(0x7FFC, bytes.fromhex("efbeadde"))
cpu.reg_write(UC_X86_REG_ESP, 0x8000)
cpu.emu_start(0x1000, 0x1001)
assert cpu.reg_read(UC_X86_REG_ESP) == 0x7FFC
assert cpu.reg_read(UC_X86_REG_DS) == 0
print(cpu.mem_read(0x7FFC, 4).hex())
END
)
echo "the slot after push ds: $seen"
test "$seen" = 00000000
