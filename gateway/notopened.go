package gateway

// Step is a step of opening a gateway at which its configuration is refused.
type Step string

// The steps.
const (
	StepConfig    Step = "config"    // it does not fit together
	StepPolicies  Step = "policies"  // they do not compile, or not against the schema
	StepLabels    Step = "labels"    // the session cannot begin at its label
	StepCatalogue Step = "catalogue" // the tool server's tools are not those of the catalogue
	StepServer    Step = "server"    // the tool server speaks another version of the protocol
)

// NotOpened is the error of a gateway that looked at its configuration, or at
// what the tool server says of itself and lists, and refused it. Where it could not look the error
// is another.
type NotOpened struct {
	Step Step
	err  error
}

func (n *NotOpened) Error() string { return n.err.Error() }
func (n *NotOpened) Unwrap() error { return n.err }

func refusedAt(s Step, err error) error { return &NotOpened{Step: s, err: err} }
