package dev.berth.agent.network;

import dev.berth.agent.nativecalls.Netlink;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/** Builds one message to the kernel's network configuration: a header, a body, attributes. */
final class LinkMessage {
  static final int NEW_LINK = 16;
  static final int DELETE_LINK = 17;
  static final int GET_LINK = 18;
  static final int NEW_ADDRESS = 20;
  static final int NEW_ROUTE = 24;

  /** What is there already is an error. */
  static final int CREATE = 0x400 | 0x200;

  /** What is there already is replaced. */
  static final int CREATE_OR_REPLACE = 0x400 | 0x100;

  private static final int REQUEST_AND_ACKNOWLEDGE = 1 | 4;
  private static final int LARGEST = 1024;

  private final ByteBuffer bytes = ByteBuffer.allocate(LARGEST).order(ByteOrder.nativeOrder());

  /**
   * @param flags beyond the usual ones
   */
  LinkMessage(int type, int flags) {
    bytes
        .putInt(0) // the length, once it is known
        .putShort((short) type)
        .putShort((short) (flags | REQUEST_AND_ACKNOWLEDGE))
        .putInt(1)
        .putInt(0);
  }

  /** The body of messages about a device: {@code struct ifinfomsg}. */
  LinkMessage device(int index, boolean up) {
    bytes.putInt(0).putInt(index).putInt(up ? 1 : 0).putInt(up ? 1 : 0);
    return this;
  }

  LinkMessage raw(int... values) {
    for (int value : values) {
      bytes.put((byte) value);
    }
    return this;
  }

  LinkMessage number(int value) {
    bytes.putInt(value);
    return this;
  }

  LinkMessage attribute(int type, byte[] value) {
    bytes.putShort((short) (4 + value.length)).putShort((short) type).put(value);
    return pad();
  }

  LinkMessage attribute(int type, int value) {
    bytes.putShort((short) 8).putShort((short) type).putInt(value);
    return this;
  }

  LinkMessage attribute(int type, String text) {
    return attribute(type, (text + "\0").getBytes(StandardCharsets.UTF_8));
  }

  /** An attribute that consists of others, or of a body and others. */
  LinkMessage nested(int type, Runnable content) {
    int start = bytes.position();
    bytes.putShort((short) 0).putShort((short) type);
    content.run();
    bytes.putShort(start, (short) (bytes.position() - start));
    return this;
  }

  private LinkMessage pad() {
    while (bytes.position() % 4 != 0) {
      bytes.put((byte) 0);
    }
    return this;
  }

  byte[] toBytes() {
    bytes.putInt(0, bytes.position());
    byte[] message = new byte[bytes.position()];
    bytes.get(0, message);
    return message;
  }

  /** The number of the device that an answer is about. */
  static int deviceIn(ByteBuffer answer) {
    return answer.getInt(Netlink.HEADER + 4);
  }
}
