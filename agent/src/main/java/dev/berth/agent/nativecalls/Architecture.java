package dev.berth.agent.nativecalls;

/** The kind of processor, on which numbers of system calls depend. */
public enum Architecture {
  X86_64(0xC000003E),
  AARCH64(0xC00000B7);

  static final Architecture CURRENT =
      System.getProperty("os.arch", "").equals("aarch64") ? AARCH64 : X86_64;

  private final int audit;

  Architecture(int audit) {
    this.audit = audit;
  }

  /** What seccomp filters compare with. */
  public int audit() {
    return audit;
  }

  public static Architecture current() {
    return CURRENT;
  }
}
