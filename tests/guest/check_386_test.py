#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""guest/check_386.py accepts the instructions of a 386 and refuses later ones. With --isa i486 it
also accepts those of a 486.

    check_386_test.py GCC
"""

import pathlib
import re
import subprocess
import sys
import tempfile

CHECK = pathlib.Path(__file__).resolve().parents[2] / "guest" / "check_386.py"

ALLOWED = """
    mov %eax, (%ebx); movzbl %al, %ecx; movswl (%esi), %edx; xchgb %al, (%ebx); lock incl (%ebx)
    shld $3, %eax, %edx; bsf %eax, %ecx; bt %eax, (%ebx); setg %al; cltd; cwtl; rep movsl
    repne scasb; imul $5, %eax, %edx; divl %ecx; pusha; popa; leave; enter $8, $0; ret $4
    lcall $8, $0; iret; ljmp *(%eax); lidt (%eax); mov %cr0, %eax; mov %eax, %cr3; jecxz .
    loop .; hlt; nop; sahf; lahf; call *%eax; jmp *(%ebx); adc %eax, %ebx; sbb $1, %eax; xlat
    lock btsl $3, (%eax); fs movl (%eax), %eax; lods (%esi), %al; stosl; cmpsb; insb; outsl
    lock incl 4096; in $3, %al; out %al, %dx; int $3; into; bound %eax, (%ebx)
    fldz; flds (%eax); fldl (%eax); fldt (%eax); fildll (%eax); fistpll (%eax); fstpt (%eax)
    fbld (%eax); fbstp (%eax); faddl (%eax); fsubrp; fidivrl (%eax); fxch %st(3); fucompp; fcoms 4
    fnstsw %ax; fstsw %ax; fnstcw (%eax); fldcw (%eax); finit; fnclex; fnsave (%eax); frstor (%eax)
    fldenv (%eax); fnstenv (%eax); fprem1; fsincos; fpatan; fyl2xp1; f2xm1; fscale; fwait; fxam
    fincstp; fdecstp; ffree %st(2); fnop; ftst; fxtract; frndint; fchs; fabs; fsqrt; fldl2t; ud2
"""

REFUSED = """
    endbr32; cmovne %eax, %ebx; cmpxchg %eax, (%ebx); xadd %eax, (%ebx); bswap %eax
    invlpg (%eax); wbinvd; invd; rdtsc; cpuid; cmpxchg8b (%eax); nopl (%eax); pause
    sysenter; rdmsr; lfence; movd %eax, %mm0; movaps %xmm0, %xmm1; movsd (%eax), %xmm0
    cvtsi2sd %eax, %xmm0; popcnt %eax, %ebx; tzcnt %eax, %ebx; prefetchnta (%eax)
    movbe (%eax), %ebx; vaddps %xmm0, %xmm1, %xmm2; mov %eax, %cr4; fisttpl (%eax)
    fcmovb %st(1), %st; fcomi %st(1), %st; fucomip %st(1), %st; ffreep %st(1); fxsave (%eax)
    clflush (%eax); xbegin .; .byte 0xf0, 0x89, 0x03; .byte 0xf0, 0xff, 0xc0
    .byte 0x0f, 0xff
"""  # the last three: lock mov, lock inc of a register, no instruction at all

ADDED_486 = "cmpxchg %eax, (%ebx); xadd %eax, (%ebx); lock xadd %eax, 4; lock cmpxchg %al, (%esi)"
ADDED_486 += "; bswap %eax; invlpg (%eax); wbinvd; invd"
# The last one is lock xadd with a register operand.
REFUSED_486 = "rdtsc; cpuid; cmpxchg8b (%eax); cmovne %eax, %ebx; .byte 0xf0, 0x0f, 0xc1, 0xc3"


def refused(gcc, folder, instructions, isa="i386"):
    """The instructions that the check refuses; each is a function i0, i1, ... of one object."""
    source, image = folder / "code.s", folder / "code.o"
    padding = "\t.fill 8, 1, 0x90\n"  # keeps undecodable bytes from consuming the next function
    source.write_text(
        "\t.text\n" + "".join(f"i{n}:\t{i}\n{padding}" for n, i in enumerate(instructions))
    )
    subprocess.run([gcc, "-m32", "-c", source, "-o", image], check=True)
    command = [sys.executable, CHECK, "--isa", isa, image]
    run = subprocess.run(command, capture_output=True, text=True)
    numbers = {int(n) for n in re.findall(r"code\.o: i(\d+), 0x", run.stderr)}
    assert run.returncode == (1 if numbers else 0), run.stderr
    return [i for n, i in enumerate(instructions) if n in numbers]


def split(text):
    return [i.strip() for i in text.replace("\n", ";").split(";") if i.strip()]


def main(gcc):
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        wrongly_refused = refused(gcc, folder, split(ALLOWED))
        assert not wrongly_refused, f"a 386 has {wrongly_refused}"
        caught = refused(gcc, folder, split(REFUSED))
        missed = [i for i in split(REFUSED) if i not in caught]
        assert not missed, f"a 386 has no {missed}"
        for text, expected in (ALLOWED, []), (ADDED_486, []), (REFUSED_486, split(REFUSED_486)):
            found = refused(gcc, folder, split(text), "i486")
            assert found == expected, f"on a 486 refused {found}, should be {expected}"


if __name__ == "__main__":
    main(*sys.argv[1:])
