# SPDX-License-Identifier: MIT
# Two commands do all: `make demo` and `make test`. The rest is plain CMake presets underneath.

.PHONY: demo test figures figures-other bench build install asan fuzz soak soak-lockstep soak-fuzz soak-threads clean

demo: build
	./symsim configs/quickstart.toml
	@echo
	@echo "The results are in results/quickstart/; docs/outputs.md says what each file holds."

build: install
	@cmake --preset release --log-level=NOTICE
	@cmake --build --preset release
	@ln -sf build/release/symsim symsim

test: build
	ctest --preset release
	SYMSIM_BINARY="$(CURDIR)/symsim" .venv/bin/python -m pytest -q -n auto --dist loadfile \
	    tests/lab
	$(MAKE) --no-print-directory fuzz

# Every table and figure of ALL at the paper's size, the run-to-run spread, what rests on guesses, and
# the page of it all: results/README.md. Finished runs are kept: the same command goes on where it was
# stopped.
figures: build
	.venv/bin/symlab reproduce ALL --spread
	.venv/bin/symlab reproduce ALL --sensitivity
	.venv/bin/symlab reproduce ALL

# The sweeps of configs/figures that are no figure of ALL, one after the other, into results/. One
# that fails does not keep the next from running.
figures-other: build
	@failed=; for config in $(wildcard configs/figures/model-b/*.toml configs/figures/programs/*.toml); do \
	    echo "== $$config"; .venv/bin/symlab sweep $$config && continue; \
	    if [ $$? -eq 130 ]; then exit 130; fi; failed="$$failed $$config"; \
	done; if [ -n "$$failed" ]; then echo "failed:$$failed" >&2; exit 1; fi

# The simulator's own speed, on a host that does nothing else; docs/performance.md.
bench: build
	.venv/bin/symlab bench
	build/release/tests/bench_parts --benchmark_repetitions=5 \
	    --benchmark_report_aggregates_only=true --benchmark_out=results/bench/parts.json

# The same tests with address and undefined-behaviour sanitizers.
asan: install
	@cmake --preset asan --log-level=NOTICE
	@cmake --build --preset asan
	ctest --preset asan

# libFuzzer with both sanitizers, SYMSIM_FUZZ_SECONDS (60) each, two at a time.
fuzz: install
	@cmake --preset fuzz --log-level=NOTICE
	@cmake --build --preset fuzz
	ctest --preset fuzz

# What takes too long for every test run. Each part prints the seed that makes it happen again.
soak: soak-lockstep soak-fuzz soak-threads

# 80 million random instructions against Unicorn, 10 million in each of eight worlds;
# SYMSIM_LOCKSTEP_SEED chooses others.
soak-lockstep: build
	SYMSIM_LOCKSTEP_VECTORS=10000000 \
	SYMSIM_LOCKSTEP_SEED=$${SYMSIM_LOCKSTEP_SEED:-$$(date +%s)} build/release/tests/test_lockstep

# The fuzzers for hours. What they find worth keeping stays in build/fuzz/soak for the next time.
soak-fuzz: build
	SYMSIM_FUZZ_SECONDS=$${SYMSIM_FUZZ_SECONDS:-7200} SYMSIM_FUZZ_SEED=$${SYMSIM_FUZZ_SEED:-$$$$} \
	    SYMSIM_FUZZ_CORPUS="$(CURDIR)/build/fuzz/soak" $(MAKE) --no-print-directory fuzz

# A million operations of threads for each strategy on 1, 8 and 20 processors.
soak-threads: build
	.venv/bin/symlab sweep configs/soak/threads.toml --out build/soak-threads \
	    --set "run.seed=[$${SYMSIM_THREADS_SEED:-$$(date +%s)}]"

install:
	@scripts/install.sh

clean:
	rm -rf build symsim
