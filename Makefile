# The front door: `make run` plays, `make test` is exactly what CI runs. CONTRIBUTING.md says more.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
# A worker thread that outlives its test would hang the whole run for ever, so the run has an end: make LIMIT= test
# for a machine that is very busy.
LIMIT ?= $(if $(shell command -v timeout),timeout --kill-after=15 2400)

# The second suite: what stores, on PostgreSQL. Tests that opened no store in the first one are left out by themselves
# (tests/support/storeless_tests.py).
ON_POSTGRES := $(addprefix tests/,store tables tournaments clocks series ratings profiles)
SECOND_SUITE := CANASTA_TEST_ENGINE=postgres $(BIN)/python -m pytest -n auto --dist worksteal -m "not nightly and not file" $(ON_POSTGRES)

# Some machines forbid Python to keep bytecode; every worker of the tests would then compile pytest's plugins again.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: run test coverage soak nightly languages check format setup requirements compile plain pictures games gallery golden rulebook proofs clean

## Play: on Discord if DISCORD_TOKEN is set (environment or .env), else the demo in your browser.
run: $(VENV)/.demo
	@exec $(BIN)/canasta-bot

## Run every gate.
test: check
	$(BIN)/python -m compileall -q -j 0 bot cogs render
	$(LIMIT) $(BIN)/python -m pytest -n auto --dist worksteal
	$(LIMIT) env $(SECOND_SUITE)

## Run the same tests, count the lines that they cover, and hold them to a floor; tracing takes three times as long.
coverage: $(VENV)/.dev
	$(BIN)/python -m pytest -n auto --cov

## Run the gates that need no running program: format, lint, types, architecture.
check: $(VENV)/.dev
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports

## Look for positions without a legal move in many deals of every rule set: make soak SOAK="--rules samba --seconds 600"
soak: $(VENV)/.dev
	$(BIN)/python -m tests.support.soak_games $(SOAK)

## Play months of forty slow games, up to an hour (of four: NIGHTLY_GAMES=4 make nightly), and games at the demo's page. Then
## run all tests that walk by seeds, 25 times as far and with all their parts, from a seed that nobody has tried
## (SEEDS_FROM=1700000000 make nightly repeats a night), and the tests of Hypothesis with 40 times as many new examples (it
## prints how to repeat one that fails). Last check the floor of coverage, which takes three times as long.
nightly: $(VENV)/.dev
	$(BIN)/python -m pytest -n0 -m nightly
	SEEDS_FROM=$${SEEDS_FROM:-$$(date +%s)} && echo "SEEDS_FROM=$$SEEDS_FROM" && export SEEDS_FROM && \
	    HYPOTHESIS_PROFILE=search SEEDS_TIMES=25 $(BIN)/python -m pytest -n auto --timeout=3600 \
	    $(shell grep -rl --include="test_*.py" -e "^from hypothesis" -e "tests.support.\(seeds\|rollout_world_comparison\|desk_pages\|series_pages\|tournament_pages\)" tests)
	$(MAKE) coverage

## List what a language lacks, what is too long, and terms unlike the glossary's: make languages LANG=es
languages: $(VENV)/.dev
	@$(BIN)/python -m tests.support.language_faults $(if $(filter command,$(origin LANG)),$(LANG))

## Bring the code into shape.
format: $(VENV)/.dev
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

## Make the environment for development, without running anything.
setup: $(VENV)/.dev

## Compile the pins again from pyproject.toml: make requirements UPGRADE=--upgrade
requirements: $(VENV)/.tools
	./requirements/compile $(BIN)/uv $(UPGRADE)

## Take the pictures of the README again from the running demo (needs a Chromium).
pictures: $(VENV)/.dev
	$(BIN)/python docs/screenshots.py

## Compile the rollout world of the expert players, where a C compiler is there; nothing needs it. `make plain` takes it back.
## In a folder of its own, because the build tool would take pyproject.toml for a description of these modules.
compile: $(VENV)/.dev
	mkdir -p build/rollout && ln -sfn ../../bot build/rollout/bot
	cd build/rollout && ../../$(BIN)/mypyc $(addprefix bot/computer/rollout/,$(addsuffix .py,form policy_numbers limited/face_down_feet runs/suits_and_runs world moves scores limited/going_out_needs limited/meld_limits opening wild_melds finishing limited/laying_down limited/foot_turns discards policy rollouts runs/moves runs/discards runs/policy runs/dealing))
	mv build/rollout/*__mypyc*.so .

plain:
	rm -f *__mypyc*.so bot/computer/rollout/*.so bot/computer/rollout/*/*.so

## Play games of several rule sets at the demo's page, to look at in build/games: make games GAMES="samba or five"
games: $(VENV)/.dev
	TRANSCRIPT=build/games $(BIN)/python -m pytest -n0 -m nightly tests/demo/test_games_in_browser.py tests/demo/test_slow_game_in_browser.py tests/demo/test_cup_in_browser.py -k "$(GAMES)"

## Draw the pictures of docs/gallery.md again.
gallery: $(VENV)/.dev
	$(BIN)/python -m tests.render.gallery

## Approve the pictures as they look now (look first: python -m tests.render.draw_samples FOLDER); draws the gallery too.
golden: $(VENV)/.dev
	$(BIN)/python -m tests.render.golden_pictures --approve

## Write the rule books (docs/rules) again from the rules' data.
rulebook: $(VENV)/.dev
	$(BIN)/python -m tests.docs.rulebook

## Search again which case proves which value of the rules (tests/data/proofs.json); `make nightly` checks the result.
proofs: $(VENV)/.dev
	$(BIN)/python -m tests.support.case_proofs

clean:
	rm -rf $(VENV) dist build htmlcov .coverage .coverage.* .hypothesis .import_linter_cache .mypy_cache .pytest_cache .ruff_cache
	find bot cogs render tests -name __pycache__ -type d -prune -exec rm -rf {} +

# A stamp is made after its requirements are in; while they are unchanged nothing is looked at again.
$(VENV)/.%: requirements/%.txt pyproject.toml | $(BIN)/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r $<
	$(if $(filter tools,$*),,$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation -e .)
	@touch $@

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || { \
	    echo "canasta-bot needs Python 3.11 or newer, and '$(PYTHON)' is not. Install one, then: make PYTHON=/path/to/python3.11 $(MAKECMDGOALS)" >&2; exit 1; }
	@$(PYTHON) -m venv $(VENV) || { \
	    rm -rf $(VENV); echo "Python cannot make virtual environments here. On Debian and Ubuntu: apt-get install python3-venv" >&2; exit 1; }
