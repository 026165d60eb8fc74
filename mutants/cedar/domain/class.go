package domain

// Class is a kind of values that the domain holds because some mutant shows
// at those alone. Options.Without leaves one out, to see that it is needed.
type Class string

// The classes.
const (
	Absent     Class = "absent"     // an optional attribute or tag that is not there
	Fresh      Class = "fresh"      // a value that no policy names
	Swapped    Class = "swapped"    // a value that a mutant names, and no policy
	Below      Class = "below"      // just below what a policy compares with
	Above      Class = "above"      // just above
	Extreme    Class = "extreme"    // the ends of a type, where a policy calculates
	EmptySet   Class = "empty-set"  // a set without an element
	Several    Class = "several"    // several elements, or several groups at once
	Member     Class = "member"     // a child of what a policy asks for
	Descendant Class = "descendant" // a grandchild
	Self       Class = "self"       // an attribute that is the principal or the resource
	Pattern    Class = "pattern"    // a text that a pattern takes, or takes no longer
	Elsewhere  Class = "elsewhere"  // in an extension's range, or around it
	Hostile    Class = "hostile"    // what the schema refuses
)

// Classes lists all.
func Classes() []Class {
	return []Class{Absent, Fresh, Swapped, Below, Above, Extreme, EmptySet, Several, Member, Descendant, Self, Pattern, Elsewhere, Hostile}
}
