package dev.berth.apiserver.rest;

import dev.berth.apiserver.status.Failures;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The form in which a client wants objects: as they are, as a table, or their metadata only.
 *
 * @param apiVersion of the table or of the metadata; empty for objects as they are
 */
record Representation(Form form, String apiVersion) {
  static final Representation OBJECTS = new Representation(Form.OBJECTS, "");

  private static final List<String> OFFERED = List.of("application/json");

  enum Form {
    OBJECTS,
    TABLE,
    METADATA
  }

  /** The first form of an Accept header that is served, or an error that says what is. */
  static Representation negotiate(List<String> accept) {
    String all = String.join(",", accept);
    if (all.isBlank()) {
      return OBJECTS;
    }
    for (String range : all.split(",", -1)) {
      Representation form = of(range);
      if (form != null) {
        return form;
      }
    }
    throw Failures.notAcceptable(OFFERED);
  }

  private static @Nullable Representation of(String range) {
    String[] parts = range.split(";", -1);
    Map<String, String> parameters = new HashMap<>();
    for (int i = 1; i < parts.length; i++) {
      int equals = parts[i].indexOf('=');
      if (equals > 0) {
        parameters.put(
            parts[i].substring(0, equals).strip().toLowerCase(Locale.ROOT),
            parts[i].substring(equals + 1).strip());
      }
    }
    String type = parts[0].strip();
    if (!type.equals("application/json") && !type.equals("application/*") && !type.equals("*/*")) {
      return null;
    }
    String as = parameters.getOrDefault("as", "");
    if (as.isEmpty()) {
      return OBJECTS;
    }
    String version = parameters.getOrDefault("v", "v1");
    boolean known =
        parameters.getOrDefault("g", "").equals("meta.k8s.io")
            && (version.equals("v1") || version.equals("v1beta1"));
    if (!known) {
      return null;
    }
    return switch (as) {
      case "Table" -> new Representation(Form.TABLE, "meta.k8s.io/" + version);
      case "PartialObjectMetadata", "PartialObjectMetadataList" ->
          new Representation(Form.METADATA, "meta.k8s.io/" + version);
      default -> null;
    };
  }
}
