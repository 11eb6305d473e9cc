package dev.berth.agent.dns;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * A question that somebody sent (RFC 1035, with EDNS as of RFC 6891). Whatever bytes there are,
 * reading them ends, and reads no others.
 *
 * @param id what tells the answer from others
 * @param flags those of the header
 * @param name in the letters in which it was sent, without a dot at its end
 * @param question the bytes of the question, as they stand in the message
 * @param payload how large an answer may be; 0 if the sender does not know EDNS
 */
@SuppressWarnings("ArrayRecordComponent") // nobody compares questions
record DnsQuery(
    int id,
    int flags,
    String name,
    int type,
    int recordClass,
    byte[] question,
    int payload,
    int ednsVersion) {
  static final int HEADER = 12;
  private static final int LONGEST_LABEL = 63;
  private static final int LONGEST_NAME = 253;
  private static final int OPTIONS = 41;
  private static final int MOST_ADDITIONAL = 8;

  /** What came of reading a message. */
  sealed interface Read {
    record Question(DnsQuery query) implements Read {}

    /** Not understood; whoever sent it is told so. */
    record Bad(int id, int flags, int code) implements Read {}

    /** An answer, or too short to be anything: to answer it would only help those who lie. */
    record Ignored() implements Read {}
  }

  int opcode() {
    return opcode(flags);
  }

  private static int opcode(int flags) {
    return (flags >> 11) & 0xf;
  }

  static Read read(byte[] message) {
    if (message.length < HEADER) {
      return new Read.Ignored();
    }
    ByteBuffer bytes = ByteBuffer.wrap(message);
    int id = bytes.getShort() & 0xffff;
    int flags = bytes.getShort() & 0xffff;
    if ((flags & DnsReply.IS_ANSWER) != 0) {
      return new Read.Ignored();
    }
    int questions = bytes.getShort() & 0xffff;
    int others = bytes.getInt();
    int additional = bytes.getShort() & 0xffff;
    if (opcode(flags) != 0) {
      return new Read.Bad(id, flags, DnsReply.NOT_IMPLEMENTED);
    }
    if (questions != 1 || others != 0 || additional > MOST_ADDITIONAL) {
      return new Read.Bad(id, flags, DnsReply.FORMAT_ERROR);
    }
    try {
      String name = name(bytes);
      int type = bytes.getShort() & 0xffff;
      int recordClass = bytes.getShort() & 0xffff;
      byte[] question = new byte[bytes.position() - HEADER];
      bytes.get(HEADER, question);
      int payload = 0;
      int version = 0;
      for (int i = 0; i < additional; i++) {
        name(bytes);
        int recordType = bytes.getShort() & 0xffff;
        int size = bytes.getShort() & 0xffff;
        int extended = bytes.getInt();
        skip(bytes, bytes.getShort() & 0xffff);
        if (recordType == OPTIONS) {
          payload = Math.max(DnsReply.SMALLEST, size);
          version = (extended >> 16) & 0xff;
        }
      }
      return new Read.Question(
          new DnsQuery(id, flags, name, type, recordClass, question, payload, version));
    } catch (BufferUnderflowException | IllegalArgumentException e) {
      return new Read.Bad(id, flags, DnsReply.FORMAT_ERROR);
    }
  }

  private static void skip(ByteBuffer bytes, int count) {
    bytes.position(bytes.position() + count);
  }

  /** Nothing stands before a question that its name could point to. */
  private static String name(ByteBuffer bytes) {
    List<String> labels = new ArrayList<>();
    int total = 0;
    while (true) {
      int length = bytes.get() & 0xff;
      if (length == 0) {
        return String.join(".", labels);
      }
      total += length + 1;
      if (length > LONGEST_LABEL || total > LONGEST_NAME + 1) {
        throw new IllegalArgumentException("no label");
      }
      byte[] label = new byte[length];
      bytes.get(label);
      labels.add(new String(label, US_ASCII));
    }
  }
}
