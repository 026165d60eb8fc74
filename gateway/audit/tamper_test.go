package audit

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"
)

func TestTamperingIsFound(t *testing.T) {
	for _, c := range []struct {
		name, statement string
		row             int64
		why             Reason
	}{
		{"sequence of the last row", `UPDATE audit SET sequence = 9 WHERE sequence = 5`, 5, Missing},
		{"sequence moved to the front", `UPDATE audit SET sequence = 0 WHERE sequence = 3`, 1, Reordered},
		{"time", `UPDATE audit SET time = time + 1 WHERE sequence = 3`, 3, Edited},
		{"time that went by", `UPDATE audit SET elapsed = elapsed + 1 WHERE sequence = 3`, 3, Edited},
		{"session", `UPDATE audit SET session = 's2' WHERE sequence = 3`, 3, Edited},
		{"call", `UPDATE audit SET call = 7 WHERE sequence = 3`, 3, Edited},
		{"tool", `UPDATE audit SET tool = 'other' WHERE sequence = 3`, 3, Edited},
		{"code", `UPDATE audit SET code = 'deny' WHERE sequence = 3`, 3, Edited},
		{"policy", `UPDATE audit SET policy = 'p2' WHERE sequence = 3`, 3, Edited},
		{"revision", `UPDATE audit SET revision = 4 WHERE sequence = 3`, 3, Edited},
		{"label", `UPDATE audit SET label = 'public' WHERE sequence = 3`, 3, Edited},
		{"commitment", `UPDATE audit SET commitment = randomblob(32) WHERE sequence = 3`, 3, Edited},
		{"no commitment", `UPDATE audit SET commitment = x'' WHERE sequence = 3`, 3, Edited},
		{"previous", `UPDATE audit SET previous = zeroblob(32) WHERE sequence = 3`, 3, SecondHead},
		{"previous of the first row", `UPDATE audit SET previous = randomblob(32) WHERE sequence = 1`, 1, Unchained},
		{"hash", `UPDATE audit SET hash = zeroblob(32) WHERE sequence = 3`, 3, Edited},
		{"hash of the last row", `UPDATE audit SET hash = zeroblob(32) WHERE sequence = 5`, 5, Edited},
		{"a short hash", `UPDATE audit SET hash = x'00' WHERE sequence = 3`, 3, Unreadable},
		{"text moved between columns", `UPDATE audit SET tool = tool || 'p', code = substr(code, 2) WHERE sequence = 3`, 3, Edited},
		{"first row dropped", `DELETE FROM audit WHERE sequence = 1`, 1, Missing},
		{"middle row dropped", `DELETE FROM audit WHERE sequence = 3`, 3, Missing},
		{"row added", `INSERT INTO audit SELECT 6, time, elapsed, session, call, tool, code, policy, revision, label, commitment, previous, hash FROM audit WHERE sequence = 5`, 6, SecondHead},
		{"contents swapped", `UPDATE audit SET call = CASE sequence WHEN 2 THEN 3 ELSE 2 END WHERE sequence IN (2, 3)`, 2, Edited},
	} {
		t.Run(c.name, func(t *testing.T) {
			path, head := written(t, 5)
			execute(t, path, c.statement)
			finds(t, path, c.row, c.why)
			finds(t, path, c.row, c.why, head)
		})
	}
}

func TestWholeRowsThatChangedPlacesAreFound(t *testing.T) {
	path, _ := written(t, 5)
	execute(t, path,
		`UPDATE audit SET sequence = 9 WHERE sequence = 2`,
		`UPDATE audit SET sequence = 2 WHERE sequence = 4`,
		`UPDATE audit SET sequence = 4 WHERE sequence = 9`)
	finds(t, path, 2, Reordered)
}

func TestARowThatWasLeftOutAndCloseUpIsFound(t *testing.T) {
	path, _ := written(t, 5)
	execute(t, path,
		`DELETE FROM audit WHERE sequence = 3`,
		`UPDATE audit SET sequence = 3 WHERE sequence = 4`,
		`UPDATE audit SET sequence = 4 WHERE sequence = 5`)
	finds(t, path, 3, Unchained)
}

// A row that was altered and given a hash that fits it breaks the row behind.
func TestAHashThatWasRecomputedBreaksTheNextRow(t *testing.T) {
	path, head := written(t, 5)
	forged := rowsOf(t, path)[2]
	forged.code = "other"
	rewrite(t, path, forged)
	finds(t, path, 4, Unchained)
	finds(t, path, 3, OtherChain, Head{3, head.Hash}) // whatever the third row was, it is not that
}

// A second chain head: a row whose own hash is right, and which goes on from a
// row that has a successor, or from nothing.
func TestASecondChainHeadIsFound(t *testing.T) {
	for name, from := range map[string]int{"a fork": 3, "a new beginning": 0} {
		t.Run(name, func(t *testing.T) {
			path, head := written(t, 5)
			rows := rowsOf(t, path)
			second := rows[4]
			second.sequence, second.elapsed = 6, second.elapsed+1
			second.previous = Hash{}
			if from > 0 {
				second.previous = rows[from].previous
			}
			rewrite(t, path, second)
			finds(t, path, 6, SecondHead)
			finds(t, path, 6, SecondHead, head)
		})
	}
}

// What was written anew from a row on holds as a chain; the anchor shows it.
func TestAChainThatWasWrittenAnewTakesAnAnchor(t *testing.T) {
	path, head := written(t, 5)
	rows := rowsOf(t, path)
	rows[2].code = "other"
	rewrite(t, path, chained(rows...)...)
	holds(t, path, 5)
	finds(t, path, 5, OtherChain, head)
}

// The chain alone cannot show this; the anchor can.
func TestRowsDroppedAtTheEndTakeAnAnchor(t *testing.T) {
	path, head := written(t, 5)
	execute(t, path, `DELETE FROM audit WHERE sequence = 5`)
	holds(t, path, 4)
	finds(t, path, 5, CutOff, head)
}

// A session that ended says so: without its last row it shows.
func TestASessionThatWasCutOffIsUnfinished(t *testing.T) {
	path := filepath.Join(t.TempDir(), "audit.db")
	log := open(t, path)
	for _, id := range []string{"s1", "s2"} {
		if err := fill(t, log, id, 2).End(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	if err := log.Close(); err != nil {
		t.Fatal(err)
	}
	head := log.Head()
	for _, c := range []struct {
		keep                 int64
		sessions, unfinished int
	}{{6, 2, 0}, {5, 2, 1}, {4, 2, 1}, {3, 1, 0}} { // the last is what nobody can see without an anchor
		if c.keep < 6 {
			execute(t, path, fmt.Sprintf(`DELETE FROM audit WHERE sequence > %d`, c.keep))
		}
		report := holds(t, path, c.keep)
		if report.Sessions != c.sessions || report.Unfinished != c.unfinished {
			t.Errorf("%d rows: %d sessions, %d unfinished", c.keep, report.Sessions, report.Unfinished)
		}
		if _, err := Verify(t.Context(), path, head); (err != nil) != (c.keep < 6) {
			t.Errorf("%d rows, anchored: %v", c.keep, err)
		}
	}
}

func TestRowsBehindASessionsLastAreFound(t *testing.T) {
	a, end := row{session: "s1", call: 1, code: "permit"}, row{session: "s1", call: 1, code: SessionClosed}
	for name, c := range map[string]struct {
		rows []row
		row  int64
		why  Reason
	}{
		"another row":           {[]row{a, end, a}, 3, AfterEnd},
		"a second last row":     {[]row{a, end, end}, 3, AfterEnd},
		"a row more than there": {[]row{end}, 1, WrongCount},
		"a row less":            {[]row{a, a, end}, 3, WrongCount},
		"no commitment":         {[]row{a, {session: "s1", code: "permit", commitment: []byte("plaintext")}}, 2, NoCommitment},
	} {
		t.Run(name, func(t *testing.T) {
			path, _ := written(t, 0)
			for i := range c.rows {
				c.rows[i].elapsed, c.rows[i].time = int64(i), int64(i)
			}
			rewrite(t, path, chained(c.rows...)...)
			finds(t, path, c.row, c.why)
		})
	}
}

func TestAnotherChainDoesNotPassForTheAnchored(t *testing.T) {
	_, head := written(t, 3)
	for _, rows := range []int64{3, 4} {
		other, _ := written(t, rows)
		finds(t, other, 3, OtherChain, head)
	}
}

// An anchor holds although the log went on.
func TestAnAnchorInTheMiddleHolds(t *testing.T) {
	path, first := written(t, 3)
	log := open(t, path)
	fill(t, log, "s2", 2)
	holds(t, path, 5, first, log.Head(), Head{})
	execute(t, path, `DELETE FROM audit WHERE sequence > 2`)
	if _, err := Verify(t.Context(), path, first); err == nil {
		t.Error("the anchored row is gone and not missed")
	}
}

// Clock steps: nothing of the chain is wrong, but the times are.
func TestClockStepsAreFound(t *testing.T) {
	second := time.Second.Nanoseconds()
	at := func(time, elapsed int64) row { return row{session: "s1", code: "permit", time: time, elapsed: elapsed} }
	var creeping []row
	for i := range int64(30) {
		creeping = append(creeping, at(100*second+i*second+i*second/50, i*second)) // 20 ms more at each row
	}
	for name, c := range map[string]struct {
		rows  []row
		steps int
		first int64
	}{
		"none":                      {[]row{at(100, 0), at(150, 50), at(50*second, 50*second)}, 0, 0},
		"a clock that is slewed":    {[]row{at(0, 0), at(3600*second, 3600*second+2*second)}, 0, 0},
		"backwards":                 {[]row{at(100*second, 0), at(101*second, second), at(90*second, 2*second), at(91*second, 3*second)}, 1, 3},
		"forwards":                  {[]row{at(100*second, 0), at(400*second, second)}, 1, 2},
		"a little, late":            {[]row{at(0, 0), at(86400*second, 86400*second), at(86406*second, 86401*second)}, 1, 3},
		"there and back":            {[]row{at(100*second, 0), at(400*second, second), at(102*second, 2*second)}, 2, 2},
		"in steps too small to see": {creeping, 4, 7},
		"another opening, later":    {[]row{at(100*second, 0), at(101*second, second), at(900*second, 0)}, 0, 0},
		"another opening, before":   {[]row{at(100*second, 0), at(101*second, second), at(99*second, 0)}, 1, 3},
		"elapsed time goes back":    {[]row{at(100*second, 0), at(101*second, second), at(101*second, second)}, 1, 3},
		"the first row is not one":  {[]row{at(100*second, 5)}, 1, 1},
	} {
		t.Run(name, func(t *testing.T) {
			path, _ := written(t, 0)
			rewrite(t, path, chained(c.rows...)...)
			report := holds(t, path, int64(len(c.rows)))
			if report.ClockSteps != c.steps || report.FirstStep != c.first {
				t.Errorf("%d steps, the first at row %d; want %d, %d", report.ClockSteps, report.FirstStep, c.steps, c.first)
			}
		})
	}
}

// What a log itself writes has steps only where its clock was set.
func TestALogTellsOfAClockThatWasSet(t *testing.T) {
	path := filepath.Join(t.TempDir(), "audit.db")
	log := open(t, path)
	var now moment
	log.writer.now = func() moment { return now }
	s := log.Session("s1")
	second := time.Second.Nanoseconds()
	for i, c := range []moment{{5000 * second, second}, {5001 * second, 2 * second}, {1002 * second, 3 * second}, {1003 * second, 4 * second}} {
		now = c
		if err := s.Append(t.Context(), sample(int64(i+1))); err != nil {
			t.Fatal(err)
		}
	}
	if report := holds(t, path, 4); report.ClockSteps != 1 || report.FirstStep != 3 {
		t.Errorf("%d steps, the first at row %d", report.ClockSteps, report.FirstStep)
	}
}

// The file itself: bytes that changed, an end that is missing, a trigger.
func TestADamagedFileIsFound(t *testing.T) {
	for name, harm := range map[string]func(*testing.T, string){
		"half of the bytes": func(t *testing.T, path string) {
			info, err := os.Stat(path)
			if err != nil {
				t.Fatal(err)
			}
			if err := os.Truncate(path, info.Size()/2); err != nil {
				t.Fatal(err)
			}
		},
		"a page of noise": func(t *testing.T, path string) {
			f, err := os.OpenFile(path, os.O_WRONLY, 0)
			if err != nil {
				t.Fatal(err)
			}
			defer f.Close()
			noise := make([]byte, 4096)
			for i := range noise {
				noise[i] = byte(i * 7)
			}
			if _, err := f.WriteAt(noise, 8192); err != nil {
				t.Fatal(err)
			}
		},
		"a trigger": func(t *testing.T, path string) {
			if _, err := opener(t, path).Exec(`CREATE TRIGGER t AFTER INSERT ON audit BEGIN DELETE FROM audit WHERE sequence = new.sequence; END`); err != nil {
				t.Fatal(err)
			}
		},
		"a view instead": func(t *testing.T, path string) {
			if _, err := opener(t, path).Exec(`ALTER TABLE audit RENAME TO hidden; CREATE VIEW audit AS SELECT * FROM hidden`); err != nil {
				t.Fatal(err)
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			path, _ := written(t, 100)
			harm(t, path)
			if _, err := Verify(t.Context(), path); !isBroken(err) {
				t.Errorf("%v", err)
			}
			if log, err := Open(t.Context(), path); err == nil {
				log.Close()
				if name == "a trigger" || name == "a view instead" {
					t.Error("opened")
				}
			}
		})
	}
}

func isBroken(err error) bool {
	var broken *Broken
	return errors.As(err, &broken)
}
