package dev.berth.agent.nativecalls;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout.PathElement;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.VarHandle;

/**
 * Makes system calls through the C library's {@code syscall}: one function for all of them, so that
 * no other has to be described. What a call changes of a thread (its namespaces, its filter) it
 * changes of that thread alone, not of the process.
 */
public final class Kernel {
  private static final StructLayout STATE = Linker.Option.captureStateLayout();
  private static final VarHandle ERRNO = STATE.varHandle(PathElement.groupElement("errno"));
  private static final MethodHandle SYSCALL = link();

  private Kernel() {}

  @SuppressWarnings("restricted") // those who run Berth allow it native calls
  private static MethodHandle link() {
    Linker linker = Linker.nativeLinker();
    ValueLayout.OfLong number = ValueLayout.JAVA_LONG;
    return linker.downcallHandle(
        linker.defaultLookup().findOrThrow("syscall"),
        FunctionDescriptor.of(number, number, number, number, number, number, number, number),
        Linker.Option.firstVariadicArg(1),
        Linker.Option.captureCallState("errno"));
  }

  /** Makes a call that changes nothing, so that the next one is quick. */
  public static void prepare() {
    try {
      var _ = call(Syscall.GETTID);
    } catch (NativeFailure e) {
      throw new IllegalStateException(e); // it never fails
    }
  }

  /** Makes a call; whatever it returns that is not a failure. */
  public static long call(Syscall call, long... arguments) throws NativeFailure {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment state = arena.allocate(STATE);
      long result =
          (long)
              SYSCALL.invokeExact(
                  state,
                  (long) call.number(),
                  argument(arguments, 0),
                  argument(arguments, 1),
                  argument(arguments, 2),
                  argument(arguments, 3),
                  argument(arguments, 4),
                  argument(arguments, 5));
      if (result == -1) {
        throw new NativeFailure(call, (int) ERRNO.get(state, 0L));
      }
      return result;
    } catch (NativeFailure e) {
      throw e;
    } catch (Throwable t) {
      throw new IllegalStateException(call + " cannot be called", t);
    }
  }

  private static long argument(long[] arguments, int index) {
    return index < arguments.length ? arguments[index] : 0;
  }

  /** A C string that lives as long as an arena. */
  static long text(Arena arena, String text) {
    return arena.allocateFrom(text).address();
  }

  /** Likewise, of bytes that may be no text, as names of files are. */
  public static long text(Arena arena, byte[] bytes) {
    MemorySegment text = arena.allocate(bytes.length + 1L);
    MemorySegment.copy(bytes, 0, text, ValueLayout.JAVA_BYTE, 0, bytes.length);
    return text.address();
  }
}
