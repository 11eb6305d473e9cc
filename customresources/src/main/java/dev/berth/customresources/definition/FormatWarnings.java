package dev.berth.customresources.definition;

import dev.berth.customresources.schema.Formats;
import dev.berth.kinds.resource.ObjectWarnings;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What whoever writes a definition is told: which formats of its schemas mean nothing. */
final class FormatWarnings implements ObjectWarnings {
  private static final List<String> SCHEMAS =
      List.of("items", "additionalProperties", "additionalItems", "not");
  private static final List<String> LISTS = List.of("items", "allOf", "anyOf", "oneOf");
  private static final List<String> MAPS =
      List.of("properties", "patternProperties", "definitions", "dependencies");

  @Override
  public List<String> onCreate(JsonObject definition) {
    return onUpdate(definition, JsonObject.EMPTY);
  }

  /** Those that were there before are known to whoever changes something else. */
  @Override
  public List<String> onUpdate(JsonObject definition, JsonObject old) {
    Set<String> unknown = unknown(definition);
    unknown.removeAll(unknown(old));
    return unknown.stream().map(format -> "unrecognized format \"" + format + "\"").toList();
  }

  private static Set<String> unknown(JsonObject definition) {
    Set<String> unknown = new LinkedHashSet<>();
    for (JsonObject version : new DefinitionView(definition).versions()) {
      add(version.object("schema").get("openAPIV3Schema"), unknown);
    }
    return unknown;
  }

  private static void add(@Nullable Object value, Set<String> unknown) {
    if (!(value instanceof JsonObject schema)) {
      return;
    }
    String format = schema.text("format", "");
    if (!format.isEmpty() && !Formats.isKnown(schema.text("type", ""), format)) {
      unknown.add(format);
    }
    SCHEMAS.forEach(field -> add(schema.get(field), unknown));
    for (String field : LISTS) {
      if (schema.get(field) instanceof JsonArray several) {
        several.values().forEach(one -> add(one, unknown));
      }
    }
    for (String field : MAPS) {
      schema.object(field).forEach((_, inside) -> add(inside, unknown));
    }
  }
}
