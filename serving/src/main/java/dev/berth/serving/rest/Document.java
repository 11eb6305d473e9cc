package dev.berth.serving.rest;

import dev.berth.model.tree.JsonException;
import dev.berth.model.tree.JsonKind;
import dev.berth.model.tree.JsonLimits;
import dev.berth.model.tree.JsonObject;
import dev.berth.model.tree.JsonReader;
import dev.berth.model.yaml.YamlException;
import dev.berth.model.yaml.YamlReader;
import java.util.ArrayList;
import java.util.List;

/** A document that a client sent, and the fields that it has twice, of which the last counts. */
record Document(Object value, List<String> problems) {

  Document {
    problems = List.copyOf(problems);
  }

  /** Reads JSON; fails with a {@link JsonException}. */
  static Document json(byte[] bytes) {
    List<String> problems = new ArrayList<>();
    Object value =
        JsonReader.value(
            bytes, JsonLimits.REQUEST, path -> problems.add("duplicate field \"" + path + "\""));
    return new Document(value, problems);
  }

  /**
   * Reads YAML; fails with a {@link YamlException}. Most of what comes as YAML is JSON, which is
   * YAML too and read much faster as what it is.
   */
  static Document yaml(byte[] bytes) {
    if (bytes.length > 0 && bytes[0] == '{') {
      try {
        return json(bytes);
      } catch (JsonException _) {
        // YAML has more in braces than JSON has.
      }
    }
    List<String> problems = new ArrayList<>();
    Object value = YamlReader.value(bytes, JsonLimits.REQUEST, problems::add);
    return new Document(value, problems);
  }

  JsonObject object() {
    if (value instanceof JsonObject object) {
      return object;
    }
    throw new JsonException("expected an object, found " + JsonKind.of(value).withArticle());
  }
}
