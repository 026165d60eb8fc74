package text

import "bytes"

// binary reads groups of bits: each as one number, and all as one string.
func (l *lists) binary(list []numeric, s shape) {
	var each, joined []byte
	for _, n := range list {
		v := 0
		for _, c := range n.figures {
			v = v<<1 | int(c-'0')
		}
		each = append(each, byte(v))
		joined = append(joined, n.figures...)
	}
	l.offer("binary-list", list[0].at, each)
	l.bits("binary-list", list[0].at, joined)
	if s.widest == 5 && s.narrowest == 5 {
		l.fivers(list[0].at, joined)
	}
}

// cells reads pairs of figures as row and column, groups of one figure as key
// presses, and single figures as the digits of two.
func (l *lists) cells(list []numeric, s shape) {
	at := list[0].at
	if s.decimal && s.widest == 2 && s.narrowest == 2 && s.top <= 6 {
		l.squares(at, list)
	}
	if keys, ok := presses(list); ok {
		l.offer("multi-tap", at, keys)
	}
	if s.decimal && s.widest == 1 && s.top <= 6 {
		l.singles(at, list)
	}
}

// squareOrders are the fillings of squares of five and of six.
var squareOrders = []struct {
	side  int
	order string
}{
	{5, "abcdefghiklmnopqrstuvwxyz"},
	{5, "abcdefghijlmnopqrstuvwxyz"},
	{6, lower + digits},
	{6, digits + lower},
}

func (l *lists) squares(at int, list []numeric) {
	cells := make([][2]int, 0, len(list))
	for _, n := range list {
		cells = append(cells, [2]int{int(n.figures[0] - '0'), int(n.figures[1] - '0')})
	}
	l.square(at, cells)
}

func (l *lists) singles(at int, list []numeric) {
	var cells [][2]int
	for i := 0; i+1 < len(list); i += 2 {
		cells = append(cells, [2]int{int(list[i].figures[0] - '0'), int(list[i+1].figures[0] - '0')})
	}
	l.square(at, cells)
}

// square reads cells of a Polybius square that counts from one, or from nought.
func (o *out) square(at int, cells [][2]int) {
	for _, q := range squareOrders {
		for first := range 2 {
			d := make([]byte, 0, len(cells))
			for _, c := range cells {
				row, column := c[0]-first, c[1]-first
				if row < 0 || column < 0 || row >= q.side || column >= q.side {
					break
				}
				d = append(d, q.order[row*q.side+column])
			}
			if len(d) == len(cells) {
				o.offer("polybius", at, d)
			}
		}
	}
}

var keypad = [10]string{"0 ", "1", "abc2", "def3", "ghi4", "jkl5", "mno6", "pqrs7", "tuv8", "wxyz9"}

// presses reads 2, 22, 222 as a, b, c.
func presses(list []numeric) ([]byte, bool) {
	var d []byte
	longer := false
	for _, n := range list {
		f := n.figures
		if !isDigit(f[0]) || len(bytes.Trim(f, string(f[:1]))) > 0 {
			return nil, false
		}
		key := keypad[f[0]-'0']
		if len(f) > len(key) {
			return nil, false
		}
		longer = longer || len(f) > 1
		d = append(d, key[len(f)-1])
	}
	return d, longer
}
