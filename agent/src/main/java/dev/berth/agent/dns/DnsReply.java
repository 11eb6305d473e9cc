package dev.berth.agent.dns;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.berth.policy.dns.DnsRecord;
import java.net.InetAddress;
import java.nio.BufferOverflowException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Writes an answer, with names that stand in it already left out. */
final class DnsReply {
  static final int IS_ANSWER = 0x8000;
  static final int TRUNCATED = 0x0200;
  private static final int RECURSION_DESIRED = 0x0100;
  private static final int RECURSION_AVAILABLE = 0x0080;
  private static final int AUTHORITATIVE = 0x0400;

  static final int NO_ERROR = 0;
  static final int FORMAT_ERROR = 1;
  static final int SERVER_FAILURE = 2;
  static final int NO_NAME = 3;
  static final int NOT_IMPLEMENTED = 4;
  static final int REFUSED = 5;
  private static final int BAD_VERSION = 16;

  /** What everybody takes. */
  static final int SMALLEST = 512;

  /** What passes any network in one piece, and no more than that. */
  static final int LARGEST_DATAGRAM = 1232;

  static final int LARGEST = 65_535;

  /** Services come and go; whoever asks for them hears of it within this time. */
  private static final int TTL_SECONDS = 5;

  private static final int IN = 1;
  private static final int OPTIONS = 41;
  private static final int POINTER = 0xc000;
  private static final int LAST_POINTER = 0x3fff;
  private static final int LONGEST_TEXT = 255;

  /** Slowly changing numbers of a zone that nobody transfers. */
  private static final int[] AUTHORITY_NUMBERS = {1, 7200, 1800, 86_400, TTL_SECONDS};

  private final DnsQuery query;
  private final ByteBuffer bytes = ByteBuffer.allocate(LARGEST);
  private final Map<String, Integer> places = new HashMap<>();

  private DnsReply(DnsQuery query) {
    this.query = query;
  }

  /** What an answer consists of. */
  record Sections(
      int code, List<DnsRecord> answers, List<DnsRecord> authority, List<DnsRecord> additional) {
    static Sections code(int code) {
      return new Sections(code, List.of(), List.of(), List.of());
    }
  }

  /** The answer to a message that could not be read. */
  static byte[] of(DnsQuery.Read.Bad bad) {
    ByteBuffer header = ByteBuffer.allocate(DnsQuery.HEADER);
    int kept = bad.flags() & (RECURSION_DESIRED | 0x7800);
    header.putShort((short) bad.id()).putShort((short) (IS_ANSWER | kept | bad.code()));
    return header.array();
  }

  /**
   * The answer to a question.
   *
   * @param isStream whether it may be as large as it likes
   */
  static byte[] of(DnsQuery query, Sections sections, boolean isStream) {
    int limit = isStream ? LARGEST : Math.clamp(query.payload(), SMALLEST, LARGEST_DATAGRAM);
    try {
      byte[] whole = new DnsReply(query).write(sections, false);
      if (whole.length <= limit) {
        return whole;
      }
      // What merely saves a question may be left out without a word.
      byte[] lean =
          new DnsReply(query)
              .write(
                  new Sections(
                      sections.code(), sections.answers(), sections.authority(), List.of()),
                  false);
      return lean.length <= limit ? lean : truncated(query);
    } catch (BufferOverflowException e) {
      return truncated(query);
    }
  }

  private static byte[] truncated(DnsQuery query) {
    return new DnsReply(query).write(Sections.code(NO_ERROR), true);
  }

  private byte[] write(Sections sections, boolean isTruncated) {
    int flags =
        IS_ANSWER
            | AUTHORITATIVE
            | RECURSION_AVAILABLE
            | (query.flags() & RECURSION_DESIRED)
            | (isTruncated ? TRUNCATED : 0);
    boolean hasOptions = query.payload() > 0;
    boolean isBadVersion = hasOptions && query.ednsVersion() > 0;
    int code = isBadVersion ? NO_ERROR : sections.code();
    List<DnsRecord> answers = isBadVersion ? List.of() : sections.answers();
    bytes.putShort((short) query.id()).putShort((short) (flags | code)).putShort((short) 1);
    bytes.putShort((short) answers.size());
    bytes.putShort((short) sections.authority().size());
    bytes.putShort((short) (sections.additional().size() + (hasOptions ? 1 : 0)));
    if (query.name().length() > 0) {
      places.put(query.name(), DnsQuery.HEADER);
    }
    bytes.put(query.question());
    answers.forEach(this::record);
    sections.authority().forEach(this::record);
    sections.additional().forEach(this::record);
    if (hasOptions) {
      bytes.put((byte) 0).putShort((short) OPTIONS).putShort((short) LARGEST_DATAGRAM);
      bytes.put((byte) (isBadVersion ? BAD_VERSION >> 4 : 0)).put((byte) 0);
      bytes.putShort((short) 0).putShort((short) 0);
    }
    return Arrays.copyOf(bytes.array(), bytes.position());
  }

  private void record(DnsRecord record) {
    name(record.name());
    bytes.putShort((short) record.type()).putShort((short) IN).putInt(TTL_SECONDS);
    int start = bytes.position();
    bytes.putShort((short) 0);
    switch (record) {
      case DnsRecord.Address address ->
          bytes.put(InetAddress.ofLiteral(address.address()).getAddress());
      case DnsRecord.Alias alias -> name(alias.target());
      case DnsRecord.Pointer pointer -> name(pointer.target());
      case DnsRecord.NameServer server -> name(server.target());
      case DnsRecord.Text text -> text(text.text());
      case DnsRecord.Service service -> {
        bytes.putShort((short) 0).putShort((short) service.weight());
        bytes.putShort((short) service.port());
        wholeName(service.target()); // may not be shortened (RFC 2782)
      }
      case DnsRecord.Authority authority -> {
        name(authority.server());
        name(authority.person());
        for (int number : AUTHORITY_NUMBERS) {
          bytes.putInt(number);
        }
      }
    }
    bytes.putShort(start, (short) (bytes.position() - start - 2));
  }

  private void text(String text) {
    byte[] value = text.getBytes(US_ASCII);
    int length = Math.min(LONGEST_TEXT, value.length);
    bytes.put((byte) length).put(value, 0, length);
  }

  private void name(String name) {
    String rest = name;
    while (!rest.isEmpty()) {
      Integer place = places.get(rest);
      if (place != null) {
        bytes.putShort((short) (POINTER | place));
        return;
      }
      if (bytes.position() <= LAST_POINTER) {
        places.put(rest, bytes.position());
      }
      rest = label(rest);
    }
    bytes.put((byte) 0);
  }

  private void wholeName(String name) {
    String rest = name;
    while (!rest.isEmpty()) {
      rest = label(rest);
    }
    bytes.put((byte) 0);
  }

  private String label(String name) {
    int dot = name.indexOf('.');
    byte[] label = (dot < 0 ? name : name.substring(0, dot)).getBytes(US_ASCII);
    bytes.put((byte) label.length).put(label);
    return dot < 0 ? "" : name.substring(dot + 1);
  }
}
