package dev.berth.kinds.storage;

import dev.berth.kinds.resource.FieldErrorList;
import dev.berth.model.resource.NameRules;
import dev.berth.model.tree.FieldPath;
import dev.berth.model.tree.JsonObject;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/** What the classes of storage share: a driver, and what it is told. */
final class StorageParameters {
  private static final int MOST = 512;
  private static final int MOST_BYTES = 256 * 1024;

  private StorageParameters() {}

  static void driver(JsonObject holder, String field, FieldErrorList problems) {
    if (problems.present(holder, field, FieldPath.ROOT)) {
      String name = holder.text(field, "").toLowerCase(Locale.ROOT);
      problems.invalid(FieldPath.of(field), name, NameRules.qualifiedName(name));
    }
  }

  static void parameters(JsonObject holder, boolean required, FieldErrorList problems) {
    FieldPath at = FieldPath.of("parameters");
    JsonObject parameters = holder.object("parameters");
    if (parameters.size() > MOST) {
      problems.tooLong(at, MOST);
      return;
    }
    if (parameters.has("")) {
      problems.invalid(at, "", "field can not be empty.");
    }
    if (bytes(parameters) > MOST_BYTES) {
      problems.tooLong(at, MOST_BYTES);
    }
    if (required && parameters.isEmpty()) {
      problems.required(at, "must contain at least one key/value pair");
    }
  }

  /** How long all keys and values of a map are together. */
  static long bytes(JsonObject map) {
    return map.names().stream().mapToLong(key -> length(key) + length(map.text(key, ""))).sum();
  }

  private static long length(String text) {
    return text.getBytes(StandardCharsets.UTF_8).length;
  }
}
