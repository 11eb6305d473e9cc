package dev.berth.agent.dbus;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.util.List;

/** Writes values of D-Bus, the lowest byte first. */
final class BusWriter {
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();

  byte[] bytes() {
    return out.toByteArray();
  }

  /** Bytes that are aligned already. */
  void raw(byte[] bytes) {
    out.writeBytes(bytes);
  }

  void align(int to) {
    while (out.size() % to != 0) {
      out.write(0);
    }
  }

  void integer(long value, int size) {
    align(size);
    for (int i = 0; i < size; i++) {
      out.write((int) (value >> (8 * i)));
    }
  }

  private void text(String text) {
    byte[] bytes = text.getBytes(UTF_8);
    integer(bytes.length, 4);
    out.writeBytes(bytes);
    out.write(0);
  }

  private void signature(String signature) {
    byte[] bytes = signature.getBytes(UTF_8);
    out.write(bytes.length);
    out.writeBytes(bytes);
    out.write(0);
  }

  /** A value with its type before it. */
  void variant(String type, Object value) throws BusFormatException {
    signature(type);
    write(type, value);
  }

  void write(String type, Object value) throws BusFormatException {
    switch (type.charAt(0)) {
      case 'y' -> out.write(((Number) value).intValue());
      case 'n', 'q' -> integer(((Number) value).longValue(), 2);
      case 'i', 'u', 'h' -> integer(((Number) value).longValue(), 4);
      case 'x', 't' -> integer(((Number) value).longValue(), 8);
      case 'b' -> integer((Boolean) value ? 1 : 0, 4);
      case 's', 'o' -> text((String) value);
      case 'g' -> signature((String) value);
      case 'v' -> variant(typeOf(value), value);
      case 'a' -> array(type.substring(1), (List<?>) value);
      case '(' -> {
        align(8);
        List<String> types = BusSignature.types(type.substring(1, type.length() - 1));
        for (int i = 0; i < types.size(); i++) {
          write(types.get(i), ((List<?>) value).get(i));
        }
      }
      default -> throw new BusFormatException("values of type " + type + " are not written");
    }
  }

  private static String typeOf(Object value) throws BusFormatException {
    return switch (value) {
      case String _ -> "s";
      case Boolean _ -> "b";
      case Integer _ -> "i";
      case Long _ -> "t";
      default -> throw new BusFormatException("no type for " + value);
    };
  }

  /** Its length counts neither itself nor what aligns its first element. */
  private void array(String type, List<?> values) throws BusFormatException {
    integer(0, 4);
    int lengthAt = out.size() - 4;
    align(BusSignature.alignment(type.charAt(0)));
    int begin = out.size();
    for (Object value : values) {
      write(type, value);
    }
    patch(lengthAt, out.size() - begin);
  }

  private void patch(int at, int value) {
    byte[] all = out.toByteArray();
    for (int i = 0; i < 4; i++) {
      all[at + i] = (byte) (value >> (8 * i));
    }
    out.reset();
    out.writeBytes(all);
  }
}
