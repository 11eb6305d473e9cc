package dev.berth.policy.quota;

import dev.berth.model.core.PodSpecView;
import dev.berth.model.core.ResourceList;
import dev.berth.model.namespace.ResourceQuotaView;
import dev.berth.model.quantity.Quantity;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Whether an object fits into a quota. Resources that the quota does not limit do not matter. Where
 * it limits CPU or memory, every container must say how much it wants; otherwise those that say
 * nothing would not be limited at all.
 */
public final class QuotaCheck {
  private static final Set<String> MUST_BE_SPECIFIED =
      Set.of("cpu", "memory", "requests.cpu", "requests.memory", "limits.cpu", "limits.memory");

  private QuotaCheck() {}

  /** The part of an amount that a quota limits. */
  public static ResourceList limited(ResourceQuotaView quota, ResourceList amount) {
    SortedMap<String, Quantity> limited = new TreeMap<>(amount.amounts());
    limited.keySet().retainAll(quota.hard().amounts().keySet());
    return new ResourceList(limited);
  }

  /** Which amounts a pod's containers leave out though a quota limits them. */
  public static Optional<String> unspecified(ResourceQuotaView quota, PodSpecView pod) {
    TreeSet<String> required = new TreeSet<>(quota.hard().amounts().keySet());
    required.retainAll(MUST_BE_SPECIFIED);
    SortedMap<String, TreeSet<String>> missing = new TreeMap<>();
    Stream.concat(pod.containers().stream(), pod.initContainers().stream())
        .forEach(container -> {
          Set<String> specified =
              QuotaUsage.compute(
                      ResourceList.read(container.requests()),
                      ResourceList.read(container.limits()))
                  .keySet();
          required.stream()
              .filter(name -> !specified.contains(name))
              .forEach(name ->
                  missing.computeIfAbsent(name, _ -> new TreeSet<>()).add(container.name()));
        });
    return missing.isEmpty()
        ? Optional.empty()
        : Optional.of(
            "must specify "
                + missing.entrySet().stream()
                    .map(e -> e.getKey() + " for: " + String.join(",", e.getValue()))
                    .collect(Collectors.joining("; ")));
  }

  /** Why an amount does not fit, given what is used already; empty if it does. */
  public static Optional<String> exceeded(
      String name, ResourceList requested, ResourceList used, ResourceList hard) {
    TreeSet<String> over = new TreeSet<>();
    requested
        .amounts()
        .forEach((resource, amount) -> {
          boolean more = amount.signum() > 0;
          if (more && used.get(resource).plus(amount).compareTo(hard.get(resource)) > 0) {
            over.add(resource);
          }
        });
    return over.isEmpty()
        ? Optional.empty()
        : Optional.of(
            "exceeded quota: %s, requested: %s, used: %s, limited: %s"
                .formatted(name, show(requested, over), show(used, over), show(hard, over)));
  }

  private static String show(ResourceList amounts, Set<String> names) {
    return names.stream()
        .map(name -> name + "=" + amounts.get(name))
        .collect(Collectors.joining(","));
  }
}
