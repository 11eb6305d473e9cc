package dev.berth.kinds.pod;

import dev.berth.kinds.resource.FieldRules;
import dev.berth.model.tree.JsonObject;
import java.util.List;
import java.util.function.UnaryOperator;

/** What is filled in where the specification of a pod, or of a template's pods, leaves it out. */
public final class PodSpecDefaults {
  static final long GRACE_PERIOD_SECONDS = 30;

  private PodSpecDefaults() {}

  static JsonObject of(JsonObject spec) {
    JsonObject filled = FieldRules.orDefault(spec, "restartPolicy", "Always");
    filled = FieldRules.orDefault(filled, "terminationGracePeriodSeconds", GRACE_PERIOD_SECONDS);
    filled = FieldRules.orDefault(filled, "dnsPolicy", "ClusterFirst");
    filled = FieldRules.orDefault(filled, "securityContext", JsonObject.EMPTY);
    filled = FieldRules.orDefault(filled, "schedulerName", "default-scheduler");
    for (String list : List.of("initContainers", "containers", "ephemeralContainers")) {
      filled = each(filled, list, container -> container(container, spec));
    }
    return each(filled, "volumes", PodSpecDefaults::volume);
  }

  private static JsonObject container(JsonObject container, JsonObject spec) {
    JsonObject filled = each(container, "ports", port -> port(port, spec));
    filled = each(filled, "env", PodSpecDefaults::variable);
    filled = FieldRules.orDefault(filled, "resources", JsonObject.EMPTY);
    filled = filled.with("resources", resources(filled.object("resources")));
    filled = FieldRules.orDefault(filled, "terminationMessagePath", "/dev/termination-log");
    filled = FieldRules.orDefault(filled, "terminationMessagePolicy", "File");
    for (String probe : List.of("livenessProbe", "readinessProbe", "startupProbe")) {
      if (filled.has(probe)) {
        filled = filled.with(probe, probe(filled.object(probe)));
      }
    }
    return FieldRules.orDefault(filled, "imagePullPolicy", pullPolicy(container.text("image", "")));
  }

  private static JsonObject variable(JsonObject variable) {
    return variable.object("valueFrom").has("fieldRef")
        ? FieldRules.within(
            variable,
            "valueFrom",
            from ->
                FieldRules.within(
                    from, "fieldRef", r -> FieldRules.orDefault(r, "apiVersion", "v1")))
        : variable;
  }

  private static JsonObject port(JsonObject port, JsonObject spec) {
    JsonObject filled = FieldRules.orDefault(port, "protocol", "TCP");
    boolean hostNetwork = spec.flag("hostNetwork", false);
    Object number = port.get("containerPort");
    return hostNetwork && number != null
        ? FieldRules.orDefault(filled, "hostPort", number)
        : filled;
  }

  /** What is limited and not requested is requested as limited. */
  private static JsonObject resources(JsonObject resources) {
    JsonObject requests = resources.object("requests").withMissing(resources.object("limits"));
    return requests.isEmpty() ? resources : resources.with("requests", requests);
  }

  private static JsonObject probe(JsonObject probe) {
    JsonObject filled = FieldRules.orDefault(probe, "timeoutSeconds", 1L);
    filled = FieldRules.orDefault(filled, "periodSeconds", 10L);
    filled = FieldRules.orDefault(filled, "successThreshold", 1L);
    filled = FieldRules.orDefault(filled, "failureThreshold", 3L);
    if (!filled.has("httpGet")) {
      return filled;
    }
    return FieldRules.within(
        filled,
        "httpGet",
        get -> FieldRules.orDefault(FieldRules.orDefault(get, "path", "/"), "scheme", "HTTP"));
  }

  /** An image that may change under its name is looked for each time. */
  private static String pullPolicy(String image) {
    String tag = image.substring(image.lastIndexOf('/') + 1);
    boolean fixed = tag.contains("@") || (tag.contains(":") && !tag.endsWith(":latest"));
    return fixed ? "IfNotPresent" : "Always";
  }

  private static JsonObject volume(JsonObject volume) {
    if (volume.size() == 1) {
      return volume.with("emptyDir", JsonObject.EMPTY);
    }
    JsonObject filled = volume;
    for (String source : List.of("configMap", "secret", "downwardAPI", "projected")) {
      if (filled.has(source)) {
        filled =
            FieldRules.within(filled, source, s -> FieldRules.orDefault(s, "defaultMode", 0644L));
      }
    }
    return filled.has("hostPath")
        ? FieldRules.within(filled, "hostPath", path -> FieldRules.orDefault(path, "type", ""))
        : filled;
  }

  private static JsonObject each(
      JsonObject object, String field, UnaryOperator<JsonObject> change) {
    return object.has(field) ? object.with(field, object.array(field).mapObjects(change)) : object;
  }

  /** The specification of a workload with the defaults of its template. */
  public static JsonObject withTemplate(JsonObject spec) {
    return FieldRules.within(
        spec,
        "template",
        template ->
            FieldRules.within(
                FieldRules.orDefault(template, "metadata", JsonObject.EMPTY),
                "spec",
                PodSpecDefaults::of));
  }
}
