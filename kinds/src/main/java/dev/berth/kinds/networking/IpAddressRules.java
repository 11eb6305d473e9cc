package dev.berth.kinds.networking;

import dev.berth.kinds.pod.InternalForm;
import dev.berth.kinds.resource.FieldErrorList;
import dev.berth.kinds.resource.FieldRules;
import dev.berth.kinds.resource.ResourceRules;
import dev.berth.model.resource.FieldError;
import dev.berth.model.resource.NameRules;
import dev.berth.model.tree.FieldPath;
import dev.berth.model.tree.JsonObject;
import java.util.List;

/** Addresses, named by themselves, and what has them, which never changes. */
final class IpAddressRules implements ResourceRules {
  private static final FieldPath PARENT = FieldPath.of("spec", "parentRef");

  @Override
  public List<FieldError> validate(JsonObject address) {
    FieldErrorList problems = new FieldErrorList();
    if (!address.object("spec").has("parentRef")) {
      problems.required(PARENT, "");
      return problems.all();
    }
    JsonObject parent = address.object("spec").object("parentRef");
    String group = parent.text("group", "");
    if (!group.isEmpty()) {
      problems.invalid(PARENT.field("group"), group, NameRules.dns1123Subdomain(group));
    }
    for (String field : List.of("resource", "name")) {
      if (problems.present(parent, field, PARENT)) {
        segment(parent, field, problems);
      }
    }
    segment(parent, "namespace", problems);
    return problems.all();
  }

  private static void segment(JsonObject parent, String field, FieldErrorList problems) {
    String text = parent.text(field, "");
    if (!text.isEmpty()) {
      problems.invalid(PARENT.field(field), text, NameRules.pathSegment(text));
    }
  }

  @Override
  public List<FieldError> validateUpdate(JsonObject address, JsonObject old) {
    return FieldRules.immutable(PARENT, InternalForm.as("ParentReference"), address, old);
  }
}
