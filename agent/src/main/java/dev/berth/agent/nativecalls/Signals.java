package dev.berth.agent.nativecalls;

import java.util.List;
import java.util.Locale;
import java.util.OptionalInt;

/** Signals of processes. */
public final class Signals {
  /** In the order of their numbers, which begin with 1. */
  private static final List<String> NAMES =
      List.of(
          "HUP", "INT", "QUIT", "ILL", "TRAP", "ABRT", "BUS", "FPE", "KILL", "USR1", "SEGV", "USR2",
          "PIPE", "ALRM", "TERM", "STKFLT", "CHLD", "CONT", "STOP", "TSTP", "TTIN", "TTOU", "URG",
          "XCPU", "XFSZ", "VTALRM", "PROF", "WINCH", "IO", "PWR", "SYS");

  private static final int FIRST_REAL_TIME = 34;
  private static final int LAST_REAL_TIME = 64;

  private Signals() {}

  /** The number of a signal that is called {@code SIGTERM}, {@code TERM} or {@code 15}. */
  public static OptionalInt number(String name) {
    String text = name.trim().toUpperCase(Locale.ROOT);
    if (text.matches("[0-9]{1,2}")) {
      int number = Integer.parseInt(text);
      return number >= 1 && number <= LAST_REAL_TIME ? OptionalInt.of(number) : OptionalInt.empty();
    }
    String plain = text.startsWith("SIG") ? text.substring(3) : text;
    if (plain.startsWith("RTMIN")) {
      return realTime(FIRST_REAL_TIME, plain.substring(5));
    }
    if (plain.startsWith("RTMAX")) {
      return realTime(LAST_REAL_TIME, plain.substring(5));
    }
    int index = NAMES.indexOf(plain);
    return index < 0 ? OptionalInt.empty() : OptionalInt.of(index + 1);
  }

  private static OptionalInt realTime(int base, String offset) {
    if (!offset.matches("([+-][0-9]{1,2})?")) {
      return OptionalInt.empty();
    }
    int number = base + (offset.isEmpty() ? 0 : Integer.parseInt(offset));
    return number >= FIRST_REAL_TIME && number <= LAST_REAL_TIME
        ? OptionalInt.of(number)
        : OptionalInt.empty();
  }

  /** Sends a signal to a process; nothing happens if it has ended. */
  public static void send(long process, int signal) throws NativeFailure {
    try {
      Kernel.call(Syscall.KILL, process, signal);
    } catch (NativeFailure e) {
      if (e.errno() != NativeFailure.ESRCH) {
        throw e;
      }
    }
  }
}
