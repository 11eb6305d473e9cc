package dev.berth.serving.audit;

import dev.berth.model.config.ConfigFields;
import dev.berth.model.resource.FieldError;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** How much of a request is recorded, in rising order. */
enum AuditLevel {
  NONE("None"),
  /** Who did what to which object, and with what result. */
  METADATA("Metadata"),
  /** And what the client sent. */
  REQUEST("Request"),
  /** And what it was answered. */
  REQUEST_RESPONSE("RequestResponse");

  private final String word;

  AuditLevel(String word) {
    this.word = word;
  }

  String word() {
    return word;
  }

  boolean includes(AuditLevel other) {
    return compareTo(other) >= 0;
  }

  static AuditLevel read(ConfigFields fields, String name) {
    String text = fields.text(name, "");
    if (text.isEmpty()) {
      fields.required(name, "must be one of " + String.join(", ", words()));
      return NONE;
    }
    Optional<AuditLevel> level =
        Stream.of(values()).filter(known -> known.word.equals(text)).findFirst();
    if (level.isEmpty()) {
      fields.error(FieldError.notSupported(fields.path(name), text, words()));
    }
    return level.orElse(NONE);
  }

  private static List<String> words() {
    return Stream.of(values()).map(AuditLevel::word).toList();
  }
}
