package dev.berth.agent.dbus;

import java.util.ArrayList;
import java.util.List;

/** Types as D-Bus writes them: {@code s}, {@code a(su)}, {@code a{sv}}. */
final class BusSignature {
  private static final int DEEPEST = 32;

  private BusSignature() {}

  /** The complete types that follow each other in a signature. */
  static List<String> types(String signature) throws BusFormatException {
    List<String> types = new ArrayList<>();
    int at = 0;
    while (at < signature.length()) {
      int end = end(signature, at, 0);
      types.add(signature.substring(at, end));
      at = end;
    }
    return types;
  }

  private static int end(String signature, int at, int depth) throws BusFormatException {
    if (at >= signature.length() || depth > DEEPEST) {
      throw new BusFormatException("the signature \"" + signature + "\" is not complete");
    }
    char type = signature.charAt(at);
    return switch (type) {
      case 'a' -> end(signature, at + 1, depth + 1);
      case '(', '{' -> {
        char close = type == '(' ? ')' : '}';
        int next = at + 1;
        while (next < signature.length() && signature.charAt(next) != close) {
          next = end(signature, next, depth + 1);
        }
        if (next >= signature.length() || next == at + 1) {
          throw new BusFormatException("the signature \"" + signature + "\" is not complete");
        }
        yield next + 1;
      }
      default -> {
        alignment(type);
        yield at + 1;
      }
    };
  }

  /** What a value's place in a message is a multiple of. */
  static int alignment(char type) throws BusFormatException {
    return switch (type) {
      case 'y', 'g', 'v' -> 1;
      case 'n', 'q' -> 2;
      case 'b', 'i', 'u', 's', 'o', 'a', 'h' -> 4;
      case 'x', 't', 'd', '(', '{' -> 8;
      default -> throw new BusFormatException("no type begins with '" + type + "'");
    };
  }
}
