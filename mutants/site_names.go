package mutants

// NeedResolver is a network whose containers can ask a name server of ours.
const NeedResolver Need = "resolver"

// NameService is the part of a site that has to do with names.
type NameService struct {
	Network string // name of a Docker network without a way out
	Server  string // the host's address in it, where a name server listens
}

func sampleNameService() NameService {
	return NameService{Network: "postern-resolver-sample", Server: "172.30.0.1"}
}
