package main

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"postern/harness"
	"postern/reports"
)

// defaultBundle is where `make evidence` and the examples put the bundle.
const defaultBundle = "postern-evidence"

func matrixCommand() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "matrix [DIR]",
		Short: "Print which control shuts which channel, as a bundle shows it",
		Long: `Print the kill matrix of an evidence bundle (default: the directory postern-evidence): how
many killed mutants of each control opened each channel. Then the controls that are
redundant with others, those that are inert, what was not shown or could not be tried,
and what was measured of the channels that stay open.

The bundle's files, digests, schema and counts are checked; 'postern verify' also
judges its trials again.

Exit codes: 0 printed, 1 the bundle does not fit together, 2 there is none.`,
		Args: arguments(0, 1, "at most one argument, the directory of a bundle"),
		RunE: func(cmd *cobra.Command, args []string) error {
			dir := defaultBundle
			if len(args) > 0 {
				dir = args[0]
			}
			bundle, problems, err := harness.Open(bundleAt(dir))
			if err != nil {
				return noBundle(dir, err)
			}
			for _, p := range problems {
				fmt.Fprintln(cmd.ErrOrStderr(), "postern: "+p.Error())
			}
			if len(problems) > 0 {
				return errFindings
			}
			m := matrixOf(bundle.Evidence)
			if asJSON {
				err = json.NewEncoder(cmd.OutOrStdout()).Encode(m)
			} else {
				err = m.print(cmd.OutOrStdout())
			}
			if err != nil {
				return fmt.Errorf("%w: %w", errOutput, err)
			}
			return nil
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON object")
	return cmd
}

// matrix is what the command prints; its JSON keys are permanent.
type matrix struct {
	Families         []familyKills      `json:"families"`
	Kills            []reports.Kill     `json:"matrix"`
	Controls         []reports.Control  `json:"controls"`
	Redundant        []redundant        `json:"redundant"`
	Inert            []reasoned         `json:"inert"`
	Unproved         []string           `json:"unproved"`
	NotApplicable    []reasoned         `json:"not_applicable"`
	ChannelsUnopened []string           `json:"channels_unopened"`
	ChannelsLacking  []reasoned         `json:"channels_not_applicable"`
	Residuals        []measuredResidual `json:"residuals"`
}

// familyKills is a cell of the compact matrix.
type familyKills struct {
	Group  string `json:"group"`
	Family string `json:"family"`
	Kills  int    `json:"kills"`
}

type redundant struct {
	Control  string   `json:"control"`
	Partners []string `json:"partners"`
}

// reasoned is a control or a channel with the reason for what is said of it.
type reasoned struct {
	ID     string `json:"id"`
	Reason string `json:"reason"`
}

type measuredResidual struct {
	reports.Residual
	BitsPerSecond          float64 `json:"bits_per_second"` // computed here: evidence holds integers only
	MitigatedBitsPerSecond float64 `json:"mitigated_bits_per_second"`
}

func matrixOf(e reports.Evidence) matrix {
	m := matrix{
		Families: compact(e), Kills: e.Matrix, Controls: e.Controls,
		Redundant: []redundant{}, Inert: []reasoned{}, Unproved: []string{}, NotApplicable: []reasoned{},
		ChannelsUnopened: []string{}, ChannelsLacking: []reasoned{}, Residuals: []measuredResidual{},
	}
	for _, c := range e.Controls {
		switch c.Standing {
		case reports.LoadBearing:
		case reports.Redundant:
			m.Redundant = append(m.Redundant, redundant{c.ID, c.Partners})
		case reports.Inert:
			m.Inert = append(m.Inert, reasoned{c.ID, c.Reason})
		case reports.Inapplicable:
			m.NotApplicable = append(m.NotApplicable, reasoned{c.ID, c.Reason})
		default:
			m.Unproved = append(m.Unproved, c.ID)
		}
	}
	for _, c := range e.Channels {
		switch {
		case c.Release || c.OpenedBy > 0:
		case c.NotApplicable != "":
			m.ChannelsLacking = append(m.ChannelsLacking, reasoned{c.ID, c.NotApplicable})
		default:
			m.ChannelsUnopened = append(m.ChannelsUnopened, c.ID)
		}
	}
	for _, r := range e.Residuals {
		m.Residuals = append(m.Residuals, measuredResidual{r, capacity(r), mitigated(r)})
	}
	return m
}

// compact sums the matrix up by the controls' groups and the channels' families.
func compact(e reports.Evidence) []familyKills {
	group, family := map[string]string{}, map[string]string{}
	for _, c := range e.Controls {
		group[c.ID] = groupOf(c.ID, c.Group)
	}
	for _, c := range e.Channels {
		family[c.ID] = c.Family
	}
	cells := []familyKills{}
	for _, k := range e.Matrix {
		at := familyKills{Group: group[k.Control], Family: family[k.Channel]}
		i := slices.IndexFunc(cells, func(c familyKills) bool { return c.Group == at.Group && c.Family == at.Family })
		if i < 0 {
			i = len(cells)
			cells = append(cells, at)
		}
		cells[i].Kills += k.Kills
	}
	return cells
}

// groupOf is a control's group, or else the first word of its id.
func groupOf(id, group string) string {
	if group != "" {
		return group
	}
	first, _, _ := strings.Cut(id, ".")
	return first
}
