package view

import (
	_ "embed" // for the page
	"html/template"
	"io"
	"strings"
)

//go:embed page.html
var page string

// HTML writes a page that needs nothing else.
func (r *Report) HTML(to io.Writer) error {
	t, err := template.New("page").Funcs(template.FuncMap{
		"diff":     Changed,
		"statuses": func() any { return statuses },
		"sign":     func(line string) string { return map[byte]string{'-': "gone", '+': "new"}[line[0]] },
		"find":     r.find,
		"why":      func(list []string) string { return strings.Join(list, "; ") },
	}).Parse(page)
	if err != nil {
		return err
	}
	return t.Execute(to, r)
}
