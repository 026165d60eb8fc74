package guard

import "slices"

// Action is what becomes of a spawn. The zero Action refuses.
type Action int

const (
	Refuse     Action = iota // the server is not started
	Confine                  // it is started inside the sandbox of its stored profile
	Unconfined               // it is started as it was before, with a loud notice
)

// Marker is what the wrapped command's profile hash says.
type Marker int

const (
	Malformed  Marker = iota // there is one, and it is not 64 hexadecimal digits
	Mismatched               // it is not the hash of the stored profile
	Absent                   // there is none
	Valid                    // it is the stored profile's; where none is stored, it could be
)

// Spawn is all that a decision knows. The zero Spawn is refused.
type Spawn struct {
	Stored            bool   // the store has a profile for this server
	Marker            Marker // of the wrapped command
	RequiredByMarker  bool   // the wrapped command says that it must be confined
	RequiredByProfile bool   // the stored profile says so
	Backend           bool   // the sandbox is available on this machine
	Original          bool   // the wrapped entry is the one that was enrolled
}

func (s Spawn) required() bool { return s.RequiredByMarker || s.RequiredByProfile }

// Decision is what becomes of a spawn and why.
type Decision struct {
	Action Action
	Reason Reason
}

// Reason is a closed word.
type Reason string

const (
	OriginalChanged  Reason = "original-changed"
	MarkerMalformed  Reason = "marker-malformed"
	MarkerMismatched Reason = "marker-mismatched"
	Enrolled         Reason = "enrolled"
	MarkerStripped   Reason = "marker-stripped"
	StoreWiped       Reason = "store-wiped"
	BackendMissing   Reason = "backend-missing"
	NotEnrolled      Reason = "not-enrolled"
	NoRow            Reason = "no-row" // of a table that does not speak of every spawn
)

// Row is one line of a table: what it wants of a spawn, and what then becomes of
// it. A list of values that is empty wants nothing.
type Row struct {
	Original []bool
	Marker   []Marker
	Stored   []bool
	Required []bool
	Backend  []bool

	Action Action
	Reason Reason
}

// Table is tried from its first row on; the first that fits decides. A value, so
// that mutants change a clone.
type Table []Row

// Clone copies a table deeply.
func (t Table) Clone() Table {
	t = slices.Clone(t)
	for i, r := range t {
		t[i].Original, t[i].Marker, t[i].Stored = slices.Clone(r.Original), slices.Clone(r.Marker), slices.Clone(r.Stored)
		t[i].Required, t[i].Backend = slices.Clone(r.Required), slices.Clone(r.Backend)
	}
	return t
}

// Reference is the table by which servers are started.
func Reference() Table {
	yes, no := []bool{true}, []bool{false}
	marked := func(m Marker) []Marker { return []Marker{m} }
	return Table{
		// What does not fit together is refused, required or not: somebody changed it.
		{Original: no, Action: Refuse, Reason: OriginalChanged},
		{Marker: marked(Malformed), Action: Refuse, Reason: MarkerMalformed},
		{Marker: marked(Mismatched), Action: Refuse, Reason: MarkerMismatched},

		// What is missing is refused where it was required. A profile that is
		// stored is used though its marker is gone: less is never safer.
		{Marker: marked(Absent), Stored: yes, Required: yes, Action: Refuse, Reason: MarkerStripped},
		{Marker: marked(Valid), Stored: no, Required: yes, Action: Refuse, Reason: StoreWiped},
		{Marker: marked(Absent), Stored: no, Required: yes, Action: Refuse, Reason: NotEnrolled},
		{Backend: no, Required: yes, Action: Refuse, Reason: BackendMissing},

		{Marker: marked(Valid), Stored: yes, Backend: yes, Action: Confine, Reason: Enrolled},
		{Marker: marked(Absent), Stored: yes, Backend: yes, Action: Confine, Reason: MarkerStripped},

		{Stored: yes, Backend: no, Action: Unconfined, Reason: BackendMissing},
		{Marker: marked(Valid), Stored: no, Action: Unconfined, Reason: StoreWiped},
		{Marker: marked(Absent), Stored: no, Action: Unconfined, Reason: NotEnrolled},
	}
}

// Decide is the decision of the first row that fits; a spawn of which no row
// speaks is refused.
func (t Table) Decide(s Spawn) Decision {
	for _, r := range t {
		if r.fits(s) {
			return Decision{r.Action, r.Reason}
		}
	}
	return Decision{Refuse, NoRow}
}

func (r Row) fits(s Spawn) bool {
	return among(r.Original, s.Original) && among(r.Marker, s.Marker) && among(r.Stored, s.Stored) &&
		among(r.Required, s.required()) && among(r.Backend, s.Backend)
}

func among[T comparable](wanted []T, is T) bool {
	for _, w := range wanted {
		if w == is {
			return true
		}
	}
	return len(wanted) == 0
}

// Spawns are all that there can be, in a fixed order.
func Spawns() []Spawn {
	var all []Spawn
	either := []bool{false, true}
	for _, original := range either {
		for _, marker := range []Marker{Malformed, Mismatched, Absent, Valid} {
			for _, stored := range either {
				for _, byMarker := range either {
					for _, byProfile := range either {
						for _, backend := range either {
							all = append(all, Spawn{stored, marker, byMarker, byProfile, backend, original})
						}
					}
				}
			}
		}
	}
	return all
}
