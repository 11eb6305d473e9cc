package dev.berth.agent.dbus;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;

/**
 * A message of D-Bus.
 *
 * @param serial by which its answer names it
 * @param header what it says beside its values
 * @param body its values; see {@link BusReader}
 */
public record BusMessage(Type type, long serial, Map<Field, Object> header, List<Object> body) {
  /** A message larger than that is nothing that we asked for. */
  static final int MOST_BYTES = 4 << 20;

  private static final int FIXED = 16;
  private static final int VERSION = 1;

  /** What a message is. */
  public enum Type {
    CALL(1),
    ANSWER(2),
    ERROR(3),
    SIGNAL(4);

    private final long code;

    Type(long code) {
      this.code = code;
    }
  }

  /** A field of the header. */
  public enum Field {
    PATH(1, "o"),
    INTERFACE(2, "s"),
    MEMBER(3, "s"),
    ERROR_NAME(4, "s"),
    REPLY_SERIAL(5, "u"),
    DESTINATION(6, "s"),
    SENDER(7, "s"),
    SIGNATURE(8, "g"),
    UNIX_FDS(9, "u");

    private final long code;
    private final String type;

    Field(long code, String type) {
      this.code = code;
      this.type = type;
    }
  }

  public BusMessage {
    header = Map.copyOf(header);
    body = List.copyOf(body);
  }

  /** Something to ask of whoever has a name on the bus. */
  public static BusMessage call(
      String destination, String path, String member, String signature, Object... body) {
    int dot = member.lastIndexOf('.');
    EnumMap<Field, Object> header = new EnumMap<>(Field.class);
    header.put(Field.DESTINATION, destination);
    header.put(Field.PATH, path);
    header.put(Field.INTERFACE, member.substring(0, dot));
    header.put(Field.MEMBER, member.substring(dot + 1));
    if (!signature.isEmpty()) {
      header.put(Field.SIGNATURE, signature);
    }
    return new BusMessage(Type.CALL, 0, header, List.of(body));
  }

  /** What to answer a call with. */
  public static BusMessage answer(BusMessage call, String signature, Object... body) {
    EnumMap<Field, Object> header = new EnumMap<>(Field.class);
    header.put(Field.DESTINATION, call.text(Field.SENDER));
    header.put(Field.REPLY_SERIAL, call.serial());
    if (!signature.isEmpty()) {
      header.put(Field.SIGNATURE, signature);
    }
    return new BusMessage(Type.ANSWER, 0, header, List.of(body));
  }

  BusMessage withSerial(long number) {
    return new BusMessage(type, number, header, body);
  }

  /** A field of the header; empty if it is not there. */
  public String text(Field field) {
    return header.get(field) instanceof String text ? text : "";
  }

  long number(Field field) {
    return header.get(field) instanceof Long number ? number : 0;
  }

  /** Whether it is a signal of an interface. */
  public boolean isSignal(String name) {
    return type == Type.SIGNAL && (text(Field.INTERFACE) + "." + text(Field.MEMBER)).equals(name);
  }

  byte[] encode() throws BusFormatException {
    BusWriter values = new BusWriter();
    List<String> types = BusSignature.types(text(Field.SIGNATURE));
    for (int i = 0; i < types.size(); i++) {
      values.write(types.get(i), body.get(i));
    }
    BusWriter out = new BusWriter();
    out.integer('l', 1);
    out.integer(type.code, 1);
    out.integer(0, 1);
    out.integer(VERSION, 1);
    out.integer(values.bytes().length, 4);
    out.integer(serial, 4);
    BusWriter fields = new BusWriter();
    for (Map.Entry<Field, Object> each : new EnumMap<>(header).entrySet()) {
      fields.align(8);
      fields.integer(each.getKey().code, 1);
      fields.variant(each.getKey().type, each.getValue());
    }
    // The fields begin at a multiple of 8, so that what is aligned in them stays so.
    out.integer(fields.bytes().length, 4);
    out.raw(fields.bytes());
    out.align(8);
    out.raw(values.bytes());
    return out.bytes();
  }

  /** How long the message is that some bytes begin with; empty if they are too few to say. */
  static OptionalInt length(byte[] bytes, int size) throws BusFormatException {
    if (size < FIXED) {
      return OptionalInt.empty();
    }
    ByteBuffer in = ByteBuffer.wrap(bytes).order(order(bytes[0]));
    long fields = in.getInt(12) & 0xffffffffL;
    long whole = (FIXED + fields + 7) / 8 * 8 + (in.getInt(4) & 0xffffffffL);
    if (whole > MOST_BYTES) {
      throw new BusFormatException("a message of " + whole + " bytes");
    }
    return OptionalInt.of((int) whole);
  }

  private static ByteOrder order(byte mark) throws BusFormatException {
    return switch (mark) {
      case 'l' -> ByteOrder.LITTLE_ENDIAN;
      case 'B' -> ByteOrder.BIG_ENDIAN;
      default -> throw new BusFormatException("what came is no message of D-Bus");
    };
  }

  /** Reads a whole message; fields that are not known are left out. */
  static BusMessage decode(byte[] bytes) throws BusFormatException {
    ByteBuffer in = ByteBuffer.wrap(bytes).order(order(bytes[0]));
    if (in.get(3) != VERSION) {
      throw new BusFormatException("a message of version " + in.get(3));
    }
    Type type = type(in.get(1));
    in.position(8);
    BusReader reader = new BusReader(in);
    List<Object> head = reader.all("ua(yv)");
    EnumMap<Field, Object> header = new EnumMap<>(Field.class);
    for (Object each : (List<?>) head.get(1)) {
      List<?> pair = (List<?>) each;
      for (Field field : Field.values()) {
        if (pair.get(0).equals(field.code)) {
          header.put(field, pair.get(1));
        }
      }
    }
    reader.align(8);
    String signature = header.get(Field.SIGNATURE) instanceof String text ? text : "";
    return new BusMessage(type, (Long) head.get(0), header, reader.all(signature));
  }

  private static Type type(byte code) throws BusFormatException {
    for (Type type : Type.values()) {
      if (type.code == code) {
        return type;
      }
    }
    throw new BusFormatException("a message of the unknown type " + code);
  }
}
