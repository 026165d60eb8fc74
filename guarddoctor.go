package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"runtime"
	"strconv"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"postern/gateway/confine/bubblewrap"
	"postern/gateway/confine/landlock"
	"postern/gateway/guard/spawn"
	"postern/harness"
	"postern/harness/host"
)

func guardDoctorCommand() *cobra.Command {
	var c chosen
	cmd := &cobra.Command{
		Use:   "doctor",
		Short: "Say whether this machine can confine tool servers, and what is wrong with what is guarded",
		Long: `Look at everything that the guard depends on: the sandbox and why there is none, on Linux
the kernel's settings for user namespaces, bubblewrap and Landlock, the store, the markers
in clients' files, and files that cannot be read. Nothing is changed; a sandbox that ends
at once is made, to see whether it can be. bubblewrap confines where it can, and where it
cannot Landlock with a filter of system calls, which keeps to more than a profile says: no
local socket, no shared temporary files, and no profile with ports.

Exit codes: 0 all is well; 1 the store, a marker or a client's file is not; 2 wrong usage;
3 this machine cannot confine; the line says why and what to do.`,
		Example: `  postern guard doctor
  postern guard doctor --json`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			g, err := c.guard()
			if err != nil {
				return err
			}
			means := spawn.Here()
			d := diagnosis{Machine: host.LookSandbox(cmd.Context(), "/", means.Places)}
			if d.Backends, err = spawn.Survey(cmd.Context(), means); err != nil {
				return err
			}
			b, lacking := spawn.First(d.Backends)
			if d.guardStatus, err = statusOf(g, b, lacking); err != nil {
				return err
			}
			out := bufio.NewWriter(cmd.OutOrStdout())
			if c.asJSON {
				err = json.NewEncoder(out).Encode(d)
			} else {
				err = d.print(out, lacking)
			}
			if err := printed(out, err); err != nil {
				return err
			}
			return d.verdict(lacking)
		},
	}
	cmd.Flags().BoolVar(&c.asJSON, "json", false, "print one JSON object")
	return cmd
}

// diagnosis is what doctor prints; its JSON keys are permanent.
type diagnosis struct {
	Machine  host.Sandbox  `json:"machine"`
	Backends []spawn.Found `json:"backends"` // in the order in which they are chosen
	guardStatus
}

func (d diagnosis) verdict(lacking error) error {
	if l := (*spawn.Lacking)(nil); errors.As(lacking, &l) {
		return &harness.Cannot{Reason: l.Says}
	}
	return d.guardStatus.verdict(nil)
}

func (d diagnosis) print(out io.Writer, lacking error) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	line := func(name, says string) { fmt.Fprintf(w, "%s\t%s\n", name, says) }
	line("sandbox", backendSays(d.Backend, lacking))
	for _, f := range d.Backends {
		if f.Why != "" && lacking == nil {
			line("", "not "+f.Name+" ("+f.Why+"): "+f.Says)
		}
	}
	if runtime.GOOS == "linux" {
		printMachine(line, d.Machine)
	}
	line("store", string(d.Store))
	if err := w.Flush(); err != nil {
		return err
	}
	fmt.Fprintln(out)
	return d.guardStatus.print(out)
}

// printMachine says what bubblewrap and Landlock depend upon.
func printMachine(line func(name, says string), m host.Sandbox) {
	switch {
	case m.Bubblewrap == "":
		line("bubblewrap", "not found in "+strings.Join(bubblewrap.Places, ", "))
	case m.Version == "":
		line("bubblewrap", m.Bubblewrap+", which does not say its version")
	default:
		line("bubblewrap", m.Bubblewrap+" "+m.Version)
	}
	line("user namespaces", allowed(m.Forbids()))
	line("", "user.max_user_namespaces: "+number(m.MaxNamespaces))
	line("", "kernel.unprivileged_userns_clone: "+number(m.Unprivileged))
	line("", "kernel.apparmor_restrict_unprivileged_userns: "+number(m.Restricted))
	line("Landlock", landlockSays(m.LandlockABI))
}

// landlockSays names, for a kernel that is too old, what it would leave open.
func landlockSays(abi int) string {
	if abi == 0 {
		return "off, or not in this kernel"
	}
	var open []string
	for _, r := range landlock.Table() {
		if abi < r.ABI {
			open = append(open, fmt.Sprintf("%s (ABI %d)", r.What, r.ABI))
		}
	}
	if len(open) == 0 {
		return fmt.Sprintf("ABI %d; the guard needs %d", abi, landlock.Least())
	}
	return fmt.Sprintf("ABI %d, which does not refuse: %s", abi, strings.Join(open, "; "))
}

func backendSays(backend string, lacking error) string {
	if l := (*spawn.Lacking)(nil); errors.As(lacking, &l) {
		return "none (" + backend + "): " + l.Says
	}
	if backend == "landlock" {
		return backend + ": the kernel has all that it takes"
	}
	return backend + ": it made one"
}

// allowed does not say that namespaces can be made: whether that works, only the
// sandbox above has tried.
func allowed(forbid []string) string {
	if len(forbid) == 0 {
		return "no setting forbids them"
	}
	return "forbidden by " + strings.Join(forbid, ", ")
}

func number(n *int) string {
	if n == nil {
		return "this kernel has no such setting"
	}
	return strconv.Itoa(*n)
}
