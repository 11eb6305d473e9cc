package dev.berth.kinds.events;

import dev.berth.kinds.pod.InternalForm;
import dev.berth.kinds.resource.FieldErrorList;
import dev.berth.kinds.resource.MetadataValidation;
import dev.berth.kinds.resource.Resource;
import dev.berth.model.resource.FieldError;
import dev.berth.model.tree.FieldPath;
import dev.berth.model.tree.JsonObject;
import java.util.List;
import java.util.Objects;
import java.util.Set;

/**
 * Events that are written through events.k8s.io, in the core group's form: they say when they
 * happened, use nothing that the group gave up, and change in nothing but their series.
 */
final class StrictEventRules extends EventRules {
  private static final int SMALLEST_SERIES = 2;
  private static final Set<String> TYPES = Set.of("Normal", "Warning");
  private static final List<String> FIXED =
      List.of(
          "involvedObject",
          "reason",
          "message",
          "source",
          "firstTimestamp",
          "lastTimestamp",
          "count",
          "reason",
          "type",
          "eventTime",
          "action",
          "related",
          "reportingComponent",
          "reportingInstance");

  /** Whose metadata are looked at, which events of the core group do not ask for. */
  private static final Resource METADATA = EventResources.core();

  StrictEventRules() {
    super("reportingController");
  }

  @Override
  public List<FieldError> validate(JsonObject event) {
    FieldErrorList problems = new FieldErrorList();
    problems.addAll(super.validate(event));
    problems.addAll(MetadataValidation.validate(METADATA, event));
    series(event, problems);
    problems.present(event, "eventTime", FieldPath.ROOT);
    String type = event.text("type", "");
    if (!TYPES.contains(type)) {
      problems.invalid(FieldPath.of("type"), "", "has invalid value: " + type);
    }
    for (String field : List.of("firstTimestamp", "lastTimestamp")) {
      unset(!event.text(field, "").isEmpty(), field, problems);
    }
    unset(event.integer("count").orElse(0) != 0, "count", problems);
    JsonObject source = event.object("source");
    boolean named = !(source.text("component", "") + source.text("host", "")).isEmpty();
    unset(named, "source", problems);
    return problems.all();
  }

  private static void unset(boolean isSet, String field, FieldErrorList problems) {
    if (isSet) {
      problems.invalid(FieldPath.of(field), "", "needs to be unset");
    }
  }

  private static void series(JsonObject event, FieldErrorList problems) {
    if (!event.has("series")) {
      return;
    }
    JsonObject series = event.object("series");
    if (series.integer("count").orElse(0) < SMALLEST_SERIES) {
      problems.invalid(FieldPath.of("series", "count"), "", "should be at least 2");
    }
    problems.present(series, "lastObservedTime", FieldPath.of("series"));
  }

  @Override
  public List<FieldError> validateReplacing(JsonObject event, JsonObject old) {
    FieldErrorList problems = new FieldErrorList();
    problems.addAll(super.validate(event));
    if (!MetadataValidation.isSame(event, old)) {
      problems.addAll(MetadataValidation.validateUpdate(METADATA, event, old));
    }
    if (!event.object("series").equals(old.object("series"))) {
      series(event, problems);
    }
    return problems.all();
  }

  @Override
  public List<FieldError> validateUpdate(JsonObject event, JsonObject old) {
    FieldErrorList problems = new FieldErrorList();
    JsonObject form = InternalForm.of("Event", event);
    JsonObject before = InternalForm.of("Event", old);
    for (String field : FIXED) {
      Object now = Objects.requireNonNull(form.get(field));
      if (!now.equals(before.get(field))) {
        FieldPath at =
            FieldPath.of(field.equals("reportingComponent") ? "reportingController" : field);
        problems.invalid(at, now, "field is immutable");
      }
    }
    return problems.all();
  }
}
