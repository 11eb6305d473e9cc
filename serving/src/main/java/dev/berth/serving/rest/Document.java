package dev.berth.serving.rest;

import dev.berth.model.tree.FieldOrder;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonException;
import dev.berth.model.tree.JsonKind;
import dev.berth.model.tree.JsonLimits;
import dev.berth.model.tree.JsonObject;
import dev.berth.model.tree.JsonReader;
import dev.berth.model.yaml.YamlException;
import dev.berth.model.yaml.YamlReader;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A document that a client sent. Of fields that it has twice, the last counts, and the client hears
 * of it, in the order that Kubernetes has for each kind of document.
 */
final class Document {
  private static final Set<String> OPERATION = Set.of("op", "path", "from", "value");

  private final Object value;

  /** The paths of fields that are there twice; of YAML, sentences that name their lines. */
  private final List<String> duplicates;

  /** The document as JSON; null if it came in another form. */
  private final byte @Nullable [] json;

  private final boolean yaml;

  private Document(Object value, List<String> duplicates, byte @Nullable [] json, boolean yaml) {
    this.value = value;
    this.duplicates = List.copyOf(duplicates);
    this.json = json;
    this.yaml = yaml;
  }

  /** One that was never text. */
  static Document of(Object value) {
    return new Document(value, List.of(), null, false);
  }

  /** Reads JSON; fails with a {@link JsonException}. */
  static Document json(byte[] bytes) {
    List<String> duplicates = new ArrayList<>();
    Object value = JsonReader.value(bytes, JsonLimits.REQUEST, duplicates::add);
    return new Document(value, duplicates, bytes, false);
  }

  /**
   * Reads YAML; fails with a {@link YamlException}. Most of what comes as YAML is JSON, which is
   * YAML too and read much faster as what it is.
   */
  static Document yaml(byte[] bytes) {
    boolean braced = isBraced(bytes);
    if (braced) {
      try {
        Document read = json(bytes);
        if (read.duplicates.isEmpty()) {
          return new Document(read.value, List.of(), null, true);
        }
      } catch (JsonException _) {
        // YAML has more in braces than JSON has.
      }
    }
    List<String> lines = new ArrayList<>();
    byte[] spaced = braced ? withoutTabs(bytes) : bytes;
    Object value = YamlReader.value(spaced, JsonLimits.REQUEST, lines::add);
    lines.sort(Comparator.comparingLong(Document::line));
    return new Document(value, lines, null, true);
  }

  private static boolean isBraced(byte[] bytes) {
    int begin = 0;
    while (begin < bytes.length && (bytes[begin] == '\n' || bytes[begin] == ' ')) {
      begin++;
    }
    return begin < bytes.length && bytes[begin] == '{';
  }

  /** With spaces for the tabs between words, which other readers of YAML take for the same. */
  private static byte[] withoutTabs(byte[] bytes) {
    byte[] spaced = bytes.clone();
    boolean quoted = false;
    for (int i = 0; i < spaced.length; i++) {
      switch (spaced[i]) {
        case '\\' -> i++;
        case '"' -> quoted = !quoted;
        case '\t' -> spaced[i] = quoted ? spaced[i] : (byte) ' ';
        default -> {}
      }
    }
    return spaced;
  }

  /** The number in {@code line 3: key "a" already set in map}. */
  private static long line(String sentence) {
    String number = sentence.replaceFirst("^line ([0-9]+):.*$", "$1");
    return number.matches("[0-9]{1,9}") ? Long.parseLong(number) : 0;
  }

  Object value() {
    return value;
  }

  JsonObject object() {
    if (value instanceof JsonObject object) {
      return object;
    }
    throw new JsonException("expected an object, found " + JsonKind.of(value).withArticle());
  }

  /**
   * What is odd about an object.
   *
   * @param unknown the fields that its schema does not know, in their order
   * @param custom whether the schema is somebody's own
   */
  Oddities oddities(List<String> unknown, boolean custom) {
    if (unknown.isEmpty() && duplicates.isEmpty()) {
      return Oddities.NONE;
    }
    if (yaml) {
      return new Oddities(duplicates, told(custom ? ofCustom(unknown) : sorted(unknown)));
    }
    if (custom) {
      List<String> all = new ArrayList<>(duplicates());
      all.addAll(told(ofCustom(unknown)));
      return new Oddities(List.of(), all);
    }
    return json == null || duplicates.isEmpty()
        ? Oddities.ofUnknown(unknown)
        : new Oddities(List.of(), inOrder(unknown, duplicates, json));
  }

  /** What is odd about a patch, and then about the object that it makes. */
  Oddities patchOddities(List<String> unknown, boolean operations) {
    if (unknown.isEmpty() && duplicates.isEmpty() && !operations) {
      return Oddities.NONE;
    }
    List<String> all = new ArrayList<>();
    if (operations) {
      operationOddities().forEach(oddity -> all.add("json patch " + oddity));
    } else {
      all.addAll(duplicates());
    }
    all.addAll(told(sorted(unknown)));
    return new Oddities(List.of(), all);
  }

  private List<String> operationOddities() {
    List<String> unknown = new ArrayList<>();
    if (!(value instanceof JsonArray operations) || json == null) {
      return List.of();
    }
    for (int i = 0; i < operations.size(); i++) {
      if (operations.get(i) instanceof JsonObject operation) {
        for (String name : operation.names()) {
          if (!OPERATION.contains(name)) {
            unknown.add("[" + i + "]." + name);
          }
        }
      }
    }
    List<String> twice =
        duplicates.stream().filter(d -> d.matches("\\[[0-9]+]\\.[^.\\[]+")).toList();
    return unknown.isEmpty() && twice.isEmpty() ? List.of() : inOrder(unknown, twice, json);
  }

  private List<String> duplicates() {
    return json == null || duplicates.isEmpty() ? List.of() : inOrder(List.of(), duplicates, json);
  }

  private static List<String> told(List<String> unknown) {
    return unknown.stream().map(Oddities::unknown).toList();
  }

  private static List<String> sorted(List<String> unknown) {
    return unknown.stream().sorted().toList();
  }

  /** The object's own metadata first, those of objects within it last. */
  private static List<String> ofCustom(List<String> unknown) {
    return unknown.stream()
        .sorted(
            Comparator.comparingInt((String path) ->
                    path.startsWith("metadata.") ? 0 : path.contains(".metadata.") ? 2 : 1)
                .thenComparing(Comparator.naturalOrder()))
        .toList();
  }

  /** As they stand in the document. Nobody looks into what is unknown. */
  private static List<String> inOrder(List<String> unknown, List<String> twice, byte[] json) {
    Set<String> paths = new HashSet<>(unknown);
    paths.addAll(twice);
    FieldOrder order = FieldOrder.of(json, paths);
    record Placed(int place, String text) {}
    Stream<Placed> first =
        unknown.stream().map(path -> new Placed(order.first(path), Oddities.unknown(path)));
    Stream<Placed> second =
        twice.stream()
            .filter(path -> unknown.stream().noneMatch(each -> isWithin(path, each)))
            .map(path -> new Placed(order.second(path), Oddities.duplicate(path)));
    return Stream.concat(first, second)
        .sorted(Comparator.comparingInt(Placed::place))
        .map(Placed::text)
        .distinct()
        .toList();
  }

  private static boolean isWithin(String path, String field) {
    return path.equals(field) || path.startsWith(field + ".") || path.startsWith(field + "[");
  }
}
