package main

import (
	"errors"
	"path/filepath"

	"postern/reports"
)

// sampleBundle publishes a small bundle in a directory, for commands that read
// one. It fits together; of what is registered it knows nothing.
func sampleBundle(dir string) (err error) {
	e := sampleEvidence()
	m := reports.Manifest{}
	for _, t := range e.Trials {
		m.Trials = append(m.Trials, reports.Planned{
			ID: t.ID, Kind: t.Kind, Control: t.Control, Expected: t.Expected, With: t.With, Baseline: t.Baseline, Reason: declared(t),
		})
	}
	stage, err := reports.Stage(filepath.Join(dir, "shown"))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, stage.Discard()) }()
	if err := stage.WriteManifest(m); err != nil {
		return err
	}
	if _, err := stage.WriteEvidence(e); err != nil {
		return err
	}
	return errors.Join(stage.Seal(), stage.Publish())
}

func declared(t reports.Trial) string {
	if t.Status == reports.NotApplicable {
		return ""
	}
	return t.Reason
}

func sampleEvidence() reports.Evidence {
	e := reports.Evidence{
		Generator:   reports.Generator{Version: "dev", Commit: reports.Unknown},
		Environment: reports.Environment{CPUs: 1}.Closed(),
		Run:         reports.Run{Parallel: 1, Profile: reports.Reference, Shard: 1, Shards: 1},
		Channels: []reports.Channel{
			{ID: "net.tcp4", Family: "net", Sink: "tcp4"},
			{ID: "net.raw", Family: "net", Sink: "tap"},
			{ID: "net.vsock", Family: "net", Sink: "vsock"},
			{ID: "file.root", Family: "file", Sink: "file"},
			{ID: "file.shm", Family: "file", Sink: "file"},
		},
		Controls: []reports.Control{
			{ID: "profile.network-none", Group: "network"},
			{ID: "profile.capabilities-dropped", Group: "network"},
			{ID: "profile.root-readonly"},
			{ID: "profile.links-none", Group: "network"},
			{ID: "profile.vsock-none"},
			{ID: "profile.tty-off"},
		},
		Trials: []reports.Trial{
			mutated("mutant/profile/network-host", reports.Killed, "net.tcp4", "profile.network-none"),
			mutated("mutant/profile/root-writable", reports.Killed, "file.root", "profile.root-readonly"),
			mutated("mutant/profile/cap-add-raw", reports.Equivalent, "", "profile.capabilities-dropped"),
			mutated("mutant/pair/network-host/cap-add-raw", reports.Killed, "net.raw", "profile.capabilities-dropped", "profile.network-none"),
			mutated("mutant/profile/links-added", reports.Equivalent, "", "profile.links-none"),
			mutated("mutant/profile/vsock-allowed", reports.NotApplicable, "net.vsock", "profile.vsock-none"),
		},
		Residuals: []reports.Residual{
			{Channel: "cpu.load", Profile: reports.Reference, Reader: reports.HostRoot, BitsSent: 128, BitsRecovered: 128, DurationUS: 60_000_000, Mitigation: "cpu-quota", MitigatedBits: 9, MitigatedUS: 90_000_000},
		},
	}
	e.Trials[4].Reason, e.Trials[5].Reason = "no-peer", "no-vsock"
	e.Trials[5].Outcome = "not-applicable"
	e.Run.Planned, e.Run.Selected = len(e.Trials), len(e.Trials)
	return e
}

func mutated(id string, status reports.Status, opens string, controls ...string) reports.Trial {
	t := reports.Trial{
		ID: id, Kind: reports.Mutant, Control: controls[0], With: controls[1:], Status: status,
		Outcome: "completed", Container: reports.Exited, Verdict: reports.Contained,
	}
	if opens != "" {
		t.Expected.Opens = []string{opens}
	}
	if status == reports.Killed {
		t.Verdict, t.Openings = reports.Leaked, t.Expected.Opens
	}
	return t
}
