package dev.berth.kinds.events;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.berth.kinds.resource.FieldErrorList;
import dev.berth.kinds.resource.ResourceRules;
import dev.berth.model.meta.Metadata;
import dev.berth.model.resource.FieldError;
import dev.berth.model.resource.NameRules;
import dev.berth.model.tree.FieldPath;
import dev.berth.model.tree.JsonObject;
import java.util.List;
import java.util.Set;

/**
 * Events: in the namespace of what they are about, or in {@code default} (of old) or {@code
 * kube-system} for what is in none. Those that say when they happened must say more.
 */
class EventRules implements ResourceRules {
  private static final int REASON_LENGTH = 128;
  private static final int NOTE_LENGTH = 1024;
  private static final Set<String> FOR_CLUSTER = Set.of("default", "kube-system");

  /** Where older events about what is in no namespace are. */
  private static final Set<String> FOR_CLUSTER_BEFORE = Set.of("", "default");

  private final String reporter;

  EventRules() {
    this("reportingComponent");
  }

  /**
   * @param reporter what the group in which they are written calls the field that says who reports
   */
  EventRules(String reporter) {
    this.reporter = reporter;
  }

  @Override
  public List<FieldError> validate(JsonObject event) {
    FieldErrorList problems = new FieldErrorList();
    boolean older = event.text("eventTime", "").isEmpty();
    String namespace = Metadata.of(event).namespace();
    String about = event.object("involvedObject").text("namespace", "");
    boolean elsewhere =
        about.isEmpty()
            ? !(older ? FOR_CLUSTER_BEFORE : FOR_CLUSTER).contains(namespace)
            : older && !about.equals(namespace);
    if (elsewhere) {
      problems.invalid(
          FieldPath.of("involvedObject", "namespace"), about, "does not match event.namespace");
    }
    if (!older) {
      reported(event, problems);
    }
    problems.invalid(FieldPath.of("namespace"), namespace, NameRules.dns1123Subdomain(namespace));
    return problems.all();
  }

  /** What is wrong with an event that says who reported it. */
  private void reported(JsonObject event, FieldErrorList problems) {
    FieldPath controller = FieldPath.of(reporter);
    String component = event.text("reportingComponent", "");
    if (component.isEmpty()) {
      problems.required(controller, "");
    }
    problems.invalid(controller, component, NameRules.qualifiedName(component));
    for (String field : List.of("reportingInstance", "action", "reason")) {
      problems.present(event, field, FieldPath.ROOT);
      limited(event, field, REASON_LENGTH, problems);
    }
    limited(event, "message", NOTE_LENGTH, problems);
  }

  private static void limited(JsonObject event, String field, int most, FieldErrorList problems) {
    if (event.text(field, "").getBytes(UTF_8).length > most) {
      problems.invalid(FieldPath.of(field), "", "can have at most " + most + " characters");
    }
  }
}
