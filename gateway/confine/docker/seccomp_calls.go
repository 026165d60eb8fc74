package docker

// compatCalls are what a 32-bit program needs besides. None is a call of 64
// bits, so without these architectures the list means nothing.
const compatCalls = `
socketcall ipc _llseek _newselect chown32 clock_getres_time64 clock_gettime64
clock_nanosleep_time64 fadvise64_64 fchown32 fcntl64 fstat64 fstatat64 fstatfs64 ftruncate64
futex_time64 get_thread_area getegid32 geteuid32 getgid32 getgroups32 getresgid32 getresuid32
getuid32 lchown32 lstat64 mmap2 ppoll_time64 pselect6_time64 recv recvmmsg_time64
rt_sigtimedwait_time64 send sendfile64 set_thread_area setgid32 setgroups32 setuid32 sigprocmask
sigreturn stat64 statfs64 timer_gettime64 timer_settime64 timerfd_gettime64 timerfd_settime64
truncate64 ugetrlimit utimensat_time64 waitpid
`
