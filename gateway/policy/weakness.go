package policy

// Weakness takes checks of the engine away, for mutants. The zero value is
// strict.
type Weakness struct {
	PoliciesUnchecked bool // a policy that the schema's validator refuses is compiled
	RequestUnchecked  bool // a request that does not fit the schema is decided
	EntitiesUnchecked bool // so is one whose entities do not fit it
	ErrorsIgnored     bool // a policy that fails has no say, as Cedar has it, and may be the one that forbids
	DefaultPermits    bool // what no policy speaks of is permitted
}

// CompileWeak is Compile with some checks taken away. Nothing of the gateway's
// own calls it: it is for the harness, and a test keeps it there.
func CompileWeak(s Source, w Weakness) (*Engine, error) { return build(s, w) }
