package dev.berth.time;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;

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

  private FatalError() {}

  /** Ends the process if this, or what caused it, leaves the virtual machine in doubt. */
  public static void check(Throwable thrown) {
    Throwable cause = thrown;
    for (int i = 0; i < DEPTH && cause != null; i++) {
      if (cause instanceof OutOfMemoryError) {
        end(OUT_OF_MEMORY, "Out of memory; give the JVM more (-Xmx).", cause);
      } else if (cause instanceof VirtualMachineError
          && !(cause instanceof StackOverflowError)) {
        end(BUG, "The Java virtual machine failed.", cause);
      }
      cause = cause.getCause();
    }
  }

  /** Ends the process because of a loop that nobody can start afresh. */
  public static void end(LoopFailure failure) {
    end(BUG, failure.toString(), failure.cause());
  }

  /** Neither shutdown hooks nor other threads get a say: they might wait for what is broken. */
  private static void end(int exitCode, String why, Throwable cause) {
    try {
      StringWriter text = new StringWriter();
      PrintWriter lines = new PrintWriter(text);
      lines.println("berth: " + why + " The process ends (exit code " + exitCode + ").");
      cause.printStackTrace(lines);
      print(text.toString());
    } catch (Throwable _) {
      // Without memory for a sentence, the exit code has to say it.
    } finally {
      Runtime.getRuntime().halt(exitCode);
    }
  }

  @SuppressWarnings("resource") // standard error stays open
  private static void print(String text) throws IOException {
    new FileOutputStream(FileDescriptor.err).write(text.getBytes(StandardCharsets.UTF_8));
  }
}
