package dev.berth.time;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Ends the process where going on could do harm. Whoever catches all that can be thrown asks here
 * first: after an {@link OutOfMemoryError} or an error inside the virtual machine any object of the
 * process may be half-made, so that neither a fresh start of a component nor an answer to a client
 * can be trusted. A process that ends is started again by whoever runs it; nothing that was
 * acknowledged is lost.
 *
 * <p>A {@link StackOverflowError} is a bug of the code that ran, and treated like any other.
 */
public final class FatalError {
  /** What the JVM itself exits with under -XX:+ExitOnOutOfMemoryError. */
  public static final int OUT_OF_MEMORY = 3;

  /** A bug that cannot be mended by starting a component afresh. */
  public static final int BUG = 70;

  /** Causes are looked at this deep; exceptions that wrap others wrap few. */
  private static final int DEPTH = 16;

  /** Made before they are needed: without memory, nothing can be made. */
  private static final byte[] NO_MEMORY =
      ("berth: Out of memory; give the JVM more (-Xmx). The process ends (exit code "
              + OUT_OF_MEMORY
              + ").\n")
          .getBytes(UTF_8);

  private static final FileOutputStream ERR = new FileOutputStream(FileDescriptor.err);

  private static final int RESERVE_BYTES = 1 << 20;

  /** Given up in need, so that there is memory to end with: even calling what halts takes some. */
  @SuppressWarnings("UnusedVariable") // it is there to be held
  private static volatile byte @Nullable [] reserve = new byte[RESERVE_BYTES];

  /**
   * Does the ending. Whoever ran out of memory may be a virtual thread, for which even waiting for
   * a write takes memory; this thread has all that it needs before the need arises.
   */
  private static final Thread ENDER =
      Thread.ofPlatform().daemon().name("fatal-error").unstarted(FatalError::endWhenDoomed);

  /** What the ender is to say and exit with; the cause is set last. */
  private static volatile int exitCode;

  private static volatile byte[] sentence = NO_MEMORY;
  private static volatile @Nullable Throwable doom;

  static {
    initializeShutdown();
    ENDER.start();
  }

  private FatalError() {}

  /** Loads this class while there is memory for that. */
  static void prepare() {
    check(new IllegalStateException());
  }

  /** Halting loads classes of the JDK unless something did that before, such as a shutdown hook. */
  private static void initializeShutdown() {
    Thread hook = new Thread(() -> {});
    try {
      Runtime.getRuntime().addShutdownHook(hook);
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException _) {
      // The process is shutting down, so they are loaded.
    }
  }

  /** Ends the process if this, or what caused it, leaves the virtual machine in doubt. */
  public static void check(Throwable thrown) {
    Throwable cause = thrown;
    for (int i = 0; i < DEPTH && cause != null; i++) {
      if (cause instanceof OutOfMemoryError) {
        end(OUT_OF_MEMORY, NO_MEMORY, cause);
      } else if (cause instanceof VirtualMachineError && !(cause instanceof StackOverflowError)) {
        end(BUG, sentence("The Java virtual machine failed"), cause);
      }
      cause = cause.getCause();
    }
  }

  /** Ends the process because of a loop that nobody can start afresh. */
  public static void end(LoopFailure failure) {
    end(BUG, sentence(failure.toString()), failure.cause());
  }

  private static byte[] sentence(String why) {
    return "berth: %s. The process ends (exit code %d).%n".formatted(why, BUG).getBytes(UTF_8);
  }

  @SuppressWarnings("StaticAssignmentOfThrowable") // there is one end, and it was just thrown
  private static void end(int code, byte[] why, Throwable cause) {
    exitCode = code;
    sentence = why;
    doom = cause;
    LockSupport.unpark(ENDER);
    while (true) { // not parked, since parking a virtual thread takes memory
      Thread.onSpinWait();
    }
  }

  /** Neither shutdown hooks nor other threads get a say: they might wait for what is broken. */
  private static void endWhenDoomed() {
    Throwable cause;
    while ((cause = doom) == null) {
      LockSupport.park();
    }
    reserve = null;
    try {
      ERR.write(sentence);
      StringWriter trace = new StringWriter();
      cause.printStackTrace(new PrintWriter(trace, true));
      ERR.write(trace.toString().getBytes(UTF_8));
    } catch (Throwable _) {
      // Without memory for more, the exit code has to say it.
    } finally {
      Runtime.getRuntime().halt(exitCode);
    }
  }
}
