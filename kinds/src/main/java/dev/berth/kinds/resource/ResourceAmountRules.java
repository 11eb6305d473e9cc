package dev.berth.kinds.resource;

import dev.berth.model.quantity.Quantity;
import dev.berth.model.resource.NameRules;
import dev.berth.model.tree.FieldPath;
import dev.berth.policy.pod.ResourceNames;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** What is wrong with the name of a resource, and with an amount of it. */
public final class ResourceAmountRules {
  private static final Set<String> COUNTED =
      Set.of(
          "pods",
          "resourcequotas",
          "services",
          "replicationcontrollers",
          "secrets",
          "configmaps",
          "persistentvolumeclaims",
          "services.nodeports",
          "services.loadbalancers");

  /** What quotas know; other names have a domain. */
  private static final Set<String> OF_QUOTAS = ofQuotas();

  private ResourceAmountRules() {}

  private static Set<String> ofQuotas() {
    Set<String> names = new HashSet<>(COUNTED);
    for (String name : List.of("cpu", "memory", "ephemeral-storage")) {
      names.addAll(List.of(name, "requests." + name, "limits." + name));
    }
    names.add("requests.storage");
    return Set.copyOf(names);
  }

  /** Whether quotas know a resource that has no domain. */
  public static boolean isStandardForQuotas(String name) {
    return OF_QUOTAS.contains(name)
        || ResourceNames.isHugePages(name)
        || name.startsWith("requests." + ResourceNames.HUGE_PAGES);
  }

  /** Any resource: one that Kubernetes knows, or one with a domain. */
  public static boolean name(String name, FieldPath at, FieldErrorList problems) {
    List<String> wrong = NameRules.qualifiedName(name);
    problems.invalid(at, name, wrong);
    boolean known = name.indexOf('/') >= 0 || name.equals("storage") || isStandardForQuotas(name);
    if (wrong.isEmpty() && !known) {
      problems.invalid(at, name, "must be a standard resource type or fully qualified");
    }
    return wrong.isEmpty() && known;
  }

  /** One that a container may ask for. */
  public static void containerName(String name, FieldPath at, FieldErrorList problems) {
    name(name, at, problems);
    if (name.indexOf('/') < 0) {
      if (!ResourceNames.isStandardForContainers(name)) {
        problems.invalid(at, name, "must be a standard resource for containers");
      }
    } else if (!ResourceNames.isNative(name) && !ResourceNames.isExtended(name)) {
      problems.invalid(at, name, "doesn't follow extended resource name standard");
    }
  }

  /** One that a quota may count. */
  public static void quotaName(String name, FieldPath at, FieldErrorList problems) {
    name(name, at, problems);
    if (name.indexOf('/') < 0 && !isStandardForQuotas(name)) {
      problems.invalid(at, name, "must be a standard resource for quota");
    }
  }

  public static void amount(String name, Quantity amount, FieldPath at, FieldErrorList problems) {
    if (amount.signum() < 0) {
      problems.invalid(at, amount.toString(), FieldErrorList.NOT_NEGATIVE);
    }
    boolean whole = COUNTED.contains(name) || ResourceNames.isExtended(name);
    if (whole && amount.amount().stripTrailingZeros().scale() > 0) {
      problems.invalid(at, amount.toString(), "must be an integer");
    }
  }
}
