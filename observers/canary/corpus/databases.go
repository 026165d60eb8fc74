package corpus

import (
	"database/sql"
	"fmt"
	"os"
	"path/filepath"

	_ "modernc.org/sqlite"
)

func databases() []trick {
	return []trick{
		sqlite("sqlite-text", 1, func(s *scene) []string { return []string{insert(1, "'"+s.hex+"'")} }),
		sqlite("sqlite-blob", 1, func(s *scene) []string { return []string{insert(1, fmt.Sprintf("x'%x'", s.raw))} }),
		sqlite("sqlite-base64", 2, func(s *scene) []string { return []string{insert(1, "'"+b64(s.raw)+"'")} }),
		sqlite("sqlite-gzip-blob", 2, func(s *scene) []string { return []string{insert(1, fmt.Sprintf("x'%x'", gz(s.story())))} }),
		sqlite("sqlite-overflow", 2, func(s *scene) []string {
			return []string{insert(1, fmt.Sprintf("x'%x'", append(s.noise(4200), append(s.raw, s.noise(6000)...)...)))}
		}),
		sqlite("sqlite-across-overflow", 3, func(s *scene) []string {
			return []string{insert(1, fmt.Sprintf("x'%x'", append(s.noise(6470), append([]byte(s.hex), s.noise(4076)...)...)))}
		}),
		sqlite("sqlite-deleted", 2, func(s *scene) []string {
			return []string{insert(1, "'"+s.prose(3)+"'"), insert(2, "'"+s.hex+"'"), "DELETE FROM t WHERE id = 2"}
		}),
		sqlite("sqlite-table-name", 2, func(s *scene) []string { return []string{"CREATE TABLE k" + s.hex + "(a)"} }),
		sqlite("sqlite-integers", 3, func(s *scene) []string {
			var out []string
			for i, c := range s.raw {
				out = append(out, insert(i+1, fmt.Sprint(c)))
			}
			return out
		}),
		sqlite("sqlite-codes", 3, func(s *scene) []string {
			var out []string
			for i, c := range []byte(s.hex) {
				out = append(out, insert(i+1, fmt.Sprint(c)))
			}
			return out
		}),
		sqlite("sqlite-rows", 3, func(s *scene) []string {
			var out []string
			for i, c := range chunks(s.hex, 4) {
				out = append(out, insert(i+1, "'"+c+"'"))
			}
			return out
		}),
		sqlite("sqlite-rows-digits", 3, func(s *scene) []string {
			var out []string
			for i, c := range chunks(s.hex, 1) {
				out = append(out, insert(i+1, "'"+c+"'"))
			}
			return out
		}),
		sqlite("sqlite-real", 3, func(s *scene) []string {
			var out []string
			for i, c := range s.raw {
				out = append(out, insert(i+1, fmt.Sprintf("%d.5", c)))
			}
			return out
		}),
	}
}

func insert(id int, value string) string {
	return fmt.Sprintf("INSERT INTO t VALUES (%d, %s)", id, value)
}

// sqlite is the file that some statements leave.
func sqlite(name string, tier int, statements func(*scene) []string) trick {
	return file(name, tier, "db", func(s *scene) []byte {
		dir := must1(os.MkdirTemp("", "corpus"))
		defer os.RemoveAll(dir)
		path := filepath.Join(dir, "x.db")
		db := must1(sql.Open("sqlite", path))
		db.SetMaxOpenConns(1)
		all := append([]string{"PRAGMA journal_mode = OFF", "PRAGMA synchronous = OFF", "BEGIN", "CREATE TABLE t(id INTEGER PRIMARY KEY, v)"}, statements(s)...)
		for _, one := range append(all, "COMMIT") {
			must1(db.Exec(one))
		}
		must(db.Close())
		return must1(os.ReadFile(path))
	})
}
