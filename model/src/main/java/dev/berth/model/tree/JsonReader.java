package dev.berth.model.tree;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.TokenStreamLocation;
import tools.jackson.core.json.JsonFactory;

/**
 * Reads JSON into trees. Whatever the bytes are, the outcome is a tree or a {@link JsonException}
 * that says what is wrong and where.
 *
 * <p>Stricter than most readers where leniency would let two readers understand one document
 * differently: a field that is named twice, bytes that are not UTF-8, half of a surrogate pair, and
 * a number beyond a double's range are errors.
 */
public final class JsonReader {
  private static final JsonFactory FACTORY =
      JsonFactory.builder()
          .streamReadConstraints(
              StreamReadConstraints.builder()
                  // Depth and size are checked here, where the message can name the limit.
                  .maxNestingDepth(JsonLimits.MAX_DEPTH + 1)
                  .maxStringLength(Integer.MAX_VALUE)
                  .maxNameLength(Integer.MAX_VALUE)
                  .maxNumberLength(1000)
                  .build())
          .build();

  private final JsonParser parser;
  private final int maxDepth;

  /** Whether the document has escapes that could be half of a surrogate pair. */
  private final boolean mayHoldSurrogates;

  /** Fields and elements of what is being read; each object and array knows where its own begin. */
  private String[] names = new String[64];

  private Object[] values = new Object[64];
  private int held;
  private int depth;

  private JsonReader(JsonParser parser, int maxDepth, boolean mayHoldSurrogates) {
    this.parser = parser;
    this.maxDepth = maxDepth;
    this.mayHoldSurrogates = mayHoldSurrogates;
  }

  /** Reads one document that must be an object. */
  public static JsonObject object(byte[] json, JsonLimits limits) {
    Object value = value(json, limits);
    if (value instanceof JsonObject object) {
      return object;
    }
    throw JsonException.expected(JsonKind.OBJECT, "document", value);
  }

  /** Reads one document of any kind; see {@link JsonKind} for what is returned. */
  public static Object value(byte[] json, JsonLimits limits) {
    if (json.length > limits.maxBytes()) {
      throw new JsonException(
          "the document has " + json.length + " bytes, at most " + limits.maxBytes() + " are read");
    }
    if (!isAscii(json)) {
      checkUtf8(json);
    }
    try (JsonParser parser = FACTORY.createParser(ObjectReadContext.empty(), json)) {
      return new JsonReader(parser, limits.maxDepth(), hasUnicodeEscape(json)).document();
    } catch (JacksonException e) {
      throw new JsonException(place(e.getLocation()) + inPlainWords(e.getOriginalMessage()));
    }
  }

  private Object document() {
    JsonToken first = parser.nextToken();
    if (first == null) {
      throw new JsonException("the document is empty");
    }
    Object value = read(first);
    if (parser.nextToken() != null) {
      throw new JsonException(here() + "the document goes on after its end");
    }
    return value;
  }

  private Object read(JsonToken token) {
    return switch (token) {
      case START_OBJECT -> readObject();
      case START_ARRAY -> readArray();
      case VALUE_STRING -> Shapes.share(checked(parser.getString()));
      case VALUE_NUMBER_INT -> readInteger();
      case VALUE_NUMBER_FLOAT -> otherNumber(parser.getString());
      case VALUE_TRUE -> true;
      case VALUE_FALSE -> false;
      case VALUE_NULL -> JsonNull.NULL;
      case END_OBJECT, END_ARRAY, PROPERTY_NAME, VALUE_EMBEDDED_OBJECT, NOT_AVAILABLE ->
          throw new IllegalStateException("unexpected token " + token);
    };
  }

  private JsonObject readObject() {
    enter();
    int start = held;
    for (String name = parser.nextName(); name != null; name = parser.nextName()) {
      int place = push(checked(name));
      Object value = read(parser.nextToken());
      values[place] = value;
      held = place + 1;
    }
    int size = held - start;
    held = start;
    depth--;
    return size == 0
        ? JsonObject.EMPTY
        : new JsonObject(
            namesSince(start, start + size), Arrays.copyOfRange(values, start, start + size));
  }

  /** The names of an object. Names that are shared already were checked when they came first. */
  private String[] namesSince(int start, int end) {
    String[] known = Shapes.find(names, start, end);
    if (known != null) {
      return known;
    }
    String[] own = Arrays.copyOfRange(names, start, end);
    Set<String> seen = HashSet.newHashSet(own.length);
    for (String name : own) {
      if (!seen.add(name)) {
        throw new JsonException(here() + "the field \"" + name + "\" occurs twice in one object");
      }
    }
    return Shapes.share(own);
  }

  private JsonArray readArray() {
    enter();
    int start = held;
    for (JsonToken token = parser.nextToken();
        token != JsonToken.END_ARRAY;
        token = parser.nextToken()) {
      int place = push("");
      Object value = read(token);
      values[place] = value;
      held = place + 1;
    }
    int size = held - start;
    held = start;
    depth--;
    return size == 0
        ? JsonArray.EMPTY
        : new JsonArray(Arrays.copyOfRange(values, start, start + size));
  }

  private void enter() {
    if (++depth > maxDepth) {
      throw new JsonException(here() + "nested deeper than " + maxDepth + " levels");
    }
  }

  private int push(String name) {
    if (held == names.length) {
      names = Arrays.copyOf(names, 2 * held);
      values = Arrays.copyOf(values, 2 * held);
    }
    names[held] = name;
    return held++;
  }

  private Object readInteger() {
    return switch (parser.getNumberType()) {
      case INT, LONG -> {
        long value = parser.getLongValue();
        // "-0" is an integer to JSON, but a long has no such value.
        yield value == 0 && parser.getString().startsWith("-")
            ? new JsonNumber("-0")
            : (Long) value;
      }
      default -> otherNumber(parser.getString());
    };
  }

  private JsonNumber otherNumber(String text) {
    JsonNumber number = new JsonNumber(text);
    if (Double.isInfinite(number.approximate())) {
      throw new JsonException(here() + "the number " + text + " is beyond the range of a double");
    }
    return number;
  }

  private String checked(String text) {
    if (mayHoldSurrogates) {
      for (int i = 0; i < text.length(); i++) {
        if (Character.isSurrogate(text.charAt(i))) {
          if (Character.charCount(text.codePointAt(i)) == 1) {
            throw new JsonException(here() + "a string holds half of a surrogate pair");
          }
          i++;
        }
      }
    }
    return text;
  }

  private String here() {
    return place(parser.currentTokenLocation());
  }

  private static String place(@Nullable TokenStreamLocation location) {
    return location == null
        ? ""
        : "line " + location.getLineNr() + ", column " + location.getColumnNr() + ": ";
  }

  /** Jackson's message without the hints that only help whoever configures Jackson. */
  private static String inPlainWords(String message) {
    return message.replaceAll(" \\(start marker at .*|, from `[^`]*`", "");
  }

  private static boolean isAscii(byte[] bytes) {
    int all = 0;
    for (byte b : bytes) {
      all |= b;
    }
    return all >= 0;
  }

  /** Jackson lets some malformed sequences pass, such as overlong ones, so it is not relied on. */
  private static void checkUtf8(byte[] bytes) {
    ByteBuffer buffer = ByteBuffer.wrap(bytes);
    try {
      var _ = StandardCharsets.UTF_8.newDecoder().decode(buffer);
    } catch (CharacterCodingException e) {
      throw new JsonException(
          "the document is not UTF-8: bad bytes at offset " + buffer.position());
    }
  }

  /** Whether there is any escape by number; searched for as text, which the JVM does very fast. */
  static boolean hasUnicodeEscape(byte[] bytes) {
    return new String(bytes, StandardCharsets.ISO_8859_1).contains("\\u");
  }
}
