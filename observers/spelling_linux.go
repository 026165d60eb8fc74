package observers

import (
	"context"
	"encoding/hex"
	"fmt"
	"math/big"
	"os"
	"time"

	"golang.org/x/sys/unix"

	"postern/fixtures/channel"
)

// The agent holds each value for some milliseconds and begins again at the end;
// one that was missed comes round.
const (
	spellingPatience = 15 * time.Second
	spellingPause    = 200 * time.Microsecond
	spellingStart    = 15 * time.Millisecond // within it, a value that may be chance has changed
)

// console reads two bits at a time from the level of the console, if that is
// not what it was. The bits stand in the lower four levels and in the upper four
// by turns, so that the same twice is seen to be two.
func (s *settings) console(ctx context.Context, g *glance) error {
	var symbols []byte
	last, began := s.level, time.Now()
	return poll(ctx, func() (done bool, err error) {
		level, err := consoleLevel()
		if err != nil {
			return false, err
		}
		if level == s.level && len(symbols) == 0 {
			return time.Since(began) > spellingStart, nil
		}
		if level != last && 1 <= level && level <= 8 {
			symbols, last = append(symbols, byte(level-1)&3), level
		}
		if len(symbols) < 70 || len(symbols)%16 != 0 {
			return false, nil
		}
		var seen map[channel.ID]int
		for _, packed := range packBits(symbols) {
			seen = most(seen, tally(s.watch.Scan(packed)))
		}
		g.add(seen)
		return len(seen) > 0, nil
	})
}

// packBits puts two bits a symbol into bytes, in each of the four ways in which the
// first byte may begin.
func packBits(symbols []byte) (all [4][]byte) {
	for from := range all {
		for i := from; i+4 <= len(symbols); i += 4 {
			all[from] = append(all[from], symbols[i]<<6|symbols[i+1]<<4|symbols[i+2]<<2|symbols[i+3])
		}
	}
	return all
}

// clock reads twenty bits at a time from the clock's estimated error, if that is
// not what it was; three more say which they are.
func (s *settings) clock(ctx context.Context, g *glance) error {
	pieces := map[int]uint64{}
	return poll(ctx, func() (done bool, err error) {
		value, err := clockError()
		if err != nil || value == s.error {
			return value == s.error && len(pieces) == 0, err
		}
		if value < 0 || value >= 7<<20 {
			return len(pieces) == 0, nil
		}
		pieces[int(value>>20)] = uint64(value) & (1<<20 - 1)
		if len(pieces) < 7 {
			return false, nil
		}
		g.add(tally(s.watch.Scan([]byte(assemble(pieces)))))
		return true, nil
	})
}

// assemble is the text of the number whose seven pieces these are.
func assemble(pieces map[int]uint64) string {
	whole := new(big.Int)
	for n, bits := range pieces {
		whole.Or(whole, new(big.Int).Lsh(new(big.Int).SetUint64(bits), uint(20*n)))
	}
	return hex.EncodeToString(new(big.Int).And(whole, lowest128).FillBytes(make([]byte, 16)))
}

var lowest128 = new(big.Int).Sub(new(big.Int).Lsh(big.NewInt(1), 128), big.NewInt(1))

// poll looks again and again until it is done or nothing can be expected any
// more. It goes before other threads, where the kernel allows that: one that is
// kept waiting misses values.
func poll(ctx context.Context, look func() (done bool, err error)) error {
	if done, err := look(); done || err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, spellingPatience)
	defer cancel()
	return apart(func() error {
		unix.SchedSetAttr(0, &unix.SchedAttr{Size: unix.SizeofSchedAttr, Policy: unix.SCHED_FIFO, Priority: 1}, 0)
		for ctx.Err() == nil {
			if done, err := look(); done || err != nil {
				return err
			}
			pause := unix.NsecToTimespec(int64(spellingPause))
			unix.Nanosleep(&pause, nil)
		}
		return nil
	})
}

// consoleLevel is the first number of the setting, proc_sys_kernel(5).
func consoleLevel() (level int, err error) {
	text, err := os.ReadFile("/proc/sys/kernel/printk")
	if err == nil {
		_, err = fmt.Sscan(string(text), &level)
	}
	if err != nil {
		return 0, fmt.Errorf("reading the level of the console: %w", err)
	}
	return level, nil
}

// clockError is the estimated error of the clock in microseconds, adjtimex(2).
func clockError() (int64, error) {
	var timex unix.Timex
	if _, err := unix.Adjtimex(&timex); err != nil {
		return 0, fmt.Errorf("reading the clock's estimated error: %w", err)
	}
	return int64(timex.Esterror), nil
}
