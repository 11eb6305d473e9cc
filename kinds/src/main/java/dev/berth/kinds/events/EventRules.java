package dev.berth.kinds.events;

import dev.berth.kinds.resource.ResourceRules;
import dev.berth.model.meta.Metadata;
import dev.berth.model.resource.FieldError;
import dev.berth.model.tree.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * Events: in the namespace of what they are about, or in {@code default} (of old) or {@code
 * kube-system} for what is in none. Those that say when they happened follow the rules of the newer
 * group, which asks for more.
 */
final class EventRules implements ResourceRules {
  private static final int REASON_LENGTH = 128;
  private static final int NOTE_LENGTH = 1024;
  private static final Set<String> FOR_CLUSTER = Set.of("default", "kube-system");

  @Override
  public List<FieldError> validate(JsonObject event) {
    List<FieldError> errors = new ArrayList<>();
    String namespace = Metadata.of(event).namespace();
    String about = event.object("involvedObject").text("namespace", "");
    if (about.isEmpty() ? !FOR_CLUSTER.contains(namespace) : !about.equals(namespace)) {
      errors.add(
          FieldError.invalid("involvedObject.namespace", about, "does not match event.namespace"));
    }
    if (event.text("eventTime", "").isEmpty()) {
      return errors;
    }
    if (event.text("reportingComponent", "").isEmpty()) {
      errors.add(FieldError.required("reportingController", ""));
    }
    if (event.text("reportingInstance", "").isEmpty()) {
      errors.add(FieldError.required("reportingInstance", ""));
    }
    limited(event, "action", REASON_LENGTH, errors);
    limited(event, "reason", REASON_LENGTH, errors);
    if (event.text("message", "").length() > NOTE_LENGTH) {
      errors.add(FieldError.invalid("message", "", "can have at most 1024 characters"));
    }
    return errors;
  }

  private static void limited(JsonObject event, String field, int most, List<FieldError> errors) {
    String text = event.text(field, "");
    if (text.isEmpty()) {
      errors.add(FieldError.required(field, ""));
    } else if (text.length() > most) {
      errors.add(FieldError.invalid(field, text, "can have at most " + most + " characters"));
    }
  }
}
