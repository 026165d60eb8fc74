package container

import (
	"bytes"
	"database/sql"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	_ "modernc.org/sqlite"
)

// database is a file that the statements made, and its log.
func database(t *testing.T, statements ...string) (file, log []byte) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "db")
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	db.SetMaxOpenConns(1)
	for _, s := range statements {
		if _, err := db.Exec(s); err != nil {
			t.Fatal(err)
		}
	}
	log, _ = os.ReadFile(path + "-wal")
	db.Close()
	file, err = os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return file, log
}

func inserts(table string, order []int) []string {
	var all []string
	for _, n := range order {
		all = append(all, fmt.Sprintf("insert into %s values(%d, '%s', %d)", table, n, needle[4*n:4*n+4], needle[n]))
	}
	return all
}

func TestTheColumnsOfATableAreJoinedByRow(t *testing.T) {
	make := []string{"pragma page_size=512", "create table t(n, s text, v)"}
	file, _ := database(t, append(make, inserts("t", []int{5, 0, 1, 10, 2, 3, 4, 6, 7, 9, 8})...)...)
	wantShown(t, file, Sqlite, needle)
	wantShown(t, around(file), Sqlite, needle)
	if !shows(file, Sqlite, needle[:11]) {
		t.Error("numbers: not shown")
	}
}

func TestALongValueIsJoinedOverItsPages(t *testing.T) {
	long := strings.Repeat("x", 420) + strings.Repeat(needle+" ", 60)
	make := []string{"pragma page_size=512", "create table t(s)", "insert into t values('" + long + "')"}
	file, _ := database(t, make...)
	wantShown(t, file, Sqlite, long)
	file, _ = database(t, append(make, "delete from t")...)
	if !shows(file, Sqlite, long[1000:2400]) {
		t.Error("deleted: not shown")
	}
}

func TestALogOfADatabaseIsRead(t *testing.T) {
	make := []string{"pragma journal_mode=wal", "create table t(n, s text, v)"}
	_, log := database(t, append(make, inserts("t", []int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10})...)...)
	if !bytes.HasPrefix(log, []byte("\x37\x7f\x06")) {
		t.Fatal("no log")
	}
	wantShown(t, log, Sqlite, needle)
}
