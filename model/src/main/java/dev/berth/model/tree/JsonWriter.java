package dev.berth.model.tree;

import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.SerializableString;
import tools.jackson.core.StreamWriteConstraints;
import tools.jackson.core.io.CharacterEscapes;
import tools.jackson.core.io.SerializedString;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.core.json.JsonFactoryBuilder;
import tools.jackson.core.json.JsonWriteFeature;

/** Writes trees as compact JSON in UTF-8, field by field as they were read. */
public final class JsonWriter {
  private static final JsonFactory STRICT = strict().build();

  private static final JsonFactory LIKE_GO =
      strict()
          .disable(JsonWriteFeature.WRITE_HEX_UPPER_CASE)
          .characterEscapes(new GoEscapes())
          .build();

  /** Writes half of a surrogate pair as an escape, and so writes everything. */
  private static final JsonFactory LENIENT = factory().build();

  /**
   * Escapes what Go's encoder does, which is safe inside HTML. There are clients that compare
   * bytes: kube-controller-manager knows a revision of a template by them.
   */
  private static final class GoEscapes extends CharacterEscapes {
    private static final long serialVersionUID = 1;
    private static final SerializedString LINE_SEPARATOR = new SerializedString("\\u2028");
    private static final SerializedString PARAGRAPH_SEPARATOR = new SerializedString("\\u2029");

    private final int[] ascii = standardAsciiEscapesForJSON();

    GoEscapes() {
      for (char escaped : new char[] {'<', '>', '&'}) {
        ascii[escaped] = ESCAPE_STANDARD;
      }
    }

    @Override
    public int[] getEscapeCodesForAscii() {
      return ascii;
    }

    @Override
    public @Nullable SerializableString getEscapeSequence(int character) {
      return switch (character) {
        case '\u2028' -> LINE_SEPARATOR;
        case '\u2029' -> PARAGRAPH_SEPARATOR;
        default -> null;
      };
    }
  }

  private JsonWriter() {}

  private static JsonFactoryBuilder strict() {
    return factory().enable(JsonWriteFeature.COMBINE_UNICODE_SURROGATES_IN_UTF8);
  }

  private static JsonFactoryBuilder factory() {
    // Depth is checked here, where the message can say so in our words.
    return JsonFactory.builder()
        .streamWriteConstraints(
            StreamWriteConstraints.builder().maxNestingDepth(JsonLimits.MAX_DEPTH + 1).build());
  }

  /** The bytes of a tree; the inverse of {@link JsonReader#value}. */
  public static byte[] toBytes(Object tree) {
    byte[] json;
    try {
      json = encode(tree, LIKE_GO);
    } catch (JacksonException e) {
      throw new JsonException("the tree cannot be written: " + e.getOriginalMessage());
    }
    if (JsonReader.hasSurrogateEscape(json)) {
      // Jackson escapes half of a surrogate pair at a string's end; no reader of ours would take
      // it.
      var _ = JsonReader.value(json, JsonLimits.TRUSTED);
    }
    return json;
  }

  /** The tree as text, for messages and logs: also of a tree that could not be read back. */
  public static String toText(Object tree) {
    byte[] json;
    try {
      json = encode(tree, STRICT);
    } catch (JacksonException e) {
      json = encode(tree, LENIENT);
    }
    return new String(json, StandardCharsets.UTF_8);
  }

  private static byte[] encode(Object tree, JsonFactory factory) {
    Pieces out = new Pieces();
    try (JsonGenerator generator = factory.createGenerator(ObjectWriteContext.empty(), out)) {
      write(tree, generator, 0);
    }
    return out.bytes();
  }

  /**
   * Takes what the generator gives in pieces of some kilobytes. Most trees fit into one, and then
   * nothing is copied twice.
   */
  private static final class Pieces extends OutputStream {
    private byte[] first = new byte[0];
    private @Nullable ByteArrayOutputStream all;

    @Override
    public void write(int single) {
      write(new byte[] {(byte) single}, 0, 1);
    }

    @Override
    public void write(byte[] piece, int from, int length) {
      if (all == null && first.length == 0) {
        first = Arrays.copyOfRange(piece, from, from + length);
        return;
      }
      if (all == null) {
        all = new ByteArrayOutputStream(4 * (first.length + length));
        all.writeBytes(first);
      }
      all.write(piece, from, length);
    }

    byte[] bytes() {
      return all == null ? first : all.toByteArray();
    }
  }

  private static void write(Object value, JsonGenerator generator, int depth) {
    switch (value) {
      case String text -> generator.writeString(text);
      case JsonObject object -> {
        checkDepth(depth);
        generator.writeStartObject();
        SerializedString[] names = object.shape().written();
        for (int i = 0; i < object.size(); i++) {
          if (names == null) {
            generator.writeName(object.name(i));
          } else {
            generator.writeName(names[i]);
          }
          write(object.value(i), generator, depth + 1);
        }
        generator.writeEndObject();
      }
      case JsonArray array -> {
        checkDepth(depth);
        generator.writeStartArray();
        for (int i = 0; i < array.size(); i++) {
          write(array.get(i), generator, depth + 1);
        }
        generator.writeEndArray();
      }
      case Long number -> generator.writeNumber(number);
      case JsonNumber number -> generator.writeNumber(number.text());
      case Boolean flag -> generator.writeBoolean(flag);
      case JsonNull _ -> generator.writeNull();
      default -> throw new IllegalStateException("not in a tree: " + JsonKind.of(value));
    }
  }

  /** A tree built up by changes can be deeper than any reader would read it back. */
  private static void checkDepth(int depth) {
    if (depth >= JsonLimits.MAX_DEPTH) {
      throw new JsonException("nested deeper than " + JsonLimits.MAX_DEPTH + " levels");
    }
  }
}
