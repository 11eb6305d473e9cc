package dev.berth.kinds.devices;

import dev.berth.kinds.resource.FieldErrorList;
import dev.berth.kinds.resource.ResourceRules;
import dev.berth.model.resource.FieldError;
import dev.berth.model.resource.NameRules;
import dev.berth.model.tree.FieldPath;
import dev.berth.model.tree.JsonObject;
import java.util.List;

/** Classes of devices: which devices are meant, and what their drivers are told. */
final class DeviceClassRules implements ResourceRules {
  private static final FieldPath SPEC = FieldPath.of("spec");

  @Override
  public List<FieldError> validate(JsonObject deviceClass) {
    FieldErrorList problems = new FieldErrorList();
    DeviceChecks checks = new DeviceChecks(problems);
    JsonObject spec = deviceClass.object("spec");
    checks.selectors(spec.array("selectors"), SPEC.field("selectors"));
    checks.each(
        spec.array("config"),
        DeviceChecks.MOST_CONFIGURATIONS,
        SPEC.field("config"),
        checks::configuration);
    String extended = spec.text("extendedResourceName");
    if (extended != null && !isExtended(extended)) {
      problems.invalid(
          SPEC.field("extendedResourceName"), extended, "must be a valid extended resource name");
    }
    return problems.all();
  }

  /** Whether a resource is one that neither Kubernetes knows nor a quota of its requests. */
  private static boolean isExtended(String name) {
    return name.contains("/")
        && !name.startsWith("requests.")
        && !name.contains("kubernetes.io/")
        && NameRules.qualifiedName("requests." + name).isEmpty();
  }
}
