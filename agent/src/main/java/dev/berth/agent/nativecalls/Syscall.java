package dev.berth.agent.nativecalls;

/**
 * The system calls that the agent makes or that its containers are denied, by their numbers on the
 * two architectures that Berth runs on. A number of -1 means that an architecture does not have it.
 */
public enum Syscall {
  ACCT(163, 89),
  ADD_KEY(248, 217),
  BPF(321, 280),
  CHDIR(80, 49),
  CLOCK_ADJTIME(305, 266),
  CLOCK_SETTIME(227, 112),
  CLONE(56, 220),
  CLONE3(435, 435),
  CLOSE(3, 57),
  CONNECT(42, 203),
  DELETE_MODULE(176, 106),
  EPOLL_CREATE1(291, 20),
  EPOLL_CTL(233, 21),
  EPOLL_PWAIT(281, 22),
  EVENTFD2(290, 19),
  FANOTIFY_INIT(300, 262),
  FCHDIR(81, 50),
  FCHMODAT(268, 53),
  FCHOWNAT(260, 54),
  FCNTL(72, 25),
  FINIT_MODULE(313, 273),
  GETDENTS64(217, 61),
  GETTID(186, 178),
  INIT_MODULE(175, 105),
  INOTIFY_ADD_WATCH(254, 27),
  INOTIFY_INIT1(294, 26),
  INOTIFY_RM_WATCH(255, 28),
  IO_URING_ENTER(426, 426),
  IO_URING_REGISTER(427, 427),
  IO_URING_SETUP(425, 425),
  IOCTL(16, 29),
  IOPERM(173, -1),
  IOPL(172, -1),
  KEXEC_FILE_LOAD(320, 294),
  KEXEC_LOAD(246, 104),
  KEYCTL(250, 219),
  KILL(62, 129),
  LOOKUP_DCOOKIE(212, 18),
  MKDIRAT(258, 34),
  MKNODAT(259, 33),
  MOUNT(165, 40),
  MOUNT_SETATTR(442, 442),
  MOVE_MOUNT(429, 429),
  NFSSERVCTL(180, 42),
  OPEN_BY_HANDLE_AT(304, 265),
  OPEN_TREE(428, 428),
  OPENAT(257, 56),
  OPENAT2(437, 437),
  PERF_EVENT_OPEN(298, 241),
  PIPE2(293, 59),
  PIVOT_ROOT(155, 41),
  PRCTL(157, 167),
  QUOTACTL(179, 60),
  READ(0, 63),
  REBOOT(169, 142),
  RECVFROM(45, 207),
  RECVMSG(47, 212),
  RENAMEAT(264, 38),
  REQUEST_KEY(249, 218),
  SECCOMP(317, 277),
  SENDTO(44, 206),
  SETHOSTNAME(170, 161),
  SETNS(308, 268),
  SETSOCKOPT(54, 208),
  SETTIMEOFDAY(164, 170),
  SHUTDOWN(48, 210),
  SOCKET(41, 198),
  STATFS(137, 43),
  STATX(332, 291),
  SWAPOFF(168, 225),
  SWAPON(167, 224),
  SYMLINKAT(266, 36),
  TEE(276, 77),
  UMOUNT2(166, 39),
  UNLINKAT(263, 35),
  UNSHARE(272, 97),
  USERFAULTFD(323, 282),
  WRITE(1, 64);

  private final int x86;
  private final int arm;

  Syscall(int x86, int arm) {
    this.x86 = x86;
    this.arm = arm;
  }

  /** Its number on this machine; -1 if it has no such call. */
  public int number() {
    return switch (Architecture.CURRENT) {
      case X86_64 -> x86;
      case AARCH64 -> arm;
    };
  }
}
