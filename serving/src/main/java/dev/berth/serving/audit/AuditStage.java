package dev.berth.serving.audit;

import dev.berth.model.config.ConfigFields;
import dev.berth.model.resource.FieldError;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** When a request is recorded. */
enum AuditStage {
  /** Its sender is known, and nothing has been done yet. */
  REQUEST_RECEIVED("RequestReceived"),
  /** The answer has begun and may take for ever: a watch. */
  RESPONSE_STARTED("ResponseStarted"),
  RESPONSE_COMPLETE("ResponseComplete"),
  /** There was no answer because of a bug. */
  PANIC("Panic");

  private final String word;

  AuditStage(String word) {
    this.word = word;
  }

  String word() {
    return word;
  }

  static Set<AuditStage> read(ConfigFields fields, String name) {
    Set<AuditStage> stages = EnumSet.noneOf(AuditStage.class);
    List<String> words = fields.texts(name);
    for (int i = 0; i < words.size(); i++) {
      String word = words.get(i);
      List<AuditStage> known = Stream.of(values()).filter(s -> s.word.equals(word)).toList();
      stages.addAll(known);
      if (known.isEmpty()) {
        fields.error(
            FieldError.invalid(
                "%s[%d]".formatted(fields.path(name), i),
                word,
                "allowed stages are "
                    + Stream.of(values()).map(AuditStage::word).collect(Collectors.joining(","))));
      }
    }
    return stages;
  }
}
