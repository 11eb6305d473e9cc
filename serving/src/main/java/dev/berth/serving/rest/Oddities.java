package dev.berth.serving.rest;

import java.util.ArrayList;
import java.util.List;

/**
 * Fields of a document that its client hears of: those that are unknown, and those that are there
 * twice.
 *
 * @param lines what YAML has twice, with its lines, which an error tells as one
 * @param others the rest
 */
record Oddities(List<String> lines, List<String> others) {
  static final Oddities NONE = new Oddities(List.of(), List.of());

  Oddities {
    lines = List.copyOf(lines);
    others = List.copyOf(others);
  }

  static Oddities ofUnknown(List<String> fields) {
    return fields.isEmpty()
        ? NONE
        : new Oddities(List.of(), fields.stream().map(Oddities::unknown).toList());
  }

  static String unknown(String field) {
    return "unknown field \"" + field + "\"";
  }

  static String duplicate(String field) {
    return "duplicate field \"" + field + "\"";
  }

  boolean isEmpty() {
    return lines.isEmpty() && others.isEmpty();
  }

  List<String> warnings() {
    List<String> all = new ArrayList<>(lines);
    all.addAll(others);
    return all;
  }

  /** As the YAML reader of Kubernetes words it. */
  String yamlError() {
    return "yaml: unmarshal errors:\n  " + String.join("\n  ", lines);
  }

  String error() {
    List<String> all = new ArrayList<>();
    if (!lines.isEmpty()) {
      all.add(yamlError());
    }
    all.addAll(others);
    return "strict decoding error: " + String.join(", ", all);
  }
}
