package dev.berth.model.yaml;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonLimits;
import dev.berth.model.tree.JsonNull;
import dev.berth.model.tree.JsonObject;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Parse;
import org.snakeyaml.engine.v2.common.ScalarStyle;
import org.snakeyaml.engine.v2.events.AliasEvent;
import org.snakeyaml.engine.v2.events.Event;
import org.snakeyaml.engine.v2.events.MappingStartEvent;
import org.snakeyaml.engine.v2.events.NodeEvent;
import org.snakeyaml.engine.v2.events.ScalarEvent;
import org.snakeyaml.engine.v2.events.SequenceStartEvent;
import org.snakeyaml.engine.v2.exceptions.Mark;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;

/**
 * Reads YAML into trees, as Kubernetes' own reader understands it ({@link YamlScalars}).
 *
 * <p>Aliases share what they stand for, so they cost nothing here; but whoever writes the tree
 * writes it in full, so a document may not be larger in full than it may be without them. A second
 * document is an error, where Kubernetes would silently pass over it.
 */
public final class YamlReader {
  private static final String MERGE = "<<";

  private final Iterator<Event> events;
  private final Consumer<String> duplicates;

  /**
   * By their names as strings, which a hash table tells apart even if they were made to collide.
   */
  private final Map<String, Node> anchors = new HashMap<>();

  private final JsonLimits limits;

  /** How many characters the aliases so far have added. */
  private long aliased;

  private int depth;
  private int duplicated;

  /** How many scalars, sequences, mappings and aliases there were, not counting keys. */
  private int values;

  /**
   * A value, and what it costs to write it in full.
   *
   * @param height how many levels it has
   */
  private record Node(Object value, long characters, int height) {}

  private YamlReader(Iterator<Event> events, JsonLimits limits, Consumer<String> duplicates) {
    this.events = events;
    this.limits = limits;
    this.duplicates = duplicates;
  }

  /**
   * Reads one document. Of keys that occur twice, the last counts.
   *
   * @param duplicates is told of keys that occur twice, but of no more than {@link
   *     JsonLimits#MOST_ODDITIES}
   * @throws YamlException if the bytes are no YAML that JSON could hold
   */
  public static Object value(byte[] yaml, JsonLimits limits, Consumer<String> duplicates) {
    if (yaml.length > limits.maxBytes()) {
      throw new YamlException(
          "the document has " + yaml.length + " bytes, at most " + limits.maxBytes() + " are read");
    }
    String text = text(yaml);
    LoadSettings settings =
        LoadSettings.builder()
            .setCodePointLimit(limits.maxBytes())
            // The parser stumbles over pairs of surrogates at the edges of its buffer.
            .setBufferSize(text.length() + 1)
            .build();
    try {
      Iterator<Event> events = new Parse(settings).parseString(text).iterator();
      return new YamlReader(events, limits, duplicates).document();
    } catch (MarkedYamlEngineException e) {
      throw new YamlException("yaml: " + place(e.getProblemMark()) + e.getProblem());
    } catch (YamlEngineException e) {
      throw new YamlException("yaml: " + e.getMessage());
    }
  }

  private static String text(byte[] yaml) {
    try {
      String text = UTF_8.newDecoder().decode(ByteBuffer.wrap(yaml)).toString();
      return text.startsWith("\ufeff") ? text.substring(1) : text;
    } catch (CharacterCodingException e) {
      throw new YamlException("yaml: the document is not UTF-8");
    }
  }

  private Object document() {
    Object value = null;
    while (events.hasNext()) {
      Event event = events.next();
      switch (event.getEventId()) {
        case StreamStart, StreamEnd, DocumentEnd, Comment -> {}
        case DocumentStart -> {
          Node root = node(events.next());
          boolean nothing = root.value() instanceof JsonNull;
          if (value != null && !nothing) {
            throw new YamlException(
                "yaml: " + place(event.getStartMark()) + "a second document begins, expected one");
          }
          value = value == null ? root.value() : value;
        }
        default -> throw new IllegalStateException("unexpected " + event);
      }
    }
    return value == null ? JsonNull.NULL : value;
  }

  private Node node(Event event) {
    if (++values > limits.maxValues()) {
      throw new YamlException("yaml: " + place(event.getStartMark()) + limits.tooManyValues());
    }
    return switch (event) {
      case AliasEvent alias -> aliased(alias);
      case ScalarEvent scalar -> anchored(scalar, scalar(scalar));
      case SequenceStartEvent sequence -> anchored(sequence, sequence(sequence));
      case MappingStartEvent mapping -> anchored(mapping, mapping(mapping));
      default -> throw new IllegalStateException("unexpected " + event);
    };
  }

  private Node anchored(NodeEvent event, Node node) {
    event.getAnchor().ifPresent(anchor -> anchors.put(anchor.getValue(), node));
    return node;
  }

  private Node aliased(AliasEvent alias) {
    Node node = anchors.get(alias.getAlias().getValue());
    if (node == null) {
      throw new YamlException(
          "yaml: %sunknown anchor '%s' referenced"
              .formatted(place(alias.getStartMark()), alias.getAlias()));
    }
    aliased += node.characters();
    if (aliased > limits.maxBytes()) {
      throw new YamlException("yaml: document contains excessive aliasing");
    }
    if (depth + node.height() > limits.maxDepth()) {
      throw tooDeep(alias);
    }
    return node;
  }

  private static Node scalar(ScalarEvent event) {
    boolean plain = event.getScalarStyle() == ScalarStyle.PLAIN;
    try {
      Object value = YamlScalars.resolve(event.getValue(), plain, event.getTag());
      return new Node(value, event.getValue().length() + 1L, 0);
    } catch (IllegalArgumentException e) {
      throw new YamlException("yaml: " + place(event.getStartMark()) + e.getMessage());
    }
  }

  private Node sequence(SequenceStartEvent start) {
    descend(start);
    List<Object> elements = new ArrayList<>();
    long characters = 2;
    int height = 0;
    for (Event event = events.next();
        event.getEventId() != Event.ID.SequenceEnd;
        event = events.next()) {
      Node element = node(event);
      elements.add(element.value());
      characters += element.characters() + 1;
      height = Math.max(height, element.height());
    }
    depth--;
    return new Node(JsonArray.copyOf(elements), characters, height + 1);
  }

  private Node mapping(MappingStartEvent start) {
    descend(start);
    Map<String, Object> fields = new LinkedHashMap<>();
    List<Object> merged = new ArrayList<>();
    long characters = 2;
    int height = 0;
    for (Event event = events.next();
        event.getEventId() != Event.ID.MappingEnd;
        event = events.next()) {
      String key = key(event);
      Node value = node(events.next());
      characters += key.length() + value.characters() + 4;
      height = Math.max(height, value.height());
      if (isMerge(event)) {
        merged.add(value.value());
      } else if (fields.put(key, value.value()) != null
          && ++duplicated <= JsonLimits.MOST_ODDITIES) {
        duplicates.accept(place(event.getStartMark()) + "key \"" + key + "\" already set in map");
      }
    }
    merged.forEach(value -> merge(fields, value, start));
    depth--;
    JsonObject.Builder object = new JsonObject.Builder();
    fields.forEach(object::put);
    return new Node(object.build(), characters, height + 1);
  }

  private String key(Event event) {
    Object key = node(event).value();
    values--;
    if (!(key instanceof JsonObject || key instanceof JsonArray || key instanceof JsonNull)) {
      return key.toString();
    }
    throw new YamlException(
        "yaml: " + place(event.getStartMark()) + "a key is a string, a number or a boolean");
  }

  private static boolean isMerge(Event event) {
    return event instanceof ScalarEvent scalar
        && scalar.getScalarStyle() == ScalarStyle.PLAIN
        && scalar.getValue().equals(MERGE);
  }

  /** Takes over the fields of another mapping, or of several, that are not there already. */
  private static void merge(Map<String, Object> fields, Object from, Event at) {
    switch (from) {
      case JsonObject object -> object.forEach(fields::putIfAbsent);
      case JsonArray array when array.values().stream().allMatch(JsonObject.class::isInstance) ->
          array.objects().forEach(object -> object.forEach(fields::putIfAbsent));
      default ->
          throw new YamlException(
              "yaml: "
                  + place(at.getStartMark())
                  + "map merge requires map or sequence of maps as the value");
    }
  }

  private void descend(Event event) {
    if (++depth > limits.maxDepth()) {
      throw tooDeep(event);
    }
  }

  private YamlException tooDeep(Event event) {
    return new YamlException(
        "yaml: %snested deeper than %d levels"
            .formatted(place(event.getStartMark()), limits.maxDepth()));
  }

  private static String place(Optional<Mark> mark) {
    return mark.map(place -> "line " + (place.getLine() + 1) + ": ").orElse("");
  }
}
