package reports

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// problemsOf opens a bundle that must not open.
func problemsOf(t *testing.T, dir string) []string {
	t.Helper()
	b, problems, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	if len(problems) == 0 {
		t.Error("the bundle has no problem")
	}
	if b.Evidence.Summary.Accepted || b.EvidenceSHA256 != "" {
		t.Error("a bundle with problems was handed out")
	}
	var texts []string
	for _, p := range problems {
		texts = append(texts, p.Error())
	}
	return texts
}

func TestOpenRefuses(t *testing.T) {
	secret := "payload-in-a-name"
	for name, c := range map[string]struct {
		change func(t *testing.T, dir string)
		want   []string
	}{
		"an empty directory": {func(t *testing.T, dir string) {
			for _, name := range bundleFiles() {
				must(t, os.Remove(filepath.Join(dir, name)))
			}
		}, []string{"SHA256SUMS: missing file", "evidence.json: missing file", "junit.xml: missing file", "manifest.json: missing file"}},
		"a missing file": {func(t *testing.T, dir string) {
			must(t, os.Remove(filepath.Join(dir, junitFile)))
		}, []string{"junit.xml: missing file"}},
		"an extra file": {func(t *testing.T, dir string) {
			must(t, os.WriteFile(filepath.Join(dir, secret), nil, 0o644))
		}, []string{"unknown file at index 4"}},
		"an extra directory": {func(t *testing.T, dir string) {
			must(t, os.Mkdir(filepath.Join(dir, ".hidden"), 0o755))
		}, []string{"unknown file at index 0"}},
		"many extra files": {func(t *testing.T, dir string) {
			for i := range 100 {
				must(t, os.WriteFile(filepath.Join(dir, secret+strings.Repeat("x", i)), nil, 0o644))
			}
		}, []string{"too many files"}},
		"a linked file": {func(t *testing.T, dir string) {
			moved := filepath.Join(t.TempDir(), "moved")
			must(t, os.Rename(filepath.Join(dir, evidenceFile), moved))
			must(t, os.Symlink(moved, filepath.Join(dir, evidenceFile)))
		}, []string{"evidence.json: not a regular file"}},
		"a pipe": {func(t *testing.T, dir string) {
			must(t, os.Remove(filepath.Join(dir, sumsFile)))
			must(t, syscall.Mkfifo(filepath.Join(dir, sumsFile), 0o644))
		}, []string{"SHA256SUMS: not a regular file"}},
		"a directory in a file's place": {func(t *testing.T, dir string) {
			must(t, os.Remove(filepath.Join(dir, manifestFile)))
			must(t, os.Mkdir(filepath.Join(dir, manifestFile), 0o755))
		}, []string{"manifest.json: not a regular file"}},
		"a huge file": {func(t *testing.T, dir string) {
			must(t, os.Truncate(filepath.Join(dir, evidenceFile), maxFileSize+1))
		}, []string{"evidence.json: larger than 64 MiB"}},
		"a changed view": {func(t *testing.T, dir string) {
			edit(t, dir, junitFile, `failures="0"`, `failures="1"`)
		}, []string{"junit.xml: digest differs from SHA256SUMS", "junit.xml: differs from the evidence"}},
		"sums in another order": {func(t *testing.T, dir string) {
			lines := strings.SplitAfter(readFile(t, dir, sumsFile), "\n")
			put(t, dir, sumsFile, lines[1]+lines[0]+lines[2])
		}, []string{"SHA256SUMS: not the expected list of digests at index 0", "SHA256SUMS: not the expected list of digests at index 1"}},
		"sums of one more file": {func(t *testing.T, dir string) {
			put(t, dir, sumsFile, readFile(t, dir, sumsFile)+digest(nil)+"  "+secret+"\n")
		}, []string{"SHA256SUMS: not the expected list of digests"}},
		"a sum that is none": {func(t *testing.T, dir string) {
			put(t, dir, sumsFile, "x"+readFile(t, dir, sumsFile)[1:])
		}, []string{"SHA256SUMS: not the expected list of digests at index 0", "SHA256SUMS: shaped like a canary"}},
		"sums in binary mode": {func(t *testing.T, dir string) {
			edit(t, dir, sumsFile, "  junit.xml", " *junit.xml")
		}, []string{"SHA256SUMS: not the expected list of digests at index 1", "SHA256SUMS: shaped like a canary"}},
	} {
		t.Run(name, func(t *testing.T) {
			dir := publish(t)
			c.change(t, dir)
			if diff := cmp.Diff(c.want, problemsOf(t, dir)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestOpenRefusesWhatIsNoDirectory(t *testing.T) {
	dir := publish(t)
	link := dir + "-link"
	must(t, os.Symlink(dir, link))
	if got := problemsOf(t, link); !slices.Equal(got, []string{"the bundle is a symbolic link"}) {
		t.Error(got)
	}
	if got := problemsOf(t, filepath.Join(dir, sumsFile)); !slices.Equal(got, []string{"the bundle is not a directory"}) {
		t.Error(got)
	}
	if _, _, err := Open(dir + "-absent"); err == nil {
		t.Error("no error where nothing could be looked at")
	}
}

func TestOpenRefusesEveryTruncation(t *testing.T) {
	dir := publish(t)
	s, err := compileSchemas()
	must(t, err)
	files := filesOf(t, dir)
	for _, name := range bundleFiles() {
		whole := files[name]
		step := max(1, len(whole)/40)
		for n := 0; n < len(whole); n += step {
			for _, seal := range []func(map[string][]byte){func(map[string][]byte) {}, resum} {
				cut := copyOf(files)
				cut[name] = whole[:n]
				if name != sumsFile {
					seal(cut)
				}
				if _, problems := inspect(s, cut); len(problems) == 0 {
					t.Errorf("%s cut to %d bytes is accepted", name, n)
				}
			}
		}
	}
}

// TestOpenTellsWhatIsWrong is the table of what Open says of bytes that
// somebody changed and sealed again with every digest put right.
func TestOpenTellsWhatIsWrong(t *testing.T) {
	s, err := compileSchemas()
	must(t, err)
	good := filesOf(t, publish(t))
	for name, c := range map[string]struct {
		file, old, new string
		want           []string
	}{
		"nothing":                 {evidenceFile, `"schema": 3,`, `"schema": 3,`, nil},
		"a duplicate key":         {evidenceFile, `"schema": 3,`, `"schema": 3, "schema": 1,`, []string{"evidence.json: duplicate key at byte #"}},
		"a duplicate key below":   {manifestFile, `"released": 1,`, `"released": 1, "released": 1,`, []string{"manifest.json: duplicate key at byte #"}},
		"an unknown field":        {evidenceFile, `"schema": 3,`, `"payload": 1,`, []string{"evidence.json: unknown field at byte #"}},
		"a key in another case":   {evidenceFile, `"schema": 3,`, `"Schema": 1,`, []string{"evidence.json: unknown field at byte #"}},
		"a field left out":        {evidenceFile, `"schema": 3,`, ``, []string{"evidence.json: not in canonical form at byte #"}},
		"fields in another order": {evidenceFile, "\"name\": \"postern\",\n    \"version\": \"0.1.0\"", "\"version\": \"0.1.0\",\n    \"name\": \"postern\"", []string{"evidence.json: not in canonical form at byte #"}},
		"white space":             {evidenceFile, `"seed": 7,`, `"seed":  7,`, []string{"evidence.json: not in canonical form at byte #"}},
		"an escape":               {evidenceFile, `"linux"`, `"\u006cinux"`, []string{"evidence.json: not in canonical form at byte #"}},
		"null for a list":         {evidenceFile, `"reasons": []`, `"reasons": null`, []string{"evidence.json: not in canonical form at byte #"}},
		"a fraction":              {evidenceFile, `"parallel": 2`, `"parallel": 2.0`, []string{"evidence.json: wrong type at byte #"}},
		"an exponent":             {evidenceFile, `"parallel": 2`, `"parallel": 2e0`, []string{"evidence.json: wrong type at byte #"}},
		"minus zero":              {evidenceFile, `"drops": 0`, `"drops": -0`, []string{"evidence.json: not in canonical form at byte #"}},
		"a number too large":      {evidenceFile, `"parallel": 2`, `"parallel": 99999999999999999999`, []string{"evidence.json: wrong type at byte #"}},
		"a string for a number":   {evidenceFile, `"parallel": 2`, `"parallel": "2"`, []string{"evidence.json: wrong type at byte #"}},
		"bytes after the value":   {evidenceFile, "\n}\n", "\n}\n{}\n", []string{"evidence.json: bytes after the value at byte #"}},
		"a second newline":        {manifestFile, "\n}\n", "\n}\n\n", []string{"manifest.json: not in canonical form at byte #"}},
		"bytes that are no JSON":  {evidenceFile, "{\n", "payload", []string{"evidence.json: not JSON at byte #"}},
		"invalid UTF-8":           {evidenceFile, `"linux"`, "\"\xff\"", []string{"evidence.json: not JSON at byte #"}},
		"a byte order mark":       {evidenceFile, "{\n", "\ufeff{\n", []string{"evidence.json: not JSON at byte #"}},
		"a newer schema version":  {evidenceFile, `"schema": 3,`, `"schema": 4,`, []string{"evidence.json: of another version of the format: use the Postern that wrote it: 0.1.0, commit 0123456789012345678901234567890123456789, with changes"}},
		"an older plan":           {manifestFile, `"schema": 3,`, `"schema": 1,`, []string{"manifest.json: of another version of the format: use the Postern that wrote it"}},
		"no schema version":       {evidenceFile, `"schema": 3,`, `"schema": 0,`, []string{"evidence.json: outside the schema at /schema"}},
		"a kill more":             {evidenceFile, `"kills": 2`, `"kills": 3`, []string{"evidence.json: count differs from the trials at /matrix/0"}},
		"a kill of another":       {evidenceFile, "\"control\": \"profile.log-none\",\n      \"channel\": \"net.tcp4\"", "\"control\": \"profile.links-none\",\n      \"channel\": \"net.tcp4\"", []string{"evidence.json: count differs from the trials at /matrix/1"}},
		"a better standing":       {evidenceFile, `"standing": "inert"`, `"standing": "redundant"`, []string{"evidence.json: count differs from the trials at /controls/3/standing"}},
		"a partner":               {evidenceFile, `"partners": []`, "\"partners\": [\n        \"profile.log-none\"\n      ]", []string{"evidence.json: count differs from the trials at /controls/2/partners"}},
		"another reason":          {evidenceFile, "\"reason\": \"no-vsock\"\n    },\n    {\n      \"id\": \"profile.links", "\"reason\": \"no-kvm\"\n    },\n    {\n      \"id\": \"profile.links", []string{"evidence.json: count differs from the trials at /controls/2/reason"}},
		"a channel excused":       {evidenceFile, `"not_applicable": ""`, `"not_applicable": "no-net"`, []string{"evidence.json: count differs from the trials at /channels/0/not_applicable"}},
		"more excused in sum":     {evidenceFile, `"channels_not_applicable": 1`, `"channels_not_applicable": 2`, []string{"evidence.json: count differs from the trials at /summary"}},
		"more errors than bits":   {evidenceFile, `"bit_errors": 3`, `"bit_errors": 121`, []string{"evidence.json: count differs from the trials at /residuals/1"}},
		"more bits than sent":     {evidenceFile, `"bits_recovered": 120`, `"bits_recovered": 132`, []string{"evidence.json: count differs from the trials at /residuals/1"}},
		"no mitigation, and less": {evidenceFile, `"mitigation": "cpu-quota"`, `"mitigation": ""`, []string{"evidence.json: count differs from the trials at /residuals/1"}},
		"a reader of no list":     {evidenceFile, `"host-root"`, `"anybody"`, []string{"evidence.json: outside the schema at /residuals/1/reader"}},
		"a profile of no list":    {evidenceFile, `"profile": "reference"`, `"profile": "lax"`, []string{"evidence.json: outside the schema at /run/profile"}},
		"a shard of none":         {evidenceFile, `"shard": 1`, `"shard": 2`, []string{"evidence.json: count differs from the trials at /run/shards"}},
		"a shard that is all":     {evidenceFile, `"shards": 1`, `"shards": 2`, []string{"evidence.json: count differs from the trials at /run/shards"}},
		"a drop called a kill":    {evidenceFile, `"dropped": false`, `"dropped": true`, []string{"evidence.json: outside the schema at /trials/0/status"}},
		"a comparison with none":  {evidenceFile, `"baseline": false`, `"baseline": true`, []string{"evidence.json: outside the schema at /trials/0/baseline"}},
		"a word of no list":       {evidenceFile, `"linux"`, `"plaintext"`, []string{"evidence.json: outside the schema at /environment/os"}},
		"a run more":              {evidenceFile, `"runs": 3`, `"runs": 4`, []string{"evidence.json: count differs from the trials at /faults/0"}},
		"a run that stopped less": {evidenceFile, `"stopped": 3`, `"stopped": 2`, []string{"evidence.json: count differs from the trials at /faults/0"}},
		"a delivery":              {evidenceFile, `"deliveries": 0`, `"deliveries": 1`, []string{"evidence.json: count differs from the trials at /faults/0"}},
		"a shorter shortest":      {evidenceFile, `"min_us": 900`, `"min_us": 1`, []string{"evidence.json: count differs from the trials at /faults/0"}},
		"a shorter median":        {evidenceFile, `"p50_us": 1500`, `"p50_us": 1`, []string{"evidence.json: count differs from the trials at /faults/0"}},
		"a shorter tail":          {evidenceFile, `"p99_us": 2100`, `"p99_us": 1`, []string{"evidence.json: count differs from the trials at /faults/0"}},
		"a shorter longest":       {evidenceFile, `"max_us": 2100`, `"max_us": 1`, []string{"evidence.json: count differs from the trials at /faults/0"}},
		"another fault":           {evidenceFile, `"id": "watchdog-paused"`, `"id": "bridge-paused"`, []string{"evidence.json: count differs from the trials at /faults/1"}},
		"a fault too many in sum": {evidenceFile, `"faults": 2`, `"faults": 3`, []string{"evidence.json: count differs from the trials at /summary/supervision"}},
		"a canary": {evidenceFile, `"unexpected-arrival"`, `"00112233445566778899aabbccddeeff"`,
			[]string{"evidence.json: shaped like a canary at byte #", "evidence.json: outside the schema at /trials/2/reasons/0"}},
	} {
		t.Run(name, func(t *testing.T) {
			files := copyOf(good)
			at := strings.Index(string(files[c.file]), c.old)
			if at < 0 {
				t.Fatal("nothing to change")
			}
			files[c.file] = []byte(strings.Replace(string(files[c.file]), c.old, c.new, 1))
			reseal(files)
			_, problems := inspect(s, files)
			if diff := cmp.Diff(c.want, near(problems, at, len(c.new))); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// near writes problems with # for an offset that lies at the change.
func near(problems []Problem, at, length int) []string {
	var texts []string
	for _, p := range problems {
		for n := at - 1; n <= at+length+1; n++ {
			if p.At == atByte(int64(n)) {
				p.At = "byte #"
			}
		}
		texts = append(texts, p.Error())
	}
	return texts
}

// TestOpenTellsWhatDoesNotFit is the same for values that are well-formed but
// do not fit together. The counts are put right, too.
func TestOpenTellsWhatDoesNotFit(t *testing.T) {
	s, err := compileSchemas()
	must(t, err)
	for name, c := range map[string]struct {
		change func(m *Manifest, e *Evidence)
		want   []string
	}{
		"nothing":          {func(m *Manifest, e *Evidence) {}, nil},
		"a stray arrival":  {func(m *Manifest, e *Evidence) { add(&e.Trials[0].Openings, Stray) }, nil},
		"another seed":     {func(m *Manifest, e *Evidence) { m.Seed++ }, []string{"evidence.json: seed differs from the manifest at /run/seed"}},
		"a channel twice":  {func(m *Manifest, e *Evidence) { add(&e.Channels, e.Channels[0]) }, []string{"evidence.json: repeated entry at /channels/4"}},
		"a control twice":  {func(m *Manifest, e *Evidence) { add(&e.Controls, e.Controls[0]) }, []string{"evidence.json: repeated entry at /controls/5"}},
		"a hearing twice":  {func(m *Manifest, e *Evidence) { add(&e.Trials[0].Hearings, e.Trials[0].Hearings[0]) }, []string{"evidence.json: repeated entry at /trials/0/hearings/2"}},
		"an attempt twice": {func(m *Manifest, e *Evidence) { add(&e.Trials[0].Attempts, Attempt{"net.tcp4", 0}) }, []string{"evidence.json: repeated entry at /trials/0/attempts/2"}},
		"a refusal twice":  {func(m *Manifest, e *Evidence) { add(&e.Trials[2].Refused, e.Trials[2].Refused[0]) }, []string{"evidence.json: repeated entry at /trials/2/refused/2"}},
		"an observation twice": {func(m *Manifest, e *Evidence) { add(&e.Trials[0].Observations, e.Trials[0].Observations[0]) },
			[]string{"evidence.json: repeated entry at /trials/0/observations/1"}},
		"a probe twice": {func(m *Manifest, e *Evidence) { add(&e.Trials[0].Expected.Probes, "net.tcp4") },
			[]string{"evidence.json: outside the schema at /trials/0/expected/probes"}},
		"a channel of no list": {func(m *Manifest, e *Evidence) { add(&e.Trials[0].Attempts, Attempt{"net.x", 0}) },
			[]string{"evidence.json: channel that the evidence does not list at /trials/0/attempts/2"}},
		"an arrival of no list": {func(m *Manifest, e *Evidence) { add(&e.Trials[0].Observations, Observation{"net.x", "tcp4", 1}) },
			[]string{"evidence.json: channel that the evidence does not list at /trials/0/observations/1"}},
		"a stray observation": {func(m *Manifest, e *Evidence) { add(&e.Trials[0].Observations, Observation{Stray, "tcp4", 1}) },
			[]string{"evidence.json: channel that the evidence does not list at /trials/0/observations/1"}},
		"an opening of no registered channel": {func(m *Manifest, e *Evidence) { add(&e.Trials[0].Openings, "net.x") },
			[]string{"evidence.json: channel that the evidence does not list at /trials/0/openings/0"}},
		"a probe of no list": {func(m *Manifest, e *Evidence) {
			add(&e.Trials[0].Expected.Probes, "net.x")
			m.Trials[0].Expected = e.Trials[0].Expected
		}, []string{"evidence.json: channel that the evidence does not list at /trials/0/expected/probes/3"}},
		"an opening of no list": {func(m *Manifest, e *Evidence) {
			add(&e.Trials[2].Expected.Opens, "net.x")
			m.Trials[2].Expected = e.Trials[2].Expected
		}, []string{"evidence.json: channel that the evidence does not list at /trials/2/expected/opens/1"}},
		"a control of no list": {func(m *Manifest, e *Evidence) { e.Controls = slices.Delete(e.Controls, 1, 2) }, []string{
			"evidence.json: control that the evidence does not list at /trials/3/control",
			"evidence.json: control that the evidence does not list at /trials/3/expected/refused/0",
			"evidence.json: control that the evidence does not list at /trials/14/control",
			"evidence.json: control that the evidence does not list at /trials/14/expected/refused/0"}},
		"a partner of no list": {func(m *Manifest, e *Evidence) {
			e.Trials[14].With, m.Trials[14].With = []string{"profile.x"}, []string{"profile.x"}
		}, []string{"evidence.json: control that the evidence does not list at /trials/14/with/0"}},
		"another partner": {func(m *Manifest, e *Evidence) { e.Trials[14].With = []string{"profile.links-none"} },
			[]string{"evidence.json: trial differs from its plan at /trials/14"}},
		"no partner": {func(m *Manifest, e *Evidence) { e.Trials[14].With = []string{} },
			[]string{"evidence.json: trial differs from its plan at /trials/14"}},
		"a comparison that was none in the plan": {func(m *Manifest, e *Evidence) { e.Trials[14].Baseline = true },
			[]string{"evidence.json: trial differs from its plan at /trials/14"}},
		"a reason after the fact": {func(m *Manifest, e *Evidence) { e.Trials[4].Reason = "needs-network" },
			[]string{"evidence.json: trial differs from its plan at /trials/4"}},
		"a residual twice": {func(m *Manifest, e *Evidence) { add(&e.Residuals, e.Residuals[0]) },
			[]string{"evidence.json: repeated entry at /residuals/2"}},
		"a trial twice": {func(m *Manifest, e *Evidence) { e.Trials[1] = e.Trials[0] }, []string{
			"evidence.json: repeated entry at /trials/1",
			"evidence.json: trial out of the order of the manifest at /trials/1",
			"manifest.json: planned trial without a result at /trials/1"}},
		"a plan twice": {func(m *Manifest, e *Evidence) { m.Trials[1] = m.Trials[0] }, []string{
			"manifest.json: repeated entry at /trials/1",
			"evidence.json: trial that the manifest does not plan at /trials/1",
			"manifest.json: planned trial without a result at /trials/0"}},
		"trials in another order": {func(m *Manifest, e *Evidence) { e.Trials[0], e.Trials[1] = e.Trials[1], e.Trials[0] },
			[]string{"evidence.json: trial out of the order of the manifest at /trials/1"}},
		"a trial gone": {func(m *Manifest, e *Evidence) { e.Trials = e.Trials[:14] }, []string{
			"manifest.json: planned trial without a result at /trials/14", "evidence.json: count differs from the trials at /run/selected"}},
		"fewer trials selected": {func(m *Manifest, e *Evidence) { e.Trials, e.Run.Selected = e.Trials[:9], 9 }, nil},
		"another control": {func(m *Manifest, e *Evidence) { e.Trials[2].Control = "profile.log-none" },
			[]string{"evidence.json: trial differs from its plan at /trials/2"}},
		"another kind": {func(m *Manifest, e *Evidence) { e.Trials[6].Kind = Protected },
			[]string{"evidence.json: trial differs from its plan at /trials/6"}},
		"a fault called a failure mode": {func(m *Manifest, e *Evidence) { e.Trials[8].Kind, e.Trials[8].StoppedUS = FailureMode, 0 },
			[]string{"evidence.json: trial differs from its plan at /trials/8"}},
		"a mutant of supervision that was measured": {func(m *Manifest, e *Evidence) { e.Trials[2].StoppedUS = 16000 }, nil},
		"a refusal of the host": {func(m *Manifest, e *Evidence) {
			e.Trials[2].Refused = []Refusal{{Host, e.Trials[2].Control}, {Image, e.Trials[2].Control}}
		}, nil},
		"a foretold opening gone": {func(m *Manifest, e *Evidence) { e.Trials[2].Expected.Opens = nil },
			[]string{"evidence.json: trial differs from its plan at /trials/2"}},
	} {
		t.Run(name, func(t *testing.T) {
			m, e := sample()
			m.Schema, e.Schema, e.Generator.Name = SchemaVersion, SchemaVersion, "postern"
			c.change(&m, &e)
			files := map[string][]byte{}
			e.ManifestSHA256 = digest(nil)
			files[manifestFile], _ = encode(m)
			files[evidenceFile], _ = encode(Complete(e))
			reseal(files)
			_, problems := inspect(s, files)
			if diff := cmp.Diff(c.want, near(problems, -10, 0)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func add[T any](list *[]T, entry T) { *list = append(slices.Clone(*list), entry) }

func TestTheEvidenceNamesItsManifest(t *testing.T) {
	s, err := compileSchemas()
	must(t, err)
	files := filesOf(t, publish(t))
	text := string(files[evidenceFile])
	files[evidenceFile] = []byte(strings.Replace(text, digest(files[manifestFile]), digest(nil), 1))
	resum(files)
	_, problems := inspect(s, files)
	if diff := cmp.Diff([]string{"evidence.json: manifest digest differs at /manifest_sha256"}, near(problems, -10, 0)); diff != "" {
		t.Error(diff)
	}
}

func TestAProblemNeverQuotesTheBundle(t *testing.T) {
	s, err := compileSchemas()
	must(t, err)
	const secret = "sekret"
	good := filesOf(t, publish(t))
	for _, change := range [][2]string{
		{`"schema": 3`, `"sekret": 1`}, {`"schema": 3`, `"schema": 3, "sekret": {"sekret": 1, "sekret": 2}`}, {`"schema": 3`, `"schema": "sekret"`},
		{`"linux"`, `"sekret"`}, {`"completed"`, `"Sekret sekret"`}, {`{`, `sekret`}, {`"protected/1"`, `"sekret"`}, {`"net.tcp4"`, `"sekret"`},
	} {
		files := copyOf(good)
		files[evidenceFile] = []byte(strings.Replace(string(files[evidenceFile]), change[0], change[1], 1))
		reseal(files)
		_, problems := inspect(s, files)
		if len(problems) == 0 {
			t.Errorf("%s: no problem", change[1])
		}
		for _, p := range problems {
			if strings.Contains(strings.ToLower(p.Error()), secret) {
				t.Errorf("%s: quoted by a %s", change[1], p.Code)
			}
		}
	}
}

func TestManyProblemsAreCutShort(t *testing.T) {
	many := make([]Problem, 1000)
	if got := capped(many); len(got) != problemsListed+1 || got[problemsListed].Code != MoreProblems {
		t.Errorf("%d problems listed", len(got))
	}
}
