package dev.berth.sim.hostile;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;

/** Documents that no tree could be written as. */
public enum HostileText {
  SAME_FIELD(BodyFormat.JSON) {
    @Override
    byte[] body(int bytes, HostileTrees trees) {
      return text("{\"a\":{\"b\":[{", "\"c\":1,", "\"c\":1}]}}", bytes);
    }
  },
  SAME_FIELD_DEEP(BodyFormat.JSON) {
    @Override
    byte[] body(int bytes, HostileTrees trees) {
      return text(
          "{\"a\":".repeat(500) + "{", "\"c\":1,", "\"c\":1}" + "}".repeat(500), bytes - 3_000);
    }
  },
  COLLIDING_FIELDS(BodyFormat.JSON) {
    @Override
    byte[] body(int bytes, HostileTrees trees) {
      return colliding("{\"metadata\":{\"labels\":{", "\"%s\":\"1\",", "\"a\":\"1\"}}}", bytes);
    }
  },
  BRACKETS(BodyFormat.JSON) {
    @Override
    byte[] body(int bytes, HostileTrees trees) {
      return text("{\"a\":", "[", "", bytes);
    }
  },
  LONG_NUMBERS(BodyFormat.JSON) {
    @Override
    byte[] body(int bytes, HostileTrees trees) {
      return text("{\"a\":[", "9".repeat(999) + ",", "1]}", bytes);
    }
  },
  ESCAPES(BodyFormat.JSON) {
    @Override
    byte[] body(int bytes, HostileTrees trees) {
      return text("{\"kind\":\"", "\\ud83d\\ude00", "\"}", bytes);
    }
  },
  SAME_KEY(BodyFormat.YAML) {
    @Override
    byte[] body(int bytes, HostileTrees trees) {
      return text("", "c: 1\n", "", bytes);
    }
  },
  FLOW(BodyFormat.YAML) {
    @Override
    byte[] body(int bytes, HostileTrees trees) {
      return text("a: ", "[", "", bytes);
    }
  },
  FLOW_ELEMENTS(BodyFormat.YAML) {
    @Override
    byte[] body(int bytes, HostileTrees trees) {
      return text("a: " + "[".repeat(400), "1,", "1" + "]".repeat(400), bytes);
    }
  },
  COMPLEX_KEYS(BodyFormat.YAML) {
    @Override
    byte[] body(int bytes, HostileTrees trees) {
      return text("", "? ", "", bytes);
    }
  },
  ALIASES(BodyFormat.YAML) {
    @Override
    byte[] body(int bytes, HostileTrees trees) {
      return text("a: &a [1,1,1,1,1,1,1,1]\nb:\n", "- *a\n", "", bytes);
    }
  },
  COLLIDING_KEYS(BodyFormat.YAML) {
    @Override
    byte[] body(int bytes, HostileTrees trees) {
      return colliding("metadata:\n  labels:\n", "    %s: a\n", "", bytes);
    }
  },
  COLLIDING_ANCHORS(BodyFormat.YAML) {
    @Override
    byte[] body(int bytes, HostileTrees trees) {
      return colliding("a:\n", "- &%1$s 1\n- *%1$s\n", "", bytes);
    }
  },
  FOLDED(BodyFormat.YAML) {
    @Override
    byte[] body(int bytes, HostileTrees trees) {
      return text("a: >\n", "  a\n\n", "", bytes);
    }
  },
  COMMENTS(BodyFormat.YAML) {
    @Override
    byte[] body(int bytes, HostileTrees trees) {
      return text("a: 1\n", "#\n", "", bytes);
    }
  },
  UNKNOWN_NUMBERS(BodyFormat.PROTOBUF) {
    @Override
    byte[] body(int bytes, HostileTrees trees) {
      return message(text("", "\u00f8\u0001\u0001", "", bytes));
    }
  },
  GROUPS(BodyFormat.PROTOBUF) {
    @Override
    byte[] body(int bytes, HostileTrees trees) {
      return message(text("", "\u00fb\u0001", "", bytes));
    }
  },
  EMPTY_SPECS(BodyFormat.PROTOBUF) {
    @Override
    byte[] body(int bytes, HostileTrees trees) {
      return message(text("", "\u0012\0", "", bytes));
    }
  };

  private final BodyFormat format;

  HostileText(BodyFormat format) {
    this.format = format;
  }

  abstract byte[] body(int bytes, HostileTrees trees);

  HostileRequest request(int bytes, HostileTrees trees) {
    return new HostileRequest(
        name(), "POST", "/api/v1/namespaces/default/pods", format.mediaType(), body(bytes, trees));
  }

  private static byte[] text(String begin, String repeated, String end, int bytes) {
    int times = Math.max(1, (bytes - begin.length() - end.length()) / repeated.length());
    return (begin + repeated.repeat(times) + end).getBytes(ISO_8859_1);
  }

  /** Something for each of very many names that have the same hash. */
  private static byte[] colliding(String begin, String each, String end, int bytes) {
    StringBuilder text = new StringBuilder(begin);
    for (int i = 0; text.length() < bytes; i++) {
      text.append(each.formatted(HostileTrees.colliding(i)));
    }
    return text.append(end).toString().getBytes(UTF_8);
  }

  /** A pod in an envelope. */
  private static byte[] message(byte[] pod) {
    ByteArrayOutputStream message = new ByteArrayOutputStream(pod.length + 32);
    message.writeBytes("k8s\0\n\u0009\n\u0002v1\u0012\u0003Pod\u0012".getBytes(ISO_8859_1));
    int length = pod.length;
    for (; length > 127; length >>>= 7) {
      message.write((length & 127) | 128);
    }
    message.write(length);
    message.writeBytes(pod);
    return message.toByteArray();
  }
}
