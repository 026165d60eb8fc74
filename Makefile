# Every target does its own set-up. Anything with logic is Go.
OUT ?= postern-evidence
BENCHTIME ?= 10x
CALLS ?= 10000x

# One way of compiling for all: static programs, and nothing compiled twice.
export CGO_ENABLED = 0

.PHONY: evidence test bench lint bubblewrap
evidence: bubblewrap ## the main job: run the campaign, write and verify the bundle
	go build -o postern . && ./postern run --out $(OUT) && ./postern verify $(OUT)

bubblewrap: ## for the guard; a try, since what needs it says so itself
	@test -x /usr/bin/bwrap || { test "$$(id -u)" = 0 && apt-get update -q && apt-get install -qy bubblewrap; } || echo "no bubblewrap: install it (as root: apt-get install bubblewrap)" >&2

test: bubblewrap ## the whole suite
	go tool ginkgo run --fail-on-empty --randomize-all --keep-going $(GINKGO_FLAGS) ./...

bench: ## ratios, measured interleaved in one run; one package at a time, for no two to share the cores; of a call ten thousand, of a kill two hundred
	go test -p 1 -run '^$$' -bench 'Parts|Own|Group' -benchtime $(CALLS) -timeout 30m ./gateway ./gateway/audit
	go test -run '^$$' -bench Killed -benchtime 200x ./gateway/audit
	go test -p 1 -run '^$$' -bench . -skip 'Parts|Own|Group|Killed' -benchtime $(BENCHTIME) -timeout 30m ./harness ./gateway ./gateway/audit ./gateway/telemetry ./observers/canary ./observers/canary/forms ./observers/canary/scan

lint:
	test -z "$$(gofmt -l .)" && go vet ./...
