// Package layer is what the stages of a canary search have in common: a stage
// takes bytes apart and yields what lies below, as views, until its room is
// used up.
//
// A stage promises to be quick where there is nothing for it, to end, never to
// panic, and to say through its Room when it left something unread. What it
// yields is only material to search: a wrong guess costs time, not truth.
package layer

// Technique is a closed word for one way of dressing bytes, as "gzip".
type Technique string

// View is what lies below some bytes.
type View struct {
	Technique Technique
	Offset    int    // in the bytes above, of the first that it came from
	Bytes     []byte // to be searched in turn; the receiver does not change them
}

// Stage is one decoder. Open may be called by many goroutines at once; it stops
// when yield returns false.
type Stage struct {
	Technique Technique
	Open      func(b []byte, room *Room, yield func(View) bool)
}

// Room is how many bytes a stage may still yield for one piece of input. A room
// that was too small makes a search that found nothing unproven, not clean.
type Room struct {
	left  int
	spent bool
	short bool
	look  *Look
}

// NewRoom returns room for n bytes.
func NewRoom(n int) *Room { return &Room{left: n} }

// Take asks for n bytes. Where there is not enough it says no, and remembers.
func (r *Room) Take(n int) bool {
	if n > r.left {
		r.spent, r.short = true, true
		return false
	}
	r.left -= n
	return true
}

// Share lets a stage use a look at its input that others use as well.
func (r *Room) Share(l *Look) { r.look = l }

// Look is a look at the input of a stage.
func (r *Room) Look(b []byte) *Look {
	if !r.look.at(b) {
		r.look = NewLook(b)
	}
	return r.look
}

// Left is how many bytes there are.
func (r *Room) Left() int { return r.left }

// Spend notes that something was left unread for another bound than bytes: a
// depth, a count, or input that is cut off.
func (r *Room) Spend() { r.spent = true }

// Spent reports whether something was left unread.
func (r *Room) Spent() bool { return r.spent }

// Short reports whether something was left unread for want of bytes, so that more
// room would show more.
func (r *Room) Short() bool { return r.short }
