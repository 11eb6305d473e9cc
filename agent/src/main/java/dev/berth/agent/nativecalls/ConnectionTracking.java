package dev.berth.agent.nativecalls;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;

/**
 * The flows that the kernel remembers, because it changes the addresses of their packets. For one
 * thread.
 */
public final class ConnectionTracking implements AutoCloseable {
  private static final int NETFILTER = 12;
  private static final int CONNECTIONS = 1 << 8;
  private static final int GET = CONNECTIONS | 1;
  private static final int DELETE = CONNECTIONS | 2;
  private static final int REQUEST = 1;
  private static final int ACKNOWLEDGE = 4;
  private static final int DUMP = 0x300;
  private static final int HEADERS = Netlink.HEADER + 4;

  private static final int ORIGINAL = 1;
  private static final int REPLY = 2;
  private static final int ADDRESSES = 1;
  private static final int PROTOCOL = 2;
  private static final int TYPE_BITS = 0x3fff;
  private static final int UDP = 17;

  private final Netlink kernel = new Netlink(NETFILTER);

  public ConnectionTracking() throws NativeFailure {}

  /**
   * A flow of UDP packets.
   *
   * @param destination where its first packet was sent to
   * @param answering where answers come from, which differs if the destination was changed
   * @param tuple what the kernel knows the flow by
   */
  @SuppressWarnings("ArrayRecordComponent") // nobody compares flows
  public record Flow(
      int family,
      String destination,
      int destinationPort,
      String answering,
      int answeringPort,
      byte[] tuple) {}

  public List<Flow> udpFlows() throws NativeFailure {
    List<Flow> flows = new ArrayList<>();
    for (int family : new int[] {2, 10}) {
      kernel.dump(
          "listing flows",
          message(GET, REQUEST | DUMP, family, new byte[0]),
          answer -> read(answer, flows));
    }
    return flows;
  }

  /** Whether it was still there. */
  public boolean remove(Flow flow) throws NativeFailure {
    ByteBuffer attribute =
        ByteBuffer.allocate(4 + flow.tuple().length).order(ByteOrder.nativeOrder());
    attribute.putShort((short) attribute.capacity()).putShort((short) (0x8000 | ORIGINAL));
    attribute.put(flow.tuple());
    try {
      kernel.request(
          "removing a flow",
          message(DELETE, REQUEST | ACKNOWLEDGE, flow.family(), attribute.array()));
      return true;
    } catch (NativeFailure e) {
      if (e.is(NativeFailure.ENOENT)) {
        return false;
      }
      throw e;
    }
  }

  private static byte[] message(int type, int flags, int family, byte[] attributes) {
    return ByteBuffer.allocate(HEADERS + attributes.length)
        .order(ByteOrder.nativeOrder())
        .putInt(HEADERS + attributes.length)
        .putShort((short) type)
        .putShort((short) flags)
        .putInt(1)
        .putInt(0)
        .put((byte) family)
        .put((byte) 0)
        .putShort((short) 0)
        .put(attributes)
        .array();
  }

  private static void read(ByteBuffer message, List<Flow> flows) {
    int family = message.get(Netlink.HEADER);
    ByteBuffer original = attribute(message.position(HEADERS).slice(), ORIGINAL);
    ByteBuffer reply = attribute(message.position(HEADERS).slice(), REPLY);
    ByteBuffer protocol = attribute(original, PROTOCOL);
    ByteBuffer number = attribute(protocol, 1);
    if (!number.hasRemaining() || number.get(0) != UDP) {
      return;
    }
    byte[] tuple = new byte[original.remaining()];
    original.get(original.position(), tuple);
    flows.add(
        new Flow(
            family,
            address(attribute(original, ADDRESSES), false),
            port(attribute(original, PROTOCOL), false),
            address(attribute(reply, ADDRESSES), true),
            port(attribute(reply, PROTOCOL), true),
            tuple));
  }

  /** The content of the first attribute of a type; empty if there is none. */
  private static ByteBuffer attribute(ByteBuffer all, int type) {
    ByteBuffer bytes = all.slice().order(ByteOrder.nativeOrder());
    while (bytes.remaining() >= 4) {
      int length = bytes.getShort(bytes.position()) & 0xffff;
      int found = bytes.getShort(bytes.position() + 2) & TYPE_BITS;
      if (length < 4 || length > bytes.remaining()) {
        break;
      }
      if (found == type) {
        return bytes.slice(bytes.position() + 4, length - 4).order(ByteOrder.nativeOrder());
      }
      bytes.position(Math.min(bytes.limit(), bytes.position() + (length + 3) / 4 * 4));
    }
    return ByteBuffer.allocate(0);
  }

  private static String address(ByteBuffer addresses, boolean isSource) {
    ByteBuffer ipv4 = attribute(addresses, isSource ? 1 : 2);
    ByteBuffer bytes = ipv4.hasRemaining() ? ipv4 : attribute(addresses, isSource ? 3 : 4);
    byte[] raw = new byte[bytes.remaining()];
    bytes.get(raw);
    try {
      return InetAddress.getByAddress(raw).getHostAddress();
    } catch (UnknownHostException e) {
      return "";
    }
  }

  private static int port(ByteBuffer protocol, boolean isSource) {
    ByteBuffer bytes = attribute(protocol, isSource ? 2 : 3);
    return bytes.remaining() < 2 ? 0 : bytes.order(ByteOrder.BIG_ENDIAN).getShort(0) & 0xffff;
  }

  @Override
  public void close() {
    kernel.close();
  }
}
