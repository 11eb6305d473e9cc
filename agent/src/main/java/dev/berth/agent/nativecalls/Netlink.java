package dev.berth.agent.nativecalls;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.function.Consumer;

/**
 * A socket by which the kernel is asked about network devices, addresses and routes, and told to
 * change them: those of the network namespace that the opening thread was in. For one thread.
 */
public final class Netlink implements AutoCloseable {
  /** The kernel's {@code struct nlmsghdr}: length, type, flags, sequence, port. */
  public static final int HEADER = 16;

  private static final int AF_NETLINK = 16;
  private static final int SOCK_RAW = 3;
  private static final int NETLINK_ROUTE = 0;
  private static final int NLMSG_ERROR = 2;
  private static final int NLMSG_DONE = 3;
  private static final int ANSWER_BYTES = 32 * 1024;

  private final Arena arena = Arena.ofConfined();
  private final MemorySegment answer = arena.allocate(ANSWER_BYTES, 8);
  private final int descriptor;

  public Netlink() throws NativeFailure {
    this(NETLINK_ROUTE);
  }

  /**
   * @param part of the kernel
   */
  Netlink(int part) throws NativeFailure {
    descriptor =
        (int) Kernel.call(Syscall.SOCKET, AF_NETLINK, SOCK_RAW | Descriptors.O_CLOEXEC, part);
  }

  /**
   * Sends a message that asks for an acknowledgement or an answer, and waits for that.
   *
   * @param what is being done, for the failure
   * @return the first message of the answer
   */
  public ByteBuffer request(String what, byte[] message) throws NativeFailure {
    send(message);
    ByteBuffer first = receive();
    check(what, first);
    return first;
  }

  private void send(byte[] message) throws NativeFailure {
    try (Arena local = Arena.ofConfined()) {
      MemorySegment copy = local.allocate(message.length, 8);
      MemorySegment.copy(message, 0, copy, ValueLayout.JAVA_BYTE, 0, message.length);
      Kernel.call(Syscall.SENDTO, descriptor, copy.address(), message.length, 0, 0, 0);
    }
  }

  private ByteBuffer receive() throws NativeFailure {
    long size = Kernel.call(Syscall.RECVFROM, descriptor, answer.address(), ANSWER_BYTES, 0, 0, 0);
    return answer.asSlice(0, size).asByteBuffer().order(ByteOrder.nativeOrder());
  }

  private static void check(String what, ByteBuffer message) throws NativeFailure {
    if (message.getShort(4) == NLMSG_ERROR) {
      int error = -message.getInt(HEADER);
      if (error != 0) {
        throw new NativeFailure(what, error);
      }
    }
  }

  /** Sends a message that asks for all there is; each part of the answer is told by itself. */
  void dump(String what, byte[] message, Consumer<ByteBuffer> each) throws NativeFailure {
    send(message);
    while (true) {
      ByteBuffer messages = receive();
      while (messages.remaining() >= HEADER) {
        int length = messages.getInt(messages.position());
        ByteBuffer one = messages.slice(messages.position(), length).order(ByteOrder.nativeOrder());
        check(what, one);
        if (one.getShort(4) == NLMSG_DONE || one.getShort(4) == NLMSG_ERROR) {
          return;
        }
        each.accept(one);
        messages.position(Math.min(messages.limit(), messages.position() + (length + 3) / 4 * 4));
      }
    }
  }

  @Override
  public void close() {
    Descriptors.close(descriptor);
    arena.close();
  }
}
