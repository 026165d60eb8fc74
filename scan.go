package main

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"time"

	"github.com/spf13/cobra"

	"postern/observers/canary/scan"
)

// errUnread ends a scan that found nothing and did not read everything.
var errUnread = errors.New("nothing found, but not everything was read")

// errScanStopped ends a scan that was interrupted.
var errScanStopped = errors.New("the scan was interrupted: what is printed is all that it found so far")

// scanOptions are the flags of scan.
type scanOptions struct {
	keys     string
	json     bool
	parallel int
	decoys   int
	timeout  time.Duration
}

func scanCommand() *cobra.Command {
	var o scanOptions
	cmd := &cobra.Command{
		Use:   "scan --key-file FILE PATH...",
		Short: "Look for your own canaries in files, archives, captures and logs, in any dress",
		Long: `Look for canaries in files and folders, and in all that lies below: archives,
compression, encodings inside each other, records, captures, names.

The key file holds one canary a line: any text of 8 bytes or more. Blank lines, CR
before LF and a byte order mark are ignored. A line that is 32 or more hexadecimal
digits, an even number of them, with or without a prefix that ends in '-', also stands
for the bytes that it spells. The key file itself is not scanned where a PATH holds it.

Folders are searched with all below, and so are the names in them, one by one and
together, the targets of symbolic links, and extended attributes (Linux). Links below
a PATH are not followed; a PATH that is a link is. A file with several hard links is
read once. Pipes and sockets have no content and devices are not opened: they are named
on stderr. '-' is stdin.

A hit says in which file, which line of the key file, how sure (certain: all bits;
strong: 64 or more; partial: fewer), how many bits, at which offset of the file, and the
technique: closed words, from the outermost layer to the innermost form, as in
'gzip/base64/hex'. In a name the offset is 0 and the first word is 'name', in an extended
attribute 'xattr'. Of each canary a file's best 16 hits are told. Nothing that was
scanned is printed but paths, and a name that holds a canary reads '[canary]'.

A file that is cut off or damaged itself (gzip, bzip2, xz, zstd, zip and tar, known by
what they begin with: the end is missing, or a checksum is wrong) is searched as far as it
can be read and named on stderr: 'FILE: cut off or damaged: gzip; what is left of it was
searched'. Of what lies inside other layers, of other formats, and of archives above
256 MiB this is not told.

Not found by design: what was encrypted with a key that is not beside it, what is spread
over files by more than their names, and a channel of a bit an hour. Of a file above
256 MiB, what is spread over more than 32 MiB is not put together. What only looks
encoded, or may be a selection of bytes, is a guess: of guesses upon guesses a bounded
number is followed, and the rest is not told as unread. Where a budget (bytes, time, more
containers inside each other than eight) ran out before all was read, or where a file was
cut off, finding nothing proves nothing: exit code 3.

Exit codes: 0 none found, 1 found (also where something could not be read: stderr says
what), 2 wrong usage or key file, 3 none found, but not everything could be read, 130
interrupted.`,
		Example: `  postern scan --key-file canaries.txt build/ capture.pcap
  docker save image | postern scan --key-file canaries.txt --json -`,
		Args: arguments(1, -1, "one path or more"),
		RunE: func(cmd *cobra.Command, args []string) error { return runScan(cmd, o, args) },
	}
	f := cmd.Flags()
	f.StringVar(&o.keys, "key-file", "", "read the canaries from this `file`, one a line")
	f.BoolVar(&o.json, "json", false, "print one JSON object a hit: file, key, technique, bits, offset; with --decoys one more at the end: decoys, false_hits")
	f.IntVar(&o.parallel, "parallel", runtime.NumCPU(), "files at once, 1 to 256")
	f.IntVar(&o.decoys, "decoys", 0, "also look for this `many` canaries that nobody planted, up to 1000, and count what is falsely found")
	f.DurationVar(&o.timeout, "timeout", 10*time.Minute, "give up a file after this `long`")
	return cmd
}

var (
	errNoKeyFile    = errors.New("--key-file is missing: a file with one canary a line")
	errScanParallel = errors.New("--parallel must be from 1 to 256")
	errScanDecoys   = errors.New("--decoys must be from 0 to 1000")
	errScanTimeout  = errors.New("--timeout must be more than 0")
)

func (o scanOptions) check() error {
	switch {
	case o.keys == "":
		return errNoKeyFile
	case o.parallel < 1 || o.parallel > 256:
		return errScanParallel
	case o.decoys < 0 || o.decoys > 1000:
		return errScanDecoys
	case o.timeout <= 0:
		return errScanTimeout
	}
	return nil
}

func runScan(cmd *cobra.Command, o scanOptions, paths []string) error {
	if err := o.check(); err != nil {
		return err
	}
	keys, err := readKeys(o.keys)
	if err != nil {
		return err
	}
	scanner, err := scan.New(keys.secrets, scan.Options{Decoys: o.decoys, Workers: o.parallel})
	if err != nil {
		return err
	}
	names, err := scan.New(keys.secrets, scan.Options{Decoys: o.decoys, Workers: 1, Guesses: guessesForNames})
	if err != nil {
		return err
	}
	ctx, stop := context.WithCancel(cmd.Context())
	defer stop()
	report := newScanReport(cmd.OutOrStdout(), cmd.ErrOrStderr(), keys.lines, o)
	w := &walk{scanner: scanner, names: names, keyFile: keys.info, options: o, stdin: cmd.InOrStdin()}
	if err := report.print(ctx, stop, w.start(ctx, paths)); err != nil {
		return fmt.Errorf("%w: %w", errOutput, err)
	}
	return report.verdict(cmd.Context())
}

// verdict is what the scan came to: something found counts most.
func (r *scanReport) verdict(ctx context.Context) error {
	switch {
	case ctx.Err() != nil:
		return errScanStopped
	case r.hits > 0:
		return errFindings
	case r.unread > 0:
		return errUnread
	}
	return nil
}
