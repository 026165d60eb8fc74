package text

import (
	"bytes"

	"postern/observers/canary/layer"
)

const (
	literalGap = 24      // bytes between the parts of a text in source code
	manySteps  = 1 << 20 // of the programs of one piece that are run
	tapeCells  = 1 << 16
)

// openCode reads what source code would make: texts in parts, and the output of
// programs in two small languages.
func openCode(b []byte, room *layer.Room, yield func(layer.View) bool) {
	o := &out{room: room, yield: yield}
	o.literals(b, '"')
	o.literals(b, '\'')
	o.literals(b, '`')
	steps := manySteps + 4*len(b)
	eachRun(b, brainSymbols, 32, func(s span) bool {
		o.offer("brainfuck", s.from, o.within(runBrain(b[s.from:s.to], &steps, o.room.Left())))
		if steps == 0 {
			room.Spend()
		}
		return !o.ended && steps > 0
	})
	if program := unook(b); program != nil {
		o.offer("ook", bytes.Index(b, ook), o.within(runBrain(program, &steps, o.room.Left())))
	}
	eachRun(b, blankSymbols, 48, func(s span) bool {
		o.offer("whitespace", s.from, pushed(b[s.from:s.to]))
		return !o.ended
	})
	o.flush()
}

// literals joins texts in quotes that only operators and space divide.
func (o *out) literals(b []byte, quote byte) {
	var joined []byte
	start, from, parts := -1, -1, 0 // from is the inside of an open quote
	end := -1
	for i := 0; i < len(b) && !o.ended; i++ {
		k := bytes.IndexByte(b[i:], quote)
		if k < 0 {
			break
		}
		i += k
		switch {
		case i > 0 && b[i-1] == '\\':
		case from >= 0 && bytes.IndexByte(b[from:i], '\n') < 0:
			joined = append(joined, b[from:i]...)
			from, end = -1, i
			parts++
		default:
			if end < 0 || !operators(b[end+1:i]) {
				o.literal(start, joined, parts)
				joined, start, parts = joined[:0], i, 0
			}
			from = i + 1
		}
	}
	o.literal(start, joined, parts)
}

func (o *out) literal(at int, joined []byte, parts int) {
	if parts > 1 && len(joined) >= 8 {
		o.gather("string-parts", at, joined)
	}
}

// operators reports whether only those stand between two texts.
func operators(gap []byte) bool {
	if len(gap) > literalGap {
		return false
	}
	for _, c := range gap {
		if !isSpace(c) && bytes.IndexByte([]byte("+.&|,;~_\\()[]{}%*$@#=>:-<"), c) < 0 {
			return false
		}
	}
	return true
}

var ook = []byte("Ook")

// unook is the Brainfuck program that one in Ook! is: each command is two words, told
// by the marks behind them. Other text between them is left out.
func unook(b []byte) []byte {
	if bytes.Count(b, ook) < 2*least {
		return nil
	}
	var marks []byte
	for i := 0; ; {
		k := bytes.Index(b[i:], ook)
		if i += k + len(ook); k < 0 || i == len(b) {
			break
		}
		if bytes.IndexByte([]byte(".!?"), b[i]) >= 0 {
			marks = append(marks, b[i])
		}
	}
	commands := map[string]byte{".?": '>', "?.": '<', "..": '+', "!!": '-', "!.": '.', ".!": ',', "!?": '[', "?!": ']'}
	program := make([]byte, 0, len(marks)/2)
	for ; len(marks) >= 2; marks = marks[2:] {
		if c := commands[string(marks[:2])]; c != 0 {
			program = append(program, c)
		}
	}
	return program
}

var brainSymbols = setOf("+-<>[].,\r\n\t ")

// runBrain runs a Brainfuck program without input for the steps that are left,
// and returns what it wrote, until that is more than is wanted.
func runBrain(program []byte, steps *int, most int) []byte {
	if bytes.Count(program, []byte(".")) < least || !bytes.ContainsAny(program, "+-") {
		return nil
	}
	jump, ok := brackets(program)
	if !ok {
		return nil
	}
	cells := tapeCells
	if bytes.IndexByte(program, '[') < 0 { // it moves no further than it is long
		cells = min(cells, len(program)+1)
	}
	tape := make([]byte, cells)
	var d []byte
	at := 0
	for pc := 0; pc < len(program) && *steps > 0 && len(d) <= most; pc++ {
		*steps--
		switch program[pc] {
		case '+':
			tape[at]++
		case '-':
			tape[at]--
		case '>':
			at = (at + 1) % cells
		case '<':
			at = (at + cells - 1) % cells
		case '.':
			d = append(d, tape[at])
		case '[':
			if tape[at] == 0 {
				pc = jump[pc]
			}
		case ']':
			if tape[at] != 0 {
				pc = jump[pc]
			}
		}
	}
	return d
}

// brackets pairs them.
func brackets(program []byte) ([]int, bool) {
	jump := make([]int, len(program))
	var open []int
	for i, c := range program {
		switch c {
		case '[':
			open = append(open, i)
		case ']':
			if len(open) == 0 {
				return nil, false
			}
			o := open[len(open)-1]
			open = open[:len(open)-1]
			jump[o], jump[i] = i, o
		}
	}
	return jump, len(open) == 0
}

var blankSymbols = setOf(" \t\n")

// pushed returns the low bytes of the numbers that a Whitespace program puts on
// its stack: two spaces, a sign, bits of tab and space, a line feed.
func pushed(b []byte) []byte {
	var d []byte
	for {
		i := bytes.Index(b, []byte("  "))
		if i < 0 || i+3 > len(b) {
			return d
		}
		n := bytes.IndexByte(b[i+2:], '\n')
		if n < 0 {
			return d
		}
		if n >= 2 && n <= 33 {
			v := 0
			for _, c := range b[i+3 : i+2+n] {
				v <<= 1
				if c == '\t' {
					v |= 1
				}
			}
			d = append(d, byte(v))
		}
		b = b[i+2+n:]
	}
}
