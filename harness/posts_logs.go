package harness

import (
	"postern/fixtures/channel"
	"postern/observers"
	"postern/observers/canary"
)

// logs starts the observers of the log and Engine channels.
func (o *opening) logs() {
	o.collectors()
	if !o.ordinary() {
		return
	}
	attach(o, channel.SinkLog, func(w *canary.Watch, p observers.Pilots) (*observers.Log, error) {
		return observers.NewLog(o.trial.api, o.trial.dockerRoot, w, p)
	})
	enter(o, channel.SinkEngine, func(w *canary.Watch, _ observers.Pilots) (*observers.Engine, error) {
		return observers.NewEngine(o.trial.api, w), nil
	})
}

// collectors starts the log servers of the Engine's drivers and tells mutants
// where they are.
func (o *opening) collectors() {
	at := &o.trial.site.Collectors
	for _, server := range []struct {
		sink    channel.Sink
		address *string
	}{
		{channel.SinkSyslogUDP, &at.SyslogUDP},
		{channel.SinkSyslogTCP, &at.SyslogTCP},
		{channel.SinkGELFUDP, &at.GELFUDP},
		{channel.SinkGELFTCP, &at.GELFTCP},
		{channel.SinkFluentd, &at.Fluentd},
		{channel.SinkSplunk, &at.Splunk},
	} {
		made := open(o, server.sink, func(w *canary.Watch, p observers.Pilots) (*observers.Collector, error) {
			return observers.NewCollector(server.sink, w, p)
		})
		if o.err == nil {
			*server.address = made.Addr()
		}
	}
}
