package dev.berth.serving.rest;

import java.io.ByteArrayOutputStream;

/** Puts line breaks and indents into JSON, byte by byte, for people who read it. */
final class PrettyJson {
  private PrettyJson() {}

  static byte[] of(byte[] compact) {
    ByteArrayOutputStream out = new ByteArrayOutputStream(compact.length * 2);
    int depth = 0;
    boolean quoted = false;
    for (int i = 0; i < compact.length; i++) {
      byte b = compact[i];
      if (quoted) {
        out.write(b);
        if (b == '\\') {
          out.write(compact[++i]);
        }
        quoted = b != '"';
        continue;
      }
      switch (b) {
        case '"' -> {
          quoted = true;
          out.write(b);
        }
        case '{', '[' -> {
          out.write(b);
          boolean empty = compact[i + 1] == '}' || compact[i + 1] == ']';
          if (empty) {
            out.write(compact[++i]);
          } else {
            line(out, ++depth);
          }
        }
        case '}', ']' -> {
          line(out, --depth);
          out.write(b);
        }
        case ',' -> {
          out.write(b);
          line(out, depth);
        }
        case ':' -> {
          out.write(b);
          out.write(' ');
        }
        default -> out.write(b);
      }
    }
    out.write('\n');
    return out.toByteArray();
  }

  private static void line(ByteArrayOutputStream out, int depth) {
    out.write('\n');
    for (int i = 0; i < depth; i++) {
      out.write(' ');
      out.write(' ');
    }
  }
}
