package dev.berth.agent.dbus;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * Reads values of D-Bus: integers as {@code Long}, booleans, texts, paths and signatures as {@code
 * String}, arrays, structures and entries of dictionaries as {@code List}, variants as what is in
 * them. The buffer begins where a message does, since values are aligned to that.
 */
final class BusReader {
  private static final int DEEPEST = 32;

  private final ByteBuffer in;

  BusReader(ByteBuffer in) {
    this.in = in;
  }

  /** The values of a signature. */
  List<Object> all(String signature) throws BusFormatException {
    try {
      List<Object> values = new ArrayList<>();
      for (String type : BusSignature.types(signature)) {
        values.add(read(type, 0));
      }
      return values;
    } catch (BufferUnderflowException e) {
      throw new BusFormatException("a message ends before its values do");
    }
  }

  void align(int to) throws BusFormatException {
    int next = (in.position() + to - 1) / to * to;
    if (next > in.limit()) {
      throw new BusFormatException("a message ends before its values do");
    }
    in.position(next);
  }

  private Object read(String type, int depth) throws BusFormatException {
    if (depth > DEEPEST) {
      throw new BusFormatException("values are nested too deeply");
    }
    char first = type.charAt(0);
    align(BusSignature.alignment(first));
    return switch (first) {
      case 'y' -> in.get() & 0xffL;
      case 'n' -> (long) in.getShort();
      case 'q' -> in.getShort() & 0xffffL;
      case 'i' -> (long) in.getInt();
      case 'u', 'h' -> in.getInt() & 0xffffffffL;
      case 'x', 't' -> in.getLong();
      case 'd' -> in.getDouble();
      case 'b' -> in.getInt() != 0;
      case 's', 'o' -> text(in.getInt());
      case 'g' -> text(in.get() & 0xff);
      case 'v' -> variant(depth);
      case 'a' -> array(type.substring(1), depth);
      default -> {
        List<Object> fields = new ArrayList<>();
        for (String field : BusSignature.types(type.substring(1, type.length() - 1))) {
          fields.add(read(field, depth + 1));
        }
        yield fields;
      }
    };
  }

  private String text(int length) throws BusFormatException {
    if (length < 0 || length >= in.remaining()) {
      throw new BusFormatException("a text is longer than its message");
    }
    byte[] bytes = new byte[length];
    in.get(bytes);
    in.get();
    return new String(bytes, UTF_8);
  }

  private Object variant(int depth) throws BusFormatException {
    List<String> types = BusSignature.types(text(in.get() & 0xff));
    if (types.size() != 1) {
      throw new BusFormatException("a variant has " + types.size() + " values");
    }
    return read(types.getFirst(), depth + 1);
  }

  private List<Object> array(String type, int depth) throws BusFormatException {
    int length = in.getInt();
    align(BusSignature.alignment(type.charAt(0)));
    if (length < 0 || length > in.remaining()) {
      throw new BusFormatException("an array is longer than its message");
    }
    int end = in.position() + length;
    List<Object> values = new ArrayList<>();
    while (in.position() < end) {
      values.add(read(type, depth + 1));
    }
    return values;
  }
}
