package dev.berth.agent.nativecalls;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;

/**
 * The seccomp filter of containers with the profile RuntimeDefault. It denies what a container must
 * never do whatever its capabilities are, and namespaces of users, in which it would have all of
 * them. What is denied by the lack of capabilities anyway is left to that, since the steps that
 * lead to the container's command pass the filter, too.
 *
 * <p>A thread installs it on itself; processes that it starts inherit it.
 */
public final class SystemCallFilter {
  private static final List<Syscall> DENIED =
      List.of(
          Syscall.ACCT,
          Syscall.ADD_KEY,
          Syscall.BPF,
          Syscall.CLOCK_ADJTIME,
          Syscall.CLOCK_SETTIME,
          Syscall.DELETE_MODULE,
          Syscall.FANOTIFY_INIT,
          Syscall.FINIT_MODULE,
          Syscall.INIT_MODULE,
          Syscall.IO_URING_ENTER,
          Syscall.IO_URING_REGISTER,
          Syscall.IO_URING_SETUP,
          Syscall.IOPERM,
          Syscall.IOPL,
          Syscall.KEXEC_FILE_LOAD,
          Syscall.KEXEC_LOAD,
          Syscall.KEYCTL,
          Syscall.LOOKUP_DCOOKIE,
          Syscall.NFSSERVCTL,
          Syscall.OPEN_BY_HANDLE_AT,
          Syscall.PERF_EVENT_OPEN,
          Syscall.QUOTACTL,
          Syscall.REBOOT,
          Syscall.REQUEST_KEY,
          Syscall.SETTIMEOFDAY,
          Syscall.SWAPOFF,
          Syscall.SWAPON,
          Syscall.USERFAULTFD);

  private static final int CLONE_NEWUSER = 0x10000000;

  /** Sockets to the machine's host, which no network namespace keeps apart. */
  private static final int AF_VSOCK = 40;

  private static final int SECCOMP_SET_MODE_FILTER = 1;

  /** Of the kernel's {@code struct seccomp_data}. */
  private static final int NUMBER_AT = 0;

  private static final int ARCHITECTURE_AT = 4;
  private static final int FIRST_ARGUMENT_AT = 16;

  private static final int LOAD = 0x20;
  private static final int IF_EQUAL = 0x15;
  private static final int IF_AT_LEAST = 0x35;
  private static final int IF_BITS = 0x45;
  private static final int RETURN = 0x06;

  private static final int ALLOW = 0x7fff0000;
  private static final int KILL_PROCESS = 0x80000000;
  private static final int NOT_PERMITTED = 0x00050000 | 1;
  private static final int NOT_IMPLEMENTED = 0x00050000 | 38;

  /**
   * Calls of the 32-bit interface of x86-64 begin here; none of them has a place in a container.
   */
  private static final int X32 = 0x40000000;

  private record Instruction(int code, int ifTrue, int ifFalse, int value) {}

  private SystemCallFilter() {}

  /** From now on the calling thread, and what it starts, is denied these calls. */
  public static void install() throws NativeFailure {
    List<Instruction> program = program();
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment code = arena.allocate(8L * program.size(), 8);
      for (int i = 0; i < program.size(); i++) {
        Instruction instruction = program.get(i);
        code.set(ValueLayout.JAVA_SHORT, 8L * i, (short) instruction.code);
        code.set(ValueLayout.JAVA_BYTE, 8L * i + 2, (byte) instruction.ifTrue);
        code.set(ValueLayout.JAVA_BYTE, 8L * i + 3, (byte) instruction.ifFalse);
        code.set(ValueLayout.JAVA_INT, 8L * i + 4, instruction.value);
      }
      MemorySegment header = arena.allocate(16, 8);
      header.set(ValueLayout.JAVA_SHORT, 0, (short) program.size());
      header.set(ValueLayout.JAVA_LONG, 8, code.address());
      Kernel.call(Syscall.SECCOMP, SECCOMP_SET_MODE_FILTER, 0, header.address());
    }
  }

  private static List<Instruction> program() {
    List<Instruction> program = new ArrayList<>();
    program.add(new Instruction(LOAD, 0, 0, ARCHITECTURE_AT));
    program.add(new Instruction(IF_EQUAL, 1, 0, Architecture.CURRENT.audit()));
    program.add(new Instruction(RETURN, 0, 0, KILL_PROCESS));
    program.add(new Instruction(LOAD, 0, 0, NUMBER_AT));
    if (Architecture.CURRENT == Architecture.X86_64) {
      returnIf(program, IF_AT_LEAST, X32, NOT_IMPLEMENTED);
    }
    for (Syscall denied : DENIED) {
      if (denied.number() >= 0) {
        returnIf(program, IF_EQUAL, denied.number(), NOT_PERMITTED);
      }
    }
    program.add(new Instruction(IF_EQUAL, 0, 4, Syscall.SOCKET.number()));
    program.add(new Instruction(LOAD, 0, 0, FIRST_ARGUMENT_AT));
    returnIf(program, IF_EQUAL, AF_VSOCK, NOT_PERMITTED);
    program.add(new Instruction(RETURN, 0, 0, ALLOW));
    // Its flags are in memory, where a filter cannot look; without it, programs use clone.
    returnIf(program, IF_EQUAL, Syscall.CLONE3.number(), NOT_IMPLEMENTED);
    program.add(new Instruction(IF_EQUAL, 1, 0, Syscall.CLONE.number()));
    program.add(new Instruction(IF_EQUAL, 0, 3, Syscall.UNSHARE.number()));
    program.add(new Instruction(LOAD, 0, 0, FIRST_ARGUMENT_AT));
    returnIf(program, IF_BITS, CLONE_NEWUSER, NOT_PERMITTED);
    program.add(new Instruction(RETURN, 0, 0, ALLOW));
    return program;
  }

  private static void returnIf(List<Instruction> program, int condition, int value, int result) {
    program.add(new Instruction(condition, 0, 1, value));
    program.add(new Instruction(RETURN, 0, 0, result));
  }
}
