package dev.berth.apiserver.resource.builtin;

import dev.berth.apiserver.resource.ResourceRules;
import dev.berth.model.resource.FieldError;
import dev.berth.model.resource.NameRules;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import java.util.ArrayList;
import java.util.List;

/**
 * Bindings of roles: whom they are for may change, what they give may not.
 *
 * @param namespaced whether they give in one namespace, and so may give its own roles too
 */
record RoleRefRules(boolean namespaced) implements ResourceRules {
  private static final String GROUP = "rbac.authorization.k8s.io";

  @Override
  public JsonObject defaults(JsonObject binding) {
    JsonObject changed = binding;
    JsonObject role = binding.object("roleRef");
    if (!role.isEmpty() && role.text("apiGroup", "").isEmpty()) {
      changed = changed.with("roleRef", role.with("apiGroup", GROUP));
    }
    JsonArray subjects = binding.array("subjects");
    for (int i = 0; i < subjects.size(); i++) {
      JsonObject subject = subjects.objects().get(i);
      String kind = subject.text("kind", "");
      boolean ofRbac = kind.equals("User") || kind.equals("Group");
      if (ofRbac && subject.text("apiGroup", "").isEmpty()) {
        subjects = subjects.with(i, subject.with("apiGroup", GROUP));
      }
    }
    return subjects.isEmpty() ? changed : changed.with("subjects", subjects);
  }

  @Override
  public List<FieldError> validate(JsonObject binding) {
    List<FieldError> errors = new ArrayList<>();
    JsonObject role = binding.object("roleRef");
    if (!role.text("apiGroup", "").equals(GROUP)) {
      errors.add(
          FieldError.notSupported("roleRef.apiGroup", role.text("apiGroup", ""), List.of(GROUP)));
    }
    List<String> kinds = namespaced ? List.of("Role", "ClusterRole") : List.of("ClusterRole");
    if (!kinds.contains(role.text("kind", ""))) {
      errors.add(FieldError.notSupported("roleRef.kind", role.text("kind", ""), kinds));
    }
    String name = role.text("name", "");
    if (name.isEmpty()) {
      errors.add(FieldError.required("roleRef.name", ""));
    } else {
      NameRules.pathSegment(name)
          .forEach(p -> errors.add(FieldError.invalid("roleRef.name", name, p)));
    }
    List<JsonObject> subjects = binding.array("subjects").objects();
    for (int i = 0; i < subjects.size(); i++) {
      validate(subjects.get(i), "subjects[" + i + "]", errors);
    }
    return errors;
  }

  private void validate(JsonObject subject, String field, List<FieldError> errors) {
    String name = subject.text("name", "");
    String group = subject.text("apiGroup", "");
    String kind = subject.text("kind", "");
    if (name.isEmpty()) {
      errors.add(FieldError.required(field + ".name", ""));
    }
    switch (kind) {
      case "ServiceAccount" -> {
        if (!name.isEmpty()) {
          NameRules.dns1123Subdomain(name)
              .forEach(p -> errors.add(FieldError.invalid(field + ".name", name, p)));
        }
        if (!group.isEmpty()) {
          errors.add(FieldError.notSupported(field + ".apiGroup", group, List.of("")));
        }
        if (!namespaced && subject.text("namespace", "").isEmpty()) {
          errors.add(FieldError.required(field + ".namespace", ""));
        }
      }
      case "User", "Group" -> {
        if (!group.equals(GROUP)) {
          errors.add(FieldError.notSupported(field + ".apiGroup", group, List.of(GROUP)));
        }
      }
      default ->
          errors.add(
              FieldError.notSupported(
                  field + ".kind", kind, List.of("ServiceAccount", "User", "Group")));
    }
  }

  @Override
  public List<FieldError> validateUpdate(JsonObject binding, JsonObject old) {
    return binding.object("roleRef").equals(old.object("roleRef"))
        ? List.of()
        : List.of(
            FieldError.invalid("roleRef", binding.object("roleRef"), "cannot change roleRef"));
  }
}
