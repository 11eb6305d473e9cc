package dev.berth.sim.snapshot;

import dev.berth.model.meta.Metadata;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Replaces what names things in a snapshot, so that it can be given away. The same word is always
 * replaced by the same other one, wherever it stands and whatever it is part of: {@code web-3} of
 * the StatefulSet {@code web} becomes {@code w7-3} of {@code w7}, so selectors, owners, claims and
 * topology fit as they did. Nodes are numbered instead, since their names may be addresses.
 *
 * <p>Whatever is not known to be harmless is replaced; see {@link PublicWords}.
 */
public final class Anonymiser {
  private static final Pattern WORD = Pattern.compile("[^-./:_@+,= ]+");
  private static final Pattern ORDINAL = Pattern.compile("[0-9]{1,5}");

  private final Map<String, String> words = new HashMap<>();

  /** Texts that are replaced as a whole. */
  private final Map<String, String> whole = new HashMap<>();

  private Anonymiser() {}

  public static ClusterSnapshot anonymise(ClusterSnapshot snapshot) {
    Anonymiser anonymiser = new Anonymiser();
    anonymiser.numberNodes(snapshot);
    Map<String, List<JsonObject>> objects = new HashMap<>();
    for (String resource : snapshot.resources()) {
      objects.put(resource, snapshot.list(resource).stream().map(anonymiser::object).toList());
    }
    // Why something could not be seen may name who wanted to see it.
    List<String> unseen =
        snapshot.unseen().stream().map(line -> line.replaceFirst(":.*", "")).toList();
    return new ClusterSnapshot(snapshot.takenAt(), objects, snapshot.settings(), unseen);
  }

  private void numberNodes(ClusterSnapshot snapshot) {
    for (JsonObject node : snapshot.list("nodes")) {
      String name = Metadata.of(node).name();
      String number = "node-" + whole.size();
      whole.put(name, number);
      Metadata.of(node)
          .label("kubernetes.io/hostname")
          .ifPresent(host -> whole.putIfAbsent(host, number));
    }
    for (JsonObject pod : snapshot.list("pods")) {
      // The pods that a node makes by itself are named after it.
      String node = pod.object("spec").text("nodeName", "");
      String name = Metadata.of(pod).name();
      if (!node.isEmpty() && name.endsWith("-" + node)) {
        String own = name.substring(0, name.length() - node.length() - 1);
        whole.put(name, name(own) + "-" + whole.getOrDefault(node, name(node)));
      }
    }
  }

  private JsonObject object(JsonObject object) {
    JsonObject.Builder result = new JsonObject.Builder();
    for (int i = 0; i < object.size(); i++) {
      String field = object.name(i);
      if (PublicWords.LEFT_OUT.contains(field)) {
        continue;
      }
      if (field.equals("securityContext")) {
        // The server would put an empty one there.
        result.put(field, JsonObject.EMPTY);
        continue;
      }
      Object value = object.value(i);
      result.put(
          field,
          switch (field) {
            case "annotations" -> annotations(object.object(field));
            case "labels",
                "matchLabels",
                "nodeSelector",
                "selector",
                "requests",
                "limits",
                "capacity",
                "allocatable",
                "allocatedResources",
                "resources",
                "hard",
                "used",
                "overhead" ->
                value instanceof JsonObject map && isFlat(map) ? keyed(map) : value(field, value);
            default -> value(field, value);
          });
    }
    return result.build();
  }

  /** Whether it is a map from keys to texts, not an object with fields. */
  private static boolean isFlat(JsonObject map) {
    for (int i = 0; i < map.size(); i++) {
      if (map.value(i) instanceof JsonObject || map.value(i) instanceof JsonArray) {
        return false;
      }
    }
    return true;
  }

  private JsonObject keyed(JsonObject map) {
    JsonObject.Builder result = new JsonObject.Builder();
    map.forEach((key, value) ->
        result.put(
            PublicWords.isPublicKey(key) ? key : name(key),
            value instanceof String text ? name(text) : value));
    return result.build();
  }

  /** Those of Kubernetes that hold a number or the like; all others may say anything. */
  private static JsonObject annotations(JsonObject annotations) {
    JsonObject.Builder kept = new JsonObject.Builder();
    annotations.forEach((key, value) -> {
      if (PublicWords.isPublicKey(key)
          && value instanceof String text
          && PublicWords.saysNothing(text)) {
        kept.put(key, value);
      }
    });
    return kept.build();
  }

  private Object value(String field, Object value) {
    return switch (value) {
      case JsonObject object -> object(object);
      case JsonArray array -> {
        List<Object> values = new ArrayList<>(array.size());
        for (int i = 0; i < array.size(); i++) {
          values.add(value(field, array.get(i)));
        }
        yield JsonArray.copyOf(values);
      }
      case String text when PublicWords.PLAIN_FIELDS.contains(field) -> text;
      case String text when field.equals("apiVersion") || field.equals("apiGroup") ->
          PublicWords.isPublicVersion(text) ? text : name(text);
      case String text -> name(text);
      default -> value;
    };
  }

  private String name(String text) {
    if (PublicWords.isPublic(text)) {
      return text;
    }
    String known = whole.get(text);
    if (known != null) {
      return known;
    }
    if (PublicWords.isAddress(text)) {
      return word("address " + text);
    }
    StringBuilder result = new StringBuilder();
    Matcher word = WORD.matcher(text);
    while (word.find()) {
      word.appendReplacement(result, Matcher.quoteReplacement(word(word.group())));
    }
    return word.appendTail(result).toString();
  }

  private String word(String text) {
    return ORDINAL.matcher(text).matches()
        ? text
        : words.computeIfAbsent(text, _ -> "w" + Integer.toString(words.size(), 36));
  }
}
