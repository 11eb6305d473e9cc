package dev.berth.kinds.apiregistration;

import dev.berth.kinds.resource.FieldErrorList;
import dev.berth.kinds.resource.FieldRules;
import dev.berth.kinds.resource.ResourceRules;
import dev.berth.model.resource.FieldError;
import dev.berth.model.resource.NameRules;
import dev.berth.model.tree.FieldPath;
import dev.berth.model.tree.JsonObject;
import java.util.List;

/** Which server answers for a group and version: this one, or one behind a service. */
final class ApiServiceRules implements ResourceRules {
  private static final long HTTPS = 443;
  private static final int LAST_PORT = 65535;
  private static final int HIGHEST_GROUP_PRIORITY = 20000;
  private static final int HIGHEST_VERSION_PRIORITY = 1000;
  private static final List<String> STATUSES = List.of("True", "False", "Unknown");
  private static final FieldPath SPEC = FieldPath.of("spec");

  @Override
  public JsonObject throughSubresource(String subresource, JsonObject object, JsonObject old) {
    return ResourceRules.statusAlone(object, old);
  }

  @Override
  public JsonObject defaults(JsonObject apiService) {
    return apiService.object("spec").has("service")
        ? FieldRules.within(
            apiService,
            "spec",
            spec ->
                FieldRules.within(
                    spec, "service", service -> FieldRules.orDefault(service, "port", HTTPS)))
        : apiService;
  }

  @Override
  public List<FieldError> validate(JsonObject apiService) {
    FieldErrorList errors = new FieldErrorList();
    JsonObject spec = apiService.object("spec");
    String group = spec.text("group", "");
    String version = spec.text("version", "");
    String name = version + "." + group;
    for (String field : List.of("generateName", "name")) {
      String own = apiService.object("metadata").text(field, "");
      if (!own.isEmpty() && !own.equals(name)) {
        errors.invalid(
            FieldPath.of("metadata").field(field),
            own,
            "must be `spec.version+\".\"+spec.group`: \"%s\"".formatted(name));
      }
    }
    if (!group.isEmpty()) {
      errors.invalid(SPEC.field("group"), group, NameRules.dns1123Subdomain(group));
    } else if (!version.equals("v1")) {
      errors.required(
          SPEC.field("group"), "only v1 may have an empty group and it better be legacy kube");
    }
    errors.invalid(SPEC.field("version"), version, NameRules.dns1035Label(version));
    checkPriority(spec, "groupPriorityMinimum", HIGHEST_GROUP_PRIORITY, errors);
    checkPriority(spec, "versionPriority", HIGHEST_VERSION_PRIORITY, errors);
    if (spec.has("service")) {
      checkRemote(spec, errors);
    } else {
      checkLocal(spec, errors);
    }
    return errors.all();
  }

  private static void checkPriority(
      JsonObject spec, String field, int highest, FieldErrorList errors) {
    long priority = spec.integer(field).orElse(0);
    if (priority <= 0 || priority > highest) {
      errors.invalid(SPEC.field(field), priority, "must be positive and less than " + highest);
    }
  }

  private static void checkLocal(JsonObject spec, FieldErrorList errors) {
    int bytes = spec.text("caBundle", "").length() * 3 / 4;
    if (bytes > 0) {
      errors.invalid(
          SPEC.field("caBundle"), bytes + " bytes", "local APIServices may not have a caBundle");
    }
    if (spec.flag("insecureSkipTLSVerify", false)) {
      errors.invalid(
          SPEC.field("insecureSkipTLSVerify"),
          true,
          "local APIServices may not have insecureSkipTLSVerify");
    }
  }

  private static void checkRemote(JsonObject spec, FieldErrorList errors) {
    JsonObject service = spec.object("service");
    FieldPath at = SPEC.field("service");
    for (String field : List.of("namespace", "name")) {
      if (service.text(field, "").isEmpty()) {
        errors.required(at.field(field), "");
      }
    }
    long port = service.integer("port").orElse(HTTPS);
    if (port < 1 || port > LAST_PORT) {
      errors.invalid(
          at.field("port"), port, "port is not valid: must be between 1 and 65535, inclusive");
    }
    if (spec.flag("insecureSkipTLSVerify", false) && !spec.text("caBundle", "").isEmpty()) {
      errors.invalid(
          SPEC.field("insecureSkipTLSVerify"), true, "may not be true if caBundle is present");
    }
  }

  @Override
  public List<FieldError> validateSubresource(JsonObject apiService, JsonObject old) {
    FieldErrorList errors = new FieldErrorList();
    List<JsonObject> conditions = apiService.object("status").array("conditions").objects();
    for (int i = 0; i < conditions.size(); i++) {
      errors.oneOf(
          FieldPath.of("status").field("conditions").index(i).field("status"),
          conditions.get(i).text("status", ""),
          STATUSES);
    }
    return errors.all();
  }
}
