package main

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// noArguments is what a command without arguments asks for. A word behind a
// group of commands is one that the group does not have.
func noArguments(cmd *cobra.Command, args []string) error {
	switch {
	case len(args) == 0:
		return nil
	case cmd.HasSubCommands():
		return noCommand(cmd, args[0])
	}
	return fmt.Errorf("'%s' takes no arguments; %q is one too many", cmd.CommandPath(), args[0])
}

// noCommand says which commands there are like the one that there is not.
func noCommand(cmd *cobra.Command, name string) error {
	cmd.SuggestionsMinimumDistance = 2 // letters
	text := fmt.Sprintf("there is no command '%s %s'", cmd.CommandPath(), name)
	if like := cmd.SuggestionsFor(name); len(like) > 0 {
		text += "; it may be '" + strings.Join(like, "' or '") + "' that is meant"
	}
	return fmt.Errorf("%s; '%s --help' lists those that there are", text, cmd.CommandPath())
}

// arguments asks for a number of arguments, most where that is not -1.
func arguments(least, most int, what string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) >= least && (len(args) <= most || most < 0) {
			return nil
		}
		return fmt.Errorf("'%s' takes %s; %d were given; use: postern %s", cmd.CommandPath(), what, len(args), strings.TrimPrefix(cmd.UseLine(), "postern "))
	}
}

// flagError says in words what is wrong with a flag.
func flagError(cmd *cobra.Command, err error) error {
	var invalid *pflag.InvalidValueError
	var unknown *pflag.NotExistError
	switch {
	case errors.As(err, &invalid):
		kind := kindOf(invalid.GetFlag().Value.Type())
		if errors.Is(err, strconv.ErrRange) {
			kind += " of a size that can be"
		}
		return fmt.Errorf("--%s must be %s, not %q", invalid.GetFlag().Name, kind, invalid.GetValue())
	case errors.As(err, &unknown):
		return fmt.Errorf("%w; '%s --help' lists the flags", err, cmd.CommandPath())
	}
	return err
}

// kindOf says what a flag of a type takes.
func kindOf(typ string) string {
	switch typ {
	case "int", "int64", "intSlice":
		return "a whole number"
	case "float64":
		return "a number"
	case "duration":
		return "a time with its unit, as in 90s or 10m"
	case "bool":
		return "true or false"
	}
	return "another value"
}

// helpCommand is cobra's own, but that a command which there is not is an error.
func helpCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "help [COMMAND]...",
		Short: "Say what a command does and which flags it has",
		RunE: func(cmd *cobra.Command, args []string) error {
			found, rest, err := cmd.Root().Find(args)
			if err != nil {
				return err
			}
			if len(rest) > 0 {
				return noCommand(found, rest[0])
			}
			found.InitDefaultHelpFlag()
			return found.Help()
		},
	}
}
