package upstream

import (
	"crypto/sha256"
	"debug/elf"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"

	"golang.org/x/sys/unix"
)

// maxImage bounds how much memory an executable may take.
const maxImage = 256 << 20

// seals shut the memory for good: memfd_create(2), fcntl(2).
const seals = unix.F_SEAL_WRITE | unix.F_SEAL_SHRINK | unix.F_SEAL_GROW | unix.F_SEAL_SEAL

// ErrMeasure is what Measure returns where the content is not the expected one.
var ErrMeasure = errors.New("the tool server is not the measured one")

// Image is an executable in sealed memory whose hash is the expected one.
type Image struct {
	memory *os.File
}

// Close gives the memory back; processes that run from it keep it.
func (i *Image) Close() error { return i.memory.Close() }

// Measure copies an executable into sealed memory and compares its SHA-256.
// The hash is taken after sealing: nothing can come between it and the run.
func Measure(path, sha256Hex string) (*Image, error) {
	memory, err := seal(path)
	if err != nil {
		return nil, fmt.Errorf("measuring tool server: %w", err)
	}
	if err := check(memory, sha256Hex); err != nil {
		return nil, errors.Join(fmt.Errorf("measuring tool server: %w", err), memory.Close())
	}
	return &Image{memory: memory}, nil
}

func seal(path string) (*os.File, error) {
	// Not blocking: the open of a FIFO would wait for a writer.
	file, err := os.OpenFile(path, os.O_RDONLY|unix.O_NONBLOCK, 0)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() || info.Size() > maxImage {
		return nil, errors.New("it is no regular file, or too large")
	}
	memory, err := memfd()
	if err != nil {
		return nil, err
	}
	if err := fill(memory, file); err != nil {
		return nil, errors.Join(err, memory.Close())
	}
	return memory, nil
}

// memfd asks for executable memory by name, which kernels before 6.3 refuse.
func memfd() (*os.File, error) {
	const flags = unix.MFD_CLOEXEC | unix.MFD_ALLOW_SEALING
	fd, err := unix.MemfdCreate("upstream", flags|unix.MFD_EXEC)
	if errors.Is(err, unix.EINVAL) {
		fd, err = unix.MemfdCreate("upstream", flags)
	}
	if err != nil {
		return nil, fmt.Errorf("creating sealed memory: %w", err)
	}
	return os.NewFile(uintptr(fd), "upstream"), nil
}

func fill(memory, file *os.File) error {
	n, err := io.Copy(memory, io.LimitReader(file, maxImage+1))
	if err != nil {
		return err
	}
	if n > maxImage {
		return errors.New("it is too large")
	}
	if _, err := unix.FcntlInt(memory.Fd(), unix.F_ADD_SEALS, seals); err != nil {
		return fmt.Errorf("sealing memory: %w", err)
	}
	return nil
}

func check(memory *os.File, sha256Hex string) error {
	info, err := memory.Stat()
	if err != nil {
		return err
	}
	h := sha256.New()
	if _, err := io.Copy(h, io.NewSectionReader(memory, 0, info.Size())); err != nil {
		return err
	}
	if hex.EncodeToString(h.Sum(nil)) != sha256Hex {
		return ErrMeasure
	}
	return static(memory)
}

// static refuses what would run code outside the measured bytes: scripts and
// executables with an interpreter.
func static(memory *os.File) error {
	file, err := elf.NewFile(memory)
	if err != nil {
		return errors.New("it is no ELF executable")
	}
	for _, segment := range file.Progs {
		if segment.Type == elf.PT_INTERP {
			return errors.New("it is not linked statically, so the hash covers only a part of the code")
		}
	}
	return nil
}
