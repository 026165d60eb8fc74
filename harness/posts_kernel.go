package harness

import (
	"cmp"
	"path/filepath"

	"postern/fixtures"
	"postern/fixtures/channel"
	"postern/observers"
	"postern/observers/canary"
)

// Where the kernel probes find what they need in the container.
const (
	devicePath = "/dev/postern"                  // a device, where the container is given one
	noDevice   = "7:1048575"                     // the number of a device that no host has
	noHandle   = "1:0000000000000000"            // the handle of a file that no host has
	setting    = "/proc/sys/kernel/poweroff_cmd" // read when a shutdown is ordered, and by nobody else
	hostState  = "host"                          // says only that the probe is to be tried
	disk       = "disk.img"                      // what lies behind the device, in the trial's directory
	decoy      = "decoy"                         // a file of the host's, likewise
	made       = "made"                          // where a program that the host runs makes something, likewise
	handled    = "core"                          // what a core handler received, likewise
)

// kernel starts the observers of the kernel channels.
func (o *opening) kernel() {
	o.at(setting, channel.KernelSysctl)
	o.at(hostState, channel.KernelHostname, channel.KernelPrintk, channel.KernelClock)
	o.at(devicePath, channel.KernelDevice)
	o.at(cmp.Or(o.trial.site.DeviceNumber, noDevice), channel.KernelNode)
	o.at(noHandle, channel.KernelHandle, channel.KernelHandleRead)
	o.at(filepath.Join(o.trial.dir, made), channel.KernelRelease)
	o.at(o.posts.addresses[channel.NetTCP4], channel.KernelCompat) // the same listener hears it
	o.at("/dev/shm", channel.KernelCoreShm)
	o.at(fixtures.ScratchDir, channel.KernelCoreFile)
	if !o.ordinary() {
		return
	}
	o.kernelFiles()
	attach(o, channel.SinkKeyring, func(w *canary.Watch, p observers.Pilots) (*observers.Lookout, error) {
		return observers.NewKeyring(o.trial.uid, w, p)
	})
	attach(o, channel.SinkDmesg, observers.NewDmesg)
	attach(o, channel.SinkAudit, observers.NewAudit)
	enter(o, channel.SinkTasks, observers.NewTasks)
	enter(o, channel.SinkBPF, observers.NewBPF)
	enter(o, channel.SinkSettings, observers.NewSettings)
	enter(o, channel.SinkCgroups, observers.NewCgroups)
	enter(o, channel.SinkCore, func(w *canary.Watch, p observers.Pilots) (*observers.Lookout, error) {
		return observers.NewCore(filepath.Join(o.trial.dir, handled), w, p)
	})
}

// kernelFiles starts the observers of files in the trial's directory.
func (o *opening) kernelFiles() {
	attach(o, channel.SinkDevice, func(w *canary.Watch, p observers.Pilots) (*observers.Lookout, error) {
		return observers.NewDevice(filepath.Join(o.trial.dir, disk), w, p)
	})
	path := filepath.Join(o.trial.dir, decoy)
	attach(o, channel.SinkDecoy, func(w *canary.Watch, p observers.Pilots) (*observers.Lookout, error) {
		return observers.NewDecoy(path, filepath.Join(o.trial.dir, made), w, p)
	})
	if o.err == nil {
		var handle string
		handle, o.err = fileHandle(path)
		o.at(handle, channel.KernelHandle, channel.KernelHandleRead)
	}
}
