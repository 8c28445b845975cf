# SPDX-License-Identifier: MIT
# Two commands do all: `make demo` and `make test`. The rest is plain CMake presets underneath.

.PHONY: demo simulator build build-tests check test figures figures-other pictures \
    bench asan tsan wide lint lint-format lint-tidy fuzz soak soak-lockstep soak-engines soak-fuzz soak-linux soak-threads soak-sweep check-tree mutants site wheel lint-python clean

# Python keeps what it has compiled, whatever the environment says: tests start it hundreds of times.
export PYTHONDONTWRITEBYTECODE =

# The two commands, in the root of the tree.
LINKS = ln -sf build/release/symsim symsim && ln -sf .venv/bin/symlab symlab

# The simulator, the guest that the quickstart runs, the kernel of Linux programs, and the report of
# the quickstart. Python packages are installed while the simulator is built.
demo:
	@scripts/install.sh run
	@scripts/install.sh python-run & python=$$!; \
	    $(MAKE) --no-print-directory simulator GUESTS="guest-counter-read guest-linux" && wait $$python
	./symsim configs/quickstart.toml
	@.venv/bin/symlab report results/quickstart
	@echo
	@echo "Open results/quickstart/report.html in a browser: who used the bus, and who waited for whom."
	@echo "Next: write a lock of your own (docs/tutorials/your-own-lock.md), or run an experiment of the"
	@echo "paper:  ./symlab sweep papers/ALL/figures/figure-4.1.toml"

# GUESTS: targets of guests to build as well, guest-NAME each; all of them are the target `guests`.
GUESTS =
simulator:
	@test -f build/release/build.ninja || cmake --preset release --log-level=NOTICE
	@cmake --build --preset release --target symsim $(GUESTS)
	@$(LINKS)

# The simulator, all guests and the lab.
build:
	@scripts/install.sh run
	@scripts/install.sh python-run & python=$$!; \
	    $(MAKE) --no-print-directory simulator GUESTS=guests && wait $$python

# Everything, with the tests. What only running them needs is installed while they are built.
build-tests:
	@scripts/install.sh build-tests
	@scripts/install.sh test & programs=$$!; \
	    scripts/install.sh python-test & python=$$!; \
	    cmake --preset release --log-level=NOTICE -DSYMSIM_TESTS=ON && \
	    cmake --build --preset release && wait $$programs && wait $$python
	@$(LINKS)

# For the loop of somebody who changes something: unit tests of the model, both engines on a few
# random guests, and the tests of the tree and the docs. No whole programs, no lockstep, no fuzzers.
CHECKED = base bus cache coherence config cpu debug devices engine image interconnect machine nodes \
    observe
check:
	@scripts/install.sh test
	@scripts/install.sh python-test
	@cmake --preset release --log-level=NOTICE -DSYMSIM_TESTS=ON
	@cmake --build --preset release --target symsim $(addprefix test_,$(CHECKED))
	@$(LINKS)
	@export SYMSIM_RANDOM_GUESTS=10 SYMSIM_COHERENCE_ACCESSES=300000 SYMSIM_ORACLE_ROUNDS=20; \
	    for test in $(CHECKED); do \
	        build/release/tests/test_$$test --gtest_brief=1 || exit 1; done
	@.venv/bin/python -m pytest -q tests/lab/test_structure.py tests/lab/test_doc_links.py

# Both at once: the lab's tests often wait for processes and clocks. Pytest is the one in the
# background, where a shell starts programs with Ctrl-C ignored: its tests take it back. The output
# of ctest is shown at the end, without its lines of success.
test: build-tests
	@echo "pytest, and beside it ctest, which writes build/release/ctest.txt:"
	@SYMSIM_BINARY="$(CURDIR)/symsim" .venv/bin/python -m pytest -q -n auto --dist loadfile \
	    --no-loadscope-reorder tests/lab & lab=$$!; \
	    ctest --preset release -j 1 >build/release/ctest.txt 2>&1; model=$$?; \
	    wait $$lab; lab=$$?; \
	    grep -v '  Passed  \|^ *Start ' build/release/ctest.txt; \
	    exit $$((lab + model))

# From nothing to papers/ALL/results/README.md: the run-to-run spread of ALL, what rests on guesses, and every table
# and figure at the paper's size. papers/ALL/results/cost.json says what it cost; bench_parts measures the
# host for that. Finished runs are kept: the same command continues where it was stopped.
# FIGURES=--fresh makes all of them again.
FIGURES =
figures:
	@scripts/install.sh test
	@scripts/install.sh python-extras
	@cmake --preset release --log-level=NOTICE -DSYMSIM_TESTS=ON
	@$(MAKE) --no-print-directory simulator GUESTS="guests bench_parts"
	.venv/bin/symlab paper ALL complete $(FIGURES)

# The sweeps of configs/figures, which are of no paper, one after the other, into results/. One
# that fails does not keep the next from running.
figures-other: build
	@failed=; for config in $(wildcard $(foreach folder,model-b programs nodes,configs/figures/$(folder)/*.toml)); do \
	    echo "== $$config"; .venv/bin/symlab sweep $$config && continue; \
	    if [ $$? -eq 130 ]; then exit 130; fi; failed="$$failed $$config"; \
	done; if [ -n "$$failed" ]; then echo "failed:$$failed" >&2; exit 1; fi

# The pictures of the docs: a sweep over all locks, some short runs, then docs/pictures/*.svg.
pictures: build
	@scripts/install.sh python-extras
	.venv/bin/symlab sweep configs/figures/locks/all-locks.toml
	.venv/bin/python -m symlab_tools.pictures

# The simulator's own speed, on a host that does nothing else; docs/dev/performance.md.
bench: build-tests
	.venv/bin/symlab bench
	build/release/tests/bench_parts --benchmark_repetitions=5 \
	    --benchmark_report_aggregates_only=true --benchmark_out=results/bench/parts.json

# The docs as a site that opens from files: build/site/index.html.
site:
	@scripts/install.sh run
	@scripts/install.sh python-site
	NO_MKDOCS_2_WARNING=1 .venv/bin/mkdocs build --strict
	@echo "Open build/site/index.html in a browser."

# symlab with the simulator, for Python on any Linux whose C library is as new as Debian 12's:
# build/symlab-*.whl. auditwheel adds the shared libraries.
wheel:
	@scripts/install.sh run
	@scripts/install.sh python-wheel
	@$(MAKE) --no-print-directory simulator GUESTS=guest-counter-read
	@rm -rf build/wheel build/symlab-*.whl
	@.venv/bin/pip wheel --quiet --no-deps --no-build-isolation -w build/wheel ./lab
	@PATH="$(CURDIR)/.venv/bin:$$PATH" .venv/bin/auditwheel repair -w build build/wheel/symlab-*.whl
	@ls -lh build/symlab-*.whl

# Format, lint and types of the Python code; lab/pyproject.toml says what is checked.
PYTHON_CODE = lab papers scripts tests/lab
lint-python:
	@scripts/install.sh run
	@scripts/install.sh python-lint
	.venv/bin/ruff format --config lab/pyproject.toml --check --quiet $(PYTHON_CODE)
	.venv/bin/ruff check --config lab/pyproject.toml --quiet $(PYTHON_CODE)
	.venv/bin/mypy --config-file lab/pyproject.toml lab/symlab lab/symlab_papers lab/symlab_tools scripts tests/lab
	.venv/bin/mypy --config-file lab/pyproject.toml --explicit-package-bases papers

# The same tests with address and undefined-behaviour sanitizers.
asan:
	@scripts/install.sh test
	@cmake --preset asan --log-level=NOTICE
	@cmake --build --preset asan
	ctest --preset asan

# The tests of traces with the thread sanitizer: a thread of its own writes them
# (sim/observe/trace_feed.h). Whole programs are not among them: the sanitizer does not know
# SystemC's stacks. Nor does it know the fences of Boost.Asio, in the debugger's port, which has one
# thread: the preset has -Wno-tsan.
TSAN_TESTS = Trace*:Perfetto*:Vcd*:TransactionLog*:Recorder*
tsan:
	@scripts/install.sh test
	@cmake --preset tsan --log-level=NOTICE
	@cmake --build --preset tsan --target test_observe
	TSAN_OPTIONS=halt_on_error=1 build/tsan/tests/test_observe --gtest_brief=1 \
	    --gtest_filter='$(TSAN_TESTS):-*Death*'

# What tools find without a run: the format of C and C++, mistakes in C++, and Python.
lint: lint-format lint-tidy lint-python

CPP_FILES = $(shell find sim tests guest -path tests/lab/stubs -prune -o -name '*.[ch]' -print -o -name '*.cpp' -print)
lint-format:
	@scripts/install.sh lint
	clang-format --dry-run -Werror $(CPP_FILES)

# Of the simulator: .clang-tidy says what. TIDY=sim/run looks at one folder.
TIDY = sim
lint-tidy:
	@scripts/install.sh lint
	@cmake --preset lint --log-level=NOTICE
	run-clang-tidy -quiet -p build/lint "$(CURDIR)/$(TIDY)/"

# Machines of up to 128 processors (SYMSIM_MAX_PROCESSORS): unit tests of what has sets of
# processors, both engines on random guests, and a guest on all processors. Its guests are compiled
# for 128 processors too.
WIDE = base bus cache coherence config devices engine interconnect machine nodes observe
wide:
	@scripts/install.sh test
	@cmake --preset wide --log-level=NOTICE
	@cmake --build --preset wide --target symsim guest-counter-read guest-barriers-tournament \
	    guest-null_threads-local-readyq $(addprefix test_,$(WIDE))
	@for test in $(WIDE); do build/wide/tests/test_$$test --gtest_brief=1 || exit 1; done
	@build/wide/symsim configs/quickstart.toml --set machine.processors=128 \
	    --out build/wide/runs/counter-read
	@for guest in barriers-tournament null_threads-local-readyq; do \
	    build/wide/symsim configs/machines/symmetry-a.toml --set machine.processors=128 \
	        --set guest.image=build/wide/guest/$$guest.elf --out build/wide/runs/$$guest || exit 1; \
	    done

# libFuzzer with both sanitizers, SYMSIM_FUZZ_SECONDS (60) each, two at a time.
fuzz:
	@scripts/install.sh fuzz
	@cmake --preset fuzz --log-level=NOTICE
	@cmake --build --preset fuzz
	ctest --preset fuzz

# What takes too long for every test run. Each part prints the seed that makes it happen again.
soak: soak-lockstep soak-engines soak-fuzz soak-linux soak-threads soak-sweep

# 80 million random instructions against Unicorn, 10 million in each of eight worlds;
# SYMSIM_LOCKSTEP_SEED chooses others.
soak-lockstep: build-tests
	SYMSIM_LOCKSTEP_VECTORS=10000000 \
	SYMSIM_LOCKSTEP_SEED=$${SYMSIM_LOCKSTEP_SEED:-$$(date +%s)} build/release/tests/test_lockstep

# Every lock, barrier and strategy of the tree under all schedules within a bound: results/check.
# Interrupted searches continue.
check-tree: build-tests
	mkdir -p build/check results/check
	.venv/bin/python scripts/check_tree.py results/check/locks.csv --only lock
	.venv/bin/python scripts/check_tree.py results/check/locks-3.csv --only lock --processors 3 \
	    --preemptions 1 --configs configs/check
	.venv/bin/python scripts/check_tree.py results/check/barriers.csv --only barrier
	.venv/bin/python scripts/check_tree.py results/check/strategies.csv --only strategy --preemptions 1

# How many schedules symlab check needs for each mutant of tests/mutants, and whether ordinary stress
# of the same length finds it: results/check/mutants.csv.
mutants: build-tests
	mkdir -p build/check/mutants results/check
	.venv/bin/python tests/mutants/search.py build/check/mutants
	cp build/check/mutants/mutants.csv results/check/mutants.csv

# Both engines on every guest of the tests, and on 1000 random guests for each kind of machine and
# system; SYMSIM_FIRST_SEED chooses others.
soak-engines: build-tests
	SYMSIM_RANDOM_GUESTS=$${SYMSIM_RANDOM_GUESTS:-1000} \
	SYMSIM_FIRST_SEED=$${SYMSIM_FIRST_SEED:-$$(date +%s)} build/release/tests/test_engine \
	    --gtest_filter='Engines.AgreeOn*'
	SYMSIM_ALL_ENGINES=1 build/release/tests/test_run --gtest_brief=1 --gtest_filter='Guest/*:Locks/*'

# The fuzzers for hours. What they find worth keeping stays in build/fuzz/soak for the next time.
soak-fuzz: build
	SYMSIM_FUZZ_SECONDS=$${SYMSIM_FUZZ_SECONDS:-7200} SYMSIM_FUZZ_SEED=$${SYMSIM_FUZZ_SEED:-$$$$} \
	    SYMSIM_FUZZ_CORPUS="$(CURDIR)/build/fuzz/soak" $(MAKE) --no-print-directory fuzz

# Random system calls of Linux programs, an hour if SYMSIM_FUZZ_SECONDS is not set.
soak-linux: build-tests
	SYMSIM_FUZZ_SECONDS=$${SYMSIM_FUZZ_SECONDS:-3600} SYMSIM_FUZZ_SEED=$${SYMSIM_FUZZ_SEED:-$$$$} \
	    cmake --build build/release --target linux_fuzz

# A million operations of threads for each strategy on 1, 8 and 20 processors.
soak-threads: build
	.venv/bin/symlab sweep configs/soak/threads.toml --out build/soak-threads \
	    --set "run.seed=[$${SYMSIM_THREADS_SEED:-$$(date +%s)}]"

# A sweep of 2,000 runs whose processes are killed and whose disk is filled gives the same rows as an
# undisturbed one. A tmpfs is the disk, in a mount namespace of its own.
soak-sweep: build
	.venv/bin/python tests/soak/sweep_soak.py --runs 2000 \
	    --minutes $${SYMSIM_SOAK_MINUTES:-30} --seed $${SYMSIM_SOAK_SEED:-$$(date +%s)}

clean:
	rm -rf build symsim
