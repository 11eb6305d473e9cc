package dev.berth.model.tree;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.TokenStreamFactory;
import tools.jackson.core.TokenStreamLocation;
import tools.jackson.core.exc.StreamConstraintsException;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.core.json.JsonFactoryBuilder;

/**
 * Reads JSON into trees. Whatever the bytes are, the outcome is a tree or a {@link JsonException}
 * that says what is wrong and where.
 *
 * <p>Stricter than most readers where leniency would let two readers understand one document
 * differently: a field that is named twice, bytes that are not UTF-8, half of a surrogate pair, and
 * a number beyond a double's range are errors. Whoever wants to hear of fields that are named
 * twice, rather than to refuse them, gets the last of them.
 */
public final class JsonReader {
  private static final VarHandle EIGHT_BYTES =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private static final long LOWEST_BITS = 0x0101_0101_0101_0101L;
  private static final long HIGHEST_BITS = LOWEST_BITS << 7;
  private static final long BACKSLASHES = LOWEST_BITS * '\\';

  /** Longer names than any that Kubernetes lets users choose. */
  private static final int LONGEST_NAME = 512;

  /** Reads nearly all documents. It remembers the names that it met, some thousands of them. */
  private static final JsonFactory FACTORY = factory(LONGEST_NAME).build();

  /** Remembers nothing, and so may read names of any length, and any number of them. */
  static final JsonFactory FORGETFUL_FACTORY =
      factory(Integer.MAX_VALUE)
          .disable(TokenStreamFactory.Feature.CANONICALIZE_PROPERTY_NAMES)
          .build();

  private static JsonFactoryBuilder factory(int longestName) {
    return JsonFactory.builder()
        .streamReadConstraints(
            StreamReadConstraints.builder()
                // Depth and size are checked here, where the message can name the limit.
                .maxNestingDepth(JsonLimits.MAX_DEPTH + 1)
                .maxStringLength(Integer.MAX_VALUE)
                .maxNameLength(longestName)
                .maxNumberLength(1000)
                .build());
  }

  /** Stands among names for an element of an array; unlike any name, as an object. */
  @SuppressWarnings("StringOperationCanBeSimplified")
  private static final String ELEMENT = new String("");

  private final JsonParser parser;
  private final JsonLimits limits;

  /** Whether the document has escapes that could be half of a surrogate pair. */
  private final boolean mayHoldSurrogates;

  /** Fields and elements of what is being read; each object and array knows where its own begin. */
  private String[] names = new String[64];

  private Object[] values = new Object[64];
  private int held;
  private int depth;

  /** How many fields and elements there were. */
  private int pushed;

  /** Where the fields or elements of each object and array around this place begin. */
  private int[] begins = new int[32];

  /** The paths of fields that are named twice, or the first of them; null if they are errors. */
  private final @Nullable List<String> duplicates;

  private JsonReader(
      JsonParser parser,
      JsonLimits limits,
      boolean mayHoldSurrogates,
      @Nullable List<String> duplicates) {
    this.parser = parser;
    this.limits = limits;
    this.mayHoldSurrogates = mayHoldSurrogates;
    this.duplicates = duplicates;
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
    return read(json, limits, null);
  }

  /**
   * Reads one of perhaps thousands of documents that are within another. Their names are not
   * remembered: remembering a new one costs more than reading such a document.
   */
  public static Object part(byte[] json, JsonLimits limits) {
    check(json, limits);
    try {
      return read(json, limits, null, FORGETFUL_FACTORY);
    } catch (JacksonException e) {
      throw unreadable(e);
    }
  }

  /**
   * Reads one document in which fields may be named twice; the last of them counts.
   *
   * @param duplicates is told the path of each, such as {@code spec.containers[0].name}, but of no
   *     more than {@link JsonLimits#MOST_ODDITIES}
   */
  public static Object value(byte[] json, JsonLimits limits, Consumer<String> duplicates) {
    List<String> paths = new ArrayList<>();
    Object value = read(json, limits, paths);
    paths.forEach(duplicates);
    return value;
  }

  private static void check(byte[] json, JsonLimits limits) {
    if (json.length > limits.maxBytes()) {
      throw new JsonException(
          "the document has " + json.length + " bytes, at most " + limits.maxBytes() + " are read");
    }
    if (!isAscii(json)) {
      checkUtf8(json);
    }
  }

  private static Object read(byte[] json, JsonLimits limits, @Nullable List<String> duplicates) {
    check(json, limits);
    StreamConstraintsException tooMuch;
    try {
      return read(json, limits, duplicates, FACTORY);
    } catch (StreamConstraintsException e) {
      tooMuch = e;
    } catch (JacksonException e) {
      throw unreadable(e);
    }
    if (duplicates != null) {
      duplicates.clear();
    }
    try {
      return read(json, limits, duplicates, FORGETFUL_FACTORY);
    } catch (StreamConstraintsException _) {
      throw unreadable(tooMuch);
    } catch (JacksonException e) {
      throw unreadable(e);
    }
  }

  private static Object read(
      byte[] json, JsonLimits limits, @Nullable List<String> duplicates, JsonFactory factory) {
    try (JsonParser parser = factory.createParser(ObjectReadContext.empty(), json)) {
      return new JsonReader(parser, limits, hasSurrogateEscape(json), duplicates).document();
    }
  }

  private static JsonException unreadable(JacksonException e) {
    return new JsonException(place(e.getLocation()) + inPlainWords(e.getOriginalMessage()));
  }

  /**
   * An equal string, the same one for most callers if it is short: trees hold many that are equal,
   * and those who read other forms than JSON should share them too.
   */
  public static String shared(String text) {
    return Shapes.share(text);
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
    Shape own = held == start ? Shape.EMPTY : shapeSince(start);
    int size = own.size();
    held = start;
    depth--;
    return size == 0
        ? JsonObject.EMPTY
        : new JsonObject(own, Arrays.copyOfRange(values, start, start + size));
  }

  /** The shape of an object. Names that are shared already were checked when they came first. */
  private Shape shapeSince(int start) {
    Shape known = Shapes.find(names, start, held);
    if (known != null) {
      return known;
    }
    Set<String> seen = HashSet.newHashSet(held - start);
    for (int i = start; i < held; i++) {
      if (!seen.add(names[i])) {
        if (duplicates == null) {
          throw new JsonException(
              here() + "the field \"" + names[i] + "\" occurs twice in one object");
        }
        if (duplicates.size() < JsonLimits.MOST_ODDITIES) {
          duplicates.add(path(names[i]));
        }
      }
    }
    if (seen.size() < held - start) {
      keepLast(start);
    }
    return Shapes.share(Arrays.copyOfRange(names, start, held));
  }

  /** Drops the fields of an object that are named again. */
  private void keepLast(int start) {
    Set<String> seen = new HashSet<>();
    int kept = held;
    for (int i = held - 1; i >= start; i--) {
      if (seen.add(names[i])) {
        kept--;
        names[kept] = names[i];
        values[kept] = values[i];
      }
    }
    int size = held - kept;
    System.arraycopy(names, kept, names, start, size);
    System.arraycopy(values, kept, values, start, size);
    held = start + size;
  }

  /** Where a field of the object that was just read is in the document. */
  @SuppressWarnings("ReferenceEquality") // a field may have an empty name
  private String path(String name) {
    StringBuilder path = new StringBuilder();
    for (int level = 1; level < depth; level++) {
      int place = begins[level + 1] - 1;
      if (names[place] == ELEMENT) {
        path.append('[').append(place - begins[level]).append(']');
      } else {
        path.append(path.isEmpty() ? "" : ".").append(names[place]);
      }
    }
    return path.append(path.isEmpty() ? "" : ".").append(name).toString();
  }

  private JsonArray readArray() {
    enter();
    int start = held;
    for (JsonToken token = parser.nextToken();
        token != JsonToken.END_ARRAY;
        token = parser.nextToken()) {
      int place = push(ELEMENT);
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
    if (++depth > limits.maxDepth()) {
      throw new JsonException(here() + "nested deeper than " + limits.maxDepth() + " levels");
    }
    if (depth == begins.length) {
      begins = Arrays.copyOf(begins, 2 * depth);
    }
    begins[depth] = held;
  }

  private int push(String name) {
    if (++pushed > limits.maxValues()) {
      throw new JsonException(here() + limits.tooManyValues());
    }
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

  /**
   * Whether there is an escape by number that could be half of a surrogate pair. Looks for
   * backslashes, which are rare, eight bytes at a time.
   */
  static boolean hasSurrogateEscape(byte[] bytes) {
    int i = 0;
    for (; i <= bytes.length - Long.BYTES; i += Long.BYTES) {
      // A byte of this is zero where there is a backslash; the rest is the usual test for that.
      long different = (long) EIGHT_BYTES.get(bytes, i) ^ BACKSLASHES;
      if (((different - LOWEST_BITS) & ~different & HIGHEST_BITS) != 0
          && hasSurrogateEscape(bytes, i, i + Long.BYTES)) {
        return true;
      }
    }
    return hasSurrogateEscape(bytes, i, bytes.length);
  }

  private static boolean hasSurrogateEscape(byte[] bytes, int from, int to) {
    for (int i = from; i < to && i + 2 < bytes.length; i++) {
      if (bytes[i] == '\\' && bytes[i + 1] == 'u' && (bytes[i + 2] | 0x20) == 'd') {
        return true;
      }
    }
    return false;
  }
}
