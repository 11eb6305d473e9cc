package dev.berth.agent.nativecalls;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.function.IntConsumer;

/**
 * A connection to a Unix socket by which descriptors can be received, which Java's channels cannot
 * do. One thread may receive and one may send.
 */
public final class UnixSocket implements AutoCloseable {
  private static final int AF_UNIX = 1;
  private static final int SOCK_STREAM = 1;
  private static final int SOL_SOCKET = 1;
  private static final int SO_RCVTIMEO = 20;
  private static final int SCM_RIGHTS = 1;
  private static final int SHUT_RDWR = 2;
  private static final int MSG_CMSG_CLOEXEC = 0x40000000;
  private static final int LONGEST_PATH = 107;

  private static final int BUFFER = 64 * 1024;
  private static final int CONTROL = 512;

  /** The kernel's {@code struct cmsghdr} before its data: length, level, type. */
  private static final int CONTROL_HEADER = 16;

  /** The kernel's {@code struct msghdr}, and where its fields are. */
  private static final int MESSAGE = 56;

  private static final int VECTOR_AT = 16;
  private static final int VECTORS_AT = 24;
  private static final int CONTROL_AT = 32;
  private static final int CONTROL_LENGTH_AT = 40;

  private final Arena arena = Arena.ofShared();
  private final MemorySegment buffer = arena.allocate(BUFFER, 8);
  private final MemorySegment control = arena.allocate(CONTROL, 8);
  private final MemorySegment vector = arena.allocate(16, 8);
  private final MemorySegment message = arena.allocate(MESSAGE, 8);
  private final int descriptor;

  private UnixSocket(int descriptor) {
    this.descriptor = descriptor;
    vector.set(ValueLayout.JAVA_LONG, 0, buffer.address());
    vector.set(ValueLayout.JAVA_LONG, 8, BUFFER);
    message.set(ValueLayout.JAVA_LONG, VECTOR_AT, vector.address());
    message.set(ValueLayout.JAVA_LONG, VECTORS_AT, 1);
    message.set(ValueLayout.JAVA_LONG, CONTROL_AT, control.address());
  }

  /**
   * Connects.
   *
   * @param path a file; one that begins with a zero is a name in the kernel's own space
   * @param patience how long {@link #receive} waits
   */
  public static UnixSocket connect(String path, Duration patience) throws NativeFailure {
    byte[] name = path.getBytes(UTF_8);
    if (name.length > LONGEST_PATH) {
      throw new NativeFailure("connect: " + path, NativeFailure.ENAMETOOLONG);
    }
    int descriptor =
        (int) Kernel.call(Syscall.SOCKET, AF_UNIX, SOCK_STREAM | Descriptors.O_CLOEXEC, 0);
    try (Arena local = Arena.ofConfined()) {
      boolean isFile = name.length == 0 || name[0] != 0;
      MemorySegment address = local.allocate(3L + name.length, 8);
      address.set(ValueLayout.JAVA_SHORT, 0, (short) AF_UNIX);
      MemorySegment.copy(name, 0, address, ValueLayout.JAVA_BYTE, 2, name.length);
      long length = 2L + name.length + (isFile ? 1 : 0);
      Kernel.call(Syscall.CONNECT, descriptor, address.address(), length);
      MemorySegment time = local.allocate(16, 8);
      time.set(ValueLayout.JAVA_LONG, 0, patience.toSeconds());
      time.set(ValueLayout.JAVA_LONG, 8, patience.toNanosPart() / 1000L);
      Kernel.call(Syscall.SETSOCKOPT, descriptor, SOL_SOCKET, SO_RCVTIMEO, time.address(), 16);
    } catch (NativeFailure e) {
      Descriptors.close(descriptor);
      throw e.about(path);
    }
    return new UnixSocket(descriptor);
  }

  /** Sends all of some bytes. */
  public void send(byte[] bytes) throws NativeFailure {
    Descriptors.write(descriptor, bytes, 0, bytes.length);
  }

  /**
   * Waits for bytes; none if the other side has closed the connection.
   *
   * @param received gets each descriptor that came with them, which is the receiver's to close
   * @throws NativeFailure with {@code EAGAIN} if nothing comes in time
   */
  public byte[] receive(IntConsumer received) throws NativeFailure {
    message.set(ValueLayout.JAVA_LONG, CONTROL_LENGTH_AT, CONTROL);
    while (true) {
      try {
        long size = Kernel.call(Syscall.RECVMSG, descriptor, message.address(), MSG_CMSG_CLOEXEC);
        descriptors(received);
        return buffer.asSlice(0, size).toArray(ValueLayout.JAVA_BYTE);
      } catch (NativeFailure e) {
        if (!e.is(NativeFailure.EINTR)) {
          throw e;
        }
      }
    }
  }

  private void descriptors(IntConsumer received) {
    long end = message.get(ValueLayout.JAVA_LONG, CONTROL_LENGTH_AT);
    long at = 0;
    while (at + CONTROL_HEADER <= end) {
      long length = control.get(ValueLayout.JAVA_LONG, at);
      if (length < CONTROL_HEADER) {
        return;
      }
      boolean passes =
          control.get(ValueLayout.JAVA_INT, at + 8) == SOL_SOCKET
              && control.get(ValueLayout.JAVA_INT, at + 12) == SCM_RIGHTS;
      for (long i = CONTROL_HEADER; passes && i + 4 <= length; i += 4) {
        received.accept(control.get(ValueLayout.JAVA_INT, at + i));
      }
      at += (length + 7) & ~7L;
    }
  }

  /** Makes whoever receives see the end of the connection. By any thread. */
  public void shutDown() {
    try {
      Kernel.call(Syscall.SHUTDOWN, descriptor, SHUT_RDWR);
    } catch (NativeFailure e) {
      // It has ended already.
    }
  }

  /** Closes it; by the thread that receives, once it does so no more. */
  @Override
  public void close() {
    Descriptors.close(descriptor);
    arena.close();
  }
}
