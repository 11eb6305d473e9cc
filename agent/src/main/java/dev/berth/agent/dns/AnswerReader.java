package dev.berth.agent.dns;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.berth.policy.dns.DnsRecord;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * Reads the addresses, and the names on the way to them, out of what another name server has
 * answered. What cannot be read is left out.
 */
final class AnswerReader {
  private static final int MOST_JUMPS = 32;
  private static final int LONGEST_NAME = 253;

  private AnswerReader() {}

  static List<DnsRecord> records(byte[] message) {
    List<DnsRecord> records = new ArrayList<>();
    try {
      ByteBuffer bytes = ByteBuffer.wrap(message);
      bytes.position(4);
      int questions = bytes.getShort() & 0xffff;
      int answers = bytes.getShort() & 0xffff;
      bytes.position(DnsQuery.HEADER);
      for (int i = 0; i < questions; i++) {
        name(bytes);
        bytes.getInt();
      }
      for (int i = 0; i < answers; i++) {
        String name = name(bytes);
        int type = bytes.getShort() & 0xffff;
        bytes.getShort();
        bytes.getInt();
        int length = bytes.getShort() & 0xffff;
        int end = bytes.position() + length;
        if (type == DnsRecord.A || type == DnsRecord.AAAA) {
          byte[] address = new byte[type == DnsRecord.A ? 4 : 16];
          bytes.get(address);
          records.add(
              new DnsRecord.Address(name, InetAddress.getByAddress(address).getHostAddress()));
        } else if (type == DnsRecord.CNAME) {
          records.add(new DnsRecord.Alias(name, name(bytes)));
        }
        bytes.position(end);
      }
    } catch (BufferUnderflowException | IllegalArgumentException | UnknownHostException e) {
      // What was read so far is right.
    }
    return records;
  }

  private static String name(ByteBuffer bytes) {
    StringBuilder name = new StringBuilder();
    int end = -1;
    int jumps = 0;
    while (true) {
      int length = bytes.get() & 0xff;
      if (length >= 0xc0) {
        int place = ((length & 0x3f) << 8) | (bytes.get() & 0xff);
        end = end < 0 ? bytes.position() : end;
        bytes.position(place);
        jumps++;
      } else if (length == 0) {
        break;
      } else {
        byte[] label = new byte[length];
        bytes.get(label);
        name.append(name.isEmpty() ? "" : ".").append(new String(label, US_ASCII));
      }
      if (jumps > MOST_JUMPS || name.length() > LONGEST_NAME || (length > 63 && length < 0xc0)) {
        throw new IllegalArgumentException("no name");
      }
    }
    if (end >= 0) {
      bytes.position(end);
    }
    return name.toString();
  }
}
