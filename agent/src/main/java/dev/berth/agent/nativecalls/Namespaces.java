package dev.berth.agent.nativecalls;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;

/**
 * Namespaces of single threads. A thread that left the machine's namespaces never comes back: it
 * has to end, so work in others is given to {@link #inThread}. Such a thread must start no other
 * thread and no process, since they would live in its namespaces.
 */
public final class Namespaces {
  public static final long MOUNT = 0x00020000;
  public static final long UTS = 0x04000000;
  public static final long IPC = 0x08000000;
  public static final long NETWORK = 0x40000000;

  private Namespaces() {}

  /** Leaves the namespaces of the machine for new ones. */
  public static void unshare(long kinds) throws NativeFailure {
    Kernel.call(Syscall.UNSHARE, kinds);
  }

  /** Enters the namespace that a file holds. */
  public static void enter(Path file, long kind) throws NativeFailure {
    int descriptor = Descriptors.open(file, Descriptors.O_RDONLY);
    try {
      Kernel.call(Syscall.SETNS, descriptor, kind);
    } finally {
      Descriptors.close(descriptor);
    }
  }

  public static void setHostname(String name) throws NativeFailure {
    try (Arena arena = Arena.ofConfined()) {
      int length = name.getBytes(StandardCharsets.UTF_8).length;
      Kernel.call(Syscall.SETHOSTNAME, Kernel.text(arena, name), length);
    }
  }

  /** The number by which /proc knows the calling thread. */
  public static long thread() throws NativeFailure {
    return Kernel.call(Syscall.GETTID);
  }

  /** Work that may fail. */
  @FunctionalInterface
  public interface Work<T> {
    T run() throws IOException;
  }

  /** Runs something in a thread of its own, which ends with it. */
  public static <T> T inThread(String name, Work<T> work) throws IOException {
    CompletableFuture<T> result = new CompletableFuture<>();
    Thread.ofPlatform()
        .name(name)
        .daemon()
        .start(() -> {
          try {
            result.complete(work.run());
          } catch (Throwable t) {
            result.completeExceptionally(t);
          }
        });
    try {
      return result.get();
    } catch (ExecutionException e) {
      if (e.getCause() instanceof IOException cause) {
        throw cause;
      }
      throw new IllegalStateException(e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted: " + name, e);
    }
  }
}
