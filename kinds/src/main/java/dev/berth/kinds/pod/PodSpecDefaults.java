package dev.berth.kinds.pod;

import static dev.berth.kinds.resource.FieldRules.each;
import static dev.berth.kinds.resource.FieldRules.ifEmpty;
import static dev.berth.kinds.resource.FieldRules.orDefault;
import static dev.berth.kinds.resource.FieldRules.present;

import dev.berth.kinds.resource.FieldRules;
import dev.berth.model.quantity.Quantity;
import dev.berth.model.tree.JsonObject;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.List;

/** What is filled in where the specification of a pod, or of a template's pods, leaves it out. */
public final class PodSpecDefaults {
  static final long GRACE_PERIOD_SECONDS = 30;

  private PodSpecDefaults() {}

  static JsonObject of(JsonObject spec) {
    JsonObject filled = ifEmpty(spec, "restartPolicy", "Always");
    filled = orDefault(filled, "terminationGracePeriodSeconds", GRACE_PERIOD_SECONDS);
    filled = ifEmpty(filled, "dnsPolicy", "ClusterFirst");
    filled = orDefault(filled, "securityContext", JsonObject.EMPTY);
    filled = ifEmpty(filled, "schedulerName", "default-scheduler");
    filled = serviceAccount(filled);
    for (String list : List.of("initContainers", "containers", "ephemeralContainers")) {
      filled = each(filled, list, PodSpecDefaults::container);
    }
    filled = present(filled, "overhead", PodSpecDefaults::rounded);
    filled = present(filled, "resources", PodSpecDefaults::roundedResources);
    return each(filled, "volumes", VolumeDefaults::of);
  }

  /** The account has an older name, too; who knows only one sees the same. */
  private static JsonObject serviceAccount(JsonObject spec) {
    String name = spec.text("serviceAccountName", "");
    String account = name.isEmpty() ? spec.text("serviceAccount", "") : name;
    return account.isEmpty()
        ? spec
        : spec.with("serviceAccountName", account).with("serviceAccount", account);
  }

  private static JsonObject container(JsonObject container) {
    JsonObject filled = each(container, "ports", port -> ifEmpty(port, "protocol", "TCP"));
    filled = each(filled, "env", PodSpecDefaults::variable);
    filled = orDefault(filled, "resources", JsonObject.EMPTY);
    filled = present(filled, "resources", PodSpecDefaults::roundedResources);
    filled = ifEmpty(filled, "terminationMessagePath", "/dev/termination-log");
    filled = ifEmpty(filled, "terminationMessagePolicy", "File");
    for (String probe : List.of("livenessProbe", "readinessProbe", "startupProbe")) {
      filled = present(filled, probe, PodSpecDefaults::probe);
    }
    filled =
        present(
            filled,
            "lifecycle",
            lifecycle ->
                present(
                    present(lifecycle, "postStart", PodSpecDefaults::handler),
                    "preStop",
                    PodSpecDefaults::handler));
    return filled.text("imagePullPolicy", "").isEmpty()
        ? filled.with("imagePullPolicy", ImageName.pullPolicy(container.text("image", "")))
        : filled;
  }

  private static JsonObject variable(JsonObject variable) {
    return present(
        variable,
        "valueFrom",
        from ->
            present(
                present(from, "fieldRef", PodSpecDefaults::fieldReference),
                "fileKeyRef",
                file -> orDefault(file, "optional", false)));
  }

  static JsonObject fieldReference(JsonObject reference) {
    return ifEmpty(reference, "apiVersion", "v1");
  }

  private static JsonObject probe(JsonObject probe) {
    JsonObject filled = ifEmpty(probe, "timeoutSeconds", 1L);
    filled = ifEmpty(filled, "periodSeconds", 10L);
    filled = ifEmpty(filled, "successThreshold", 1L);
    filled = ifEmpty(filled, "failureThreshold", 3L);
    filled = present(filled, "grpc", grpc -> orDefault(grpc, "service", ""));
    return handler(filled);
  }

  private static JsonObject handler(JsonObject handler) {
    return present(handler, "httpGet", get -> ifEmpty(ifEmpty(get, "path", "/"), "scheme", "HTTP"));
  }

  private static JsonObject roundedResources(JsonObject resources) {
    return present(
        present(resources, "limits", PodSpecDefaults::rounded),
        "requests",
        PodSpecDefaults::rounded);
  }

  /** Less than a thousandth is none that anybody can count: it becomes one. */
  static JsonObject rounded(JsonObject amounts) {
    JsonObject rounded = amounts;
    for (int i = 0; i < amounts.size(); i++) {
      Quantity amount = Quantity.fromTree(amounts.value(i));
      if (amount.amount().stripTrailingZeros().scale() > 3) {
        BigDecimal up = amount.amount().setScale(3, RoundingMode.UP);
        rounded = rounded.with(amounts.name(i), Quantity.parse(up.toPlainString()).toString());
      }
    }
    return rounded;
  }

  /** The specification of a workload with the defaults of its template. */
  public static JsonObject withTemplate(JsonObject spec) {
    return FieldRules.within(spec, "template", PodSpecDefaults::template);
  }

  static JsonObject template(JsonObject template) {
    return FieldRules.within(
        orDefault(template, "metadata", JsonObject.EMPTY), "spec", PodSpecDefaults::of);
  }
}
