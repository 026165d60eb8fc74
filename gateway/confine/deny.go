package confine

// Controls of the hardened tier's system call filter.
const (
	DenyVsock      Control = "profile.deny-vsock"
	DenyNetlink    Control = "profile.deny-netlink"
	DenyPacket     Control = "profile.deny-packet"
	DenyCrypto     Control = "profile.deny-crypto"
	DenyFamilies   Control = "profile.deny-families"
	DenyCompat     Control = "profile.deny-compat"
	DenyIOUring    Control = "profile.deny-io-uring"
	DenyTrace      Control = "profile.deny-trace"
	DenyMemfd      Control = "profile.deny-memfd"
	DenyKeyring    Control = "profile.deny-keyring"
	DenyNamespaces Control = "profile.deny-namespaces"
	DenyKernel     Control = "profile.deny-kernel"
	DenyPageCache  Control = "profile.deny-page-cache"
	DenyLocks      Control = "profile.deny-locks"
	DenyInotify    Control = "profile.deny-inotify"
)

// Deny are the groups of system calls that the hardened tier's filter refuses,
// each a control of its own. The zero value is for the reference, which has the
// Engine's filter. Without one group the filter lets its calls through, even
// where the Engine's default would not.
type Deny struct {
	Vsock      bool // socket(AF_VSOCK): its ports are not of the network namespace
	Netlink    bool // socket(AF_NETLINK): audit messages reach the host's log
	Packet     bool // socket(AF_PACKET)
	Crypto     bool // socket(AF_ALG)
	Families   bool // any other family but UNIX, INET and INET6
	Compat     bool // 32-bit entries, whose socketcall no filter can look into
	IOUring    bool // io_uring, which does what a filter refuses
	Trace      bool // ptrace, process_vm_*, pidfd_getfd, kcmp
	Memfd      bool // memfd_create, memfd_secret, execveat: code in spite of a read-only root
	Keyring    bool // add_key, request_key, keyctl: keys belong to the user, not the container
	Namespaces bool // unshare, setns, clone of a namespace
	Kernel     bool // bpf, perf_event_open, userfaultfd, fanotify
	PageCache  bool // mincore, cachestat, preadv2 with flags: which pages of the image are cached
	Locks      bool // flock and fcntl's locks and leases: /proc/locks shows them to all
	Inotify    bool // inotify: watches are counted by user
}

// DenyAll refuses every group.
func DenyAll() Deny {
	return Deny{
		Vsock: true, Netlink: true, Packet: true, Crypto: true, Families: true, Compat: true, IOUring: true, Trace: true,
		Memfd: true, Keyring: true, Namespaces: true, Kernel: true, PageCache: true, Locks: true, Inotify: true,
	}
}

// DenyGroup is one field of Deny with its control.
type DenyGroup struct {
	Control Control
	On      *bool
}

// Groups are the fields of d, in a fixed order.
func (d *Deny) Groups() []DenyGroup {
	return []DenyGroup{
		{DenyVsock, &d.Vsock}, {DenyNetlink, &d.Netlink}, {DenyPacket, &d.Packet}, {DenyCrypto, &d.Crypto},
		{DenyFamilies, &d.Families}, {DenyCompat, &d.Compat}, {DenyIOUring, &d.IOUring}, {DenyTrace, &d.Trace},
		{DenyMemfd, &d.Memfd}, {DenyKeyring, &d.Keyring}, {DenyNamespaces, &d.Namespaces}, {DenyKernel, &d.Kernel},
		{DenyPageCache, &d.PageCache}, {DenyLocks, &d.Locks}, {DenyInotify, &d.Inotify},
	}
}

// beyond lists the groups that d refuses and other does not.
func (d Deny) beyond(other Deny) []Control {
	var out []Control
	theirs := other.Groups()
	for i, g := range d.Groups() {
		if *g.On && !*theirs[i].On {
			out = append(out, g.Control)
		}
	}
	return out
}

func denyControls() []ControlInfo {
	const kernel, network = "kernel", "network"
	return []ControlInfo{
		{DenyVsock, "no socket of the virtual machine's", "Deny.Vsock", network},
		{DenyNetlink, "no netlink socket", "Deny.Netlink", network},
		{DenyPacket, "no packet socket", "Deny.Packet", network},
		{DenyCrypto, "no socket into the kernel's ciphers", "Deny.Crypto", network},
		{DenyFamilies, "no rare family of sockets", "Deny.Families", network},
		{DenyCompat, "no 32-bit system call", "Deny.Compat", kernel},
		{DenyIOUring, "no io_uring", "Deny.IOUring", kernel},
		{DenyTrace, "no look into another process", "Deny.Trace", kernel},
		{DenyMemfd, "no file of memory alone to run", "Deny.Memfd", kernel},
		{DenyKeyring, "no key of the kernel's", "Deny.Keyring", kernel},
		{DenyNamespaces, "no further namespace", "Deny.Namespaces", kernel},
		{DenyKernel, "no program in the kernel, no performance counter, no fault handler", "Deny.Kernel", kernel},
		{DenyPageCache, "no question about the page cache", "Deny.PageCache", kernel},
		{DenyLocks, "no file lock", "Deny.Locks", kernel},
		{DenyInotify, "no watch on files", "Deny.Inotify", kernel},
	}
}
