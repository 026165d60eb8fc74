package guard

// The words of the table, for printing.

func (a Action) String() string {
	switch a {
	case Confine:
		return "confine"
	case Unconfined:
		return "unconfined"
	}
	return "refuse"
}

func (m Marker) String() string {
	switch m {
	case Valid:
		return "valid"
	case Absent:
		return "absent"
	case Mismatched:
		return "mismatched"
	}
	return "malformed"
}

// Says is the reason in plain words, with what to do.
func (r Reason) Says() string {
	switch r {
	case OriginalChanged:
		return "the client's entry was changed after it was enrolled: look at it, then disable and enable the guard"
	case MarkerMalformed:
		return "the profile hash in the client's entry is not 64 hexadecimal digits: disable and enable the guard"
	case MarkerMismatched:
		return "the stored profile is not the one that was enrolled: look at both, then disable and enable the guard"
	case Enrolled:
		return "the stored profile is the one that was enrolled"
	case MarkerStripped:
		return "the client's entry has lost its profile hash: disable and enable the guard"
	case StoreWiped:
		return "the profile that was enrolled is no longer stored: disable and enable the guard"
	case BackendMissing:
		return "this machine cannot confine: 'postern guard doctor' says why"
	case NotEnrolled:
		return "the server was never enrolled: 'postern guard enable' does that"
	}
	return "the table does not speak of this"
}
