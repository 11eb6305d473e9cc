package dev.berth.policy.pressure;

import dev.berth.model.core.ResourceList;
import dev.berth.model.quantity.Quantity;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Why a pod was evicted because of pressure, in upstream's words: what the node was low on, how
 * low, and which containers used more of it than they requested.
 *
 * @param text ends with a space, as all of upstream's do
 * @param annotations of the event
 */
public record EvictionMessage(String text, SortedMap<String, String> annotations) {

  public EvictionMessage {
    annotations = new TreeMap<>(annotations);
  }

  /**
   * The message for a pod.
   *
   * @param thresholds those that have consequences, in the order in which something is done about
   *     them
   */
  public static EvictionMessage of(
      PodConsumption pod,
      String resource,
      List<Threshold> thresholds,
      Map<Signal, Observation> observations) {
    StringBuilder text =
        new StringBuilder("The node was low on resource: %s. ".formatted(resource));
    met(resource, thresholds, observations).ifPresent(text::append);
    SortedMap<String, String> annotations = new TreeMap<>();
    if (pod.usage().isEmpty()) {
      return new EvictionMessage(text.toString(), annotations);
    }
    PodConsumption.Usage usage = pod.usage().get();
    if (resource.equals(ResourceList.MEMORY) && pod.podRequests().has(resource)) {
      String used = PodConsumption.bytes(usage.memoryBytes()).toString();
      text.append(
          "Pod %s was using %s, request is %s, has larger consumption of %s. "
              .formatted(pod.name(), used, pod.podRequests().get(resource), resource));
      annotations.put("offending_pod", pod.name());
      annotations.put("offending_pod_usage", used);
    }
    List<String> offenders = new ArrayList<>();
    List<String> amounts = new ArrayList<>();
    for (PodConsumption.OfContainer used : usage.containers()) {
      Optional<Quantity> amount = amount(used, resource);
      Optional<PodConsumption.Container> container =
          pod.containers().stream().filter(each -> each.name().equals(used.name())).findFirst();
      if (amount.isEmpty() || container.isEmpty()) {
        continue;
      }
      Quantity request = container.get().requests().get(resource);
      if (amount.get().compareTo(request) > 0) {
        text.append(
            "Container %s was using %s, request is %s, has larger consumption of %s. "
                .formatted(used.name(), amount.get(), request, resource));
        offenders.add(used.name());
        amounts.add(amount.get().toString());
      }
    }
    annotations.put("offending_containers", String.join(",", offenders));
    annotations.put("offending_containers_usage", String.join(",", amounts));
    annotations.put("starved_resource", resource);
    return new EvictionMessage(text.toString(), annotations);
  }

  private static Optional<String> met(
      String resource, List<Threshold> thresholds, Map<Signal, Observation> observations) {
    for (Threshold each : thresholds) {
      Observation seen = observations.get(each.signal());
      if (seen != null && each.signal().resource().equals(resource)) {
        return Optional.of(
            "Threshold quantity: %s, available: %s. "
                .formatted(each.value().of(seen.capacity()), seen.available()));
      }
    }
    return Optional.empty();
  }

  private static Optional<Quantity> amount(PodConsumption.OfContainer used, String resource) {
    return switch (resource) {
      case ResourceList.MEMORY -> Optional.of(PodConsumption.bytes(used.memoryBytes()));
      case ResourceList.EPHEMERAL_STORAGE ->
          Optional.of(PodConsumption.bytes(used.rootBytes() + used.logBytes()));
      default -> Optional.empty();
    };
  }
}
