package dev.berth.kinds.rbac;

import dev.berth.kinds.pod.InternalForm;
import dev.berth.kinds.resource.FieldRules;
import dev.berth.kinds.resource.ResourceRules;
import dev.berth.model.resource.FieldError;
import dev.berth.model.resource.NameRules;
import dev.berth.model.tree.FieldPath;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import java.util.ArrayList;
import java.util.List;

/** Bindings of roles: whom they are for may change, what they give may not. */
final class RoleRefRules implements ResourceRules {
  private static final String GROUP = "rbac.authorization.k8s.io";
  private static final FieldPath ROLE = FieldPath.of("roleRef");

  private final boolean clusterWide;

  RoleRefRules(boolean clusterWide) {
    this.clusterWide = clusterWide;
  }

  @Override
  public JsonObject defaults(JsonObject binding) {
    JsonObject filled = binding;
    JsonObject role = binding.object("roleRef");
    if (role.text("apiGroup", "").isEmpty()) {
      filled = filled.with("roleRef", role.with("apiGroup", GROUP));
    }
    JsonArray subjects = binding.array("subjects").mapObjects(RoleRefRules::withGroup);
    return subjects.isEmpty() ? filled : filled.with("subjects", subjects);
  }

  private static JsonObject withGroup(JsonObject subject) {
    boolean person =
        subject.text("kind", "").equals("User") || subject.text("kind", "").equals("Group");
    return person && subject.text("apiGroup", "").isEmpty()
        ? subject.with("apiGroup", GROUP)
        : subject;
  }

  @Override
  public List<FieldError> validate(JsonObject binding) {
    List<FieldError> errors = new ArrayList<>();
    JsonObject role = binding.object("roleRef");
    errors.addAll(
        FieldRules.oneOf(ROLE.field("apiGroup"), role.text("apiGroup", ""), List.of(GROUP)));
    errors.addAll(
        FieldRules.oneOf(
            ROLE.field("kind"),
            role.text("kind", ""),
            clusterWide ? List.of("ClusterRole") : List.of("Role", "ClusterRole")));
    String name = role.text("name", "");
    if (name.isEmpty()) {
      errors.add(FieldError.required("roleRef.name", ""));
    } else {
      NameRules.pathSegment(name)
          .forEach(p -> errors.add(FieldError.invalid("roleRef.name", name, p)));
    }
    List<JsonObject> subjects = binding.array("subjects").objects();
    for (int i = 0; i < subjects.size(); i++) {
      subject(subjects.get(i), FieldPath.of("subjects").index(i), errors);
    }
    return errors;
  }

  private void subject(JsonObject subject, FieldPath at, List<FieldError> errors) {
    String name = subject.text("name", "");
    if (name.isEmpty()) {
      errors.add(FieldError.required(at.field("name").toString(), ""));
    }
    String kind = subject.text("kind", "");
    String group = subject.text("apiGroup", "");
    switch (kind) {
      case "ServiceAccount" -> {
        if (!name.isEmpty()) {
          NameRules.dns1123Subdomain(name)
              .forEach(p -> errors.add(FieldError.invalid(at.field("name").toString(), name, p)));
        }
        if (!group.isEmpty()) {
          errors.add(FieldError.notSupported(at.field("apiGroup").toString(), group, List.of("")));
        }
        if (clusterWide && subject.text("namespace", "").isEmpty()) {
          errors.add(FieldError.required(at.field("namespace").toString(), ""));
        }
      }
      case "User", "Group" -> {
        if (!group.equals(GROUP)) {
          errors.add(
              FieldError.notSupported(at.field("apiGroup").toString(), group, List.of(GROUP)));
        }
      }
      default ->
          errors.add(
              FieldError.notSupported(
                  at.field("kind").toString(), kind, List.of("ServiceAccount", "User", "Group")));
    }
  }

  @Override
  public List<FieldError> validateUpdate(JsonObject binding, JsonObject old) {
    return binding.object("roleRef").equals(old.object("roleRef"))
        ? List.of()
        : List.of(
            FieldError.invalid(
                "roleRef",
                InternalForm.of("RoleRef", binding.object("roleRef")),
                "cannot change roleRef"));
  }
}
