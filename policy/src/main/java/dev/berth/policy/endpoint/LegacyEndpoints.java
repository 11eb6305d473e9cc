package dev.berth.policy.endpoint;

import dev.berth.model.meta.Metadata;
import dev.berth.model.meta.WellKnownAnnotations;
import dev.berth.model.meta.WellKnownLabels;
import dev.berth.model.network.EndpointsView;
import dev.berth.model.network.ServiceView;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The Endpoints object of a service: what slices say, in the form that was there before them.
 *
 * <ol>
 *   <li>It has the service's name and labels, and addresses of the service's first family only.
 *   <li>Pods with the same ports are in one subset, those that are ready apart from the others;
 *       pods on their way out are in none, unless the service publishes what is not ready.
 *   <li>A thousand pods are named at most, ready ones first, and an annotation says so.
 * </ol>
 */
public final class LegacyEndpoints {
  private static final int MOST_ADDRESSES = 1000;
  private static final String MANAGED_BY = "endpoints.kubernetes.io/managed-by";
  private static final String MANAGER = "endpoint-controller";

  private LegacyEndpoints() {}

  /** The pods of one set of ports. */
  private static final class Subset {
    final List<JsonObject> ready = new ArrayList<>();
    final List<JsonObject> notReady = new ArrayList<>();
  }

  /**
   * The object as it is to be.
   *
   * @param before as it is; empty if there is none
   * @return the very object if nothing has to change
   */
  public static JsonObject of(
      EndpointService service,
      Collection<EndpointPod> pods,
      JsonObject before,
      Optional<Instant> trigger) {
    List<EndpointPod> there =
        pods.stream()
            .filter(pod -> !pod.finished() && !pod.addresses().isEmpty())
            .filter(pod -> !pod.terminating() || service.publishesNotReady())
            .sorted(
                Comparator.comparing((EndpointPod pod) -> !isReady(service, pod))
                    .thenComparing(EndpointPod::name))
            .toList();
    boolean tooMany = there.size() > MOST_ADDRESSES;
    JsonArray subsets = subsets(service, tooMany ? there.subList(0, MOST_ADDRESSES) : there);
    JsonObject labels = labels(service);
    Metadata held = Metadata.of(before);
    boolean saysTooMany = held.annotation(WellKnownAnnotations.ENDPOINTS_OVER_CAPACITY).isPresent();
    if (!before.isEmpty()
        && new EndpointsView(before).subsets().equals(subsets)
        && held.labels().equals(labels)
        && saysTooMany == tooMany) {
      return before;
    }
    JsonObject annotations =
        held.annotations()
            .without(WellKnownAnnotations.ENDPOINTS_OVER_CAPACITY)
            .without(WellKnownAnnotations.ENDPOINTS_LAST_CHANGE_TRIGGER_TIME);
    if (tooMany) {
      annotations = annotations.with(WellKnownAnnotations.ENDPOINTS_OVER_CAPACITY, "truncated");
    }
    if (trigger.isPresent()) {
      annotations =
          annotations.with(
              WellKnownAnnotations.ENDPOINTS_LAST_CHANGE_TRIGGER_TIME, trigger.get().toString());
    }
    ServiceView own = service.view();
    JsonObject metadata =
        held.tree()
            .with("name", own.name())
            .with("namespace", own.namespace())
            .with("labels", labels);
    metadata =
        annotations.isEmpty()
            ? metadata.without("annotations")
            : metadata.with("annotations", annotations);
    JsonObject whole =
        before.with("kind", "Endpoints").with("apiVersion", "v1").with("metadata", metadata);
    return subsets.isEmpty() ? whole.without("subsets") : whole.with("subsets", subsets);
  }

  private static JsonObject labels(EndpointService service) {
    JsonObject labels =
        service.view().labels().without(WellKnownLabels.HEADLESS_SERVICE).with(MANAGED_BY, MANAGER);
    return service.view().isHeadless() ? labels.with(WellKnownLabels.HEADLESS_SERVICE, "") : labels;
  }

  private static boolean isReady(EndpointService service, EndpointPod pod) {
    return service.publishesNotReady() || pod.ready();
  }

  private static JsonArray subsets(EndpointService service, List<EndpointPod> pods) {
    Map<List<EndpointPort>, Subset> byPorts = new LinkedHashMap<>();
    String family = service.addressTypes().getFirst();
    boolean needsPorts = !service.view().ports().isEmpty();
    for (EndpointPod pod : pods) {
      List<EndpointPort> ports = service.ports(pod);
      Optional<Endpoint> endpoint = service.endpoint(pod, family, "");
      if (endpoint.isPresent() && (!needsPorts || !ports.isEmpty())) {
        Subset subset = byPorts.computeIfAbsent(ports, _ -> new Subset());
        (isReady(service, pod) ? subset.ready : subset.notReady).add(endpoint.get().toAddress());
      }
    }
    List<JsonObject> subsets = new ArrayList<>();
    byPorts.forEach((ports, subset) -> {
      JsonObject.Builder tree = new JsonObject.Builder();
      if (!subset.ready.isEmpty()) {
        tree.put("addresses", JsonArray.copyOf(subset.ready));
      }
      if (!subset.notReady.isEmpty()) {
        tree.put("notReadyAddresses", JsonArray.copyOf(subset.notReady));
      }
      if (!ports.isEmpty()) {
        tree.put(
            "ports", JsonArray.copyOf(ports.stream().map(EndpointPort::toLegacyTree).toList()));
      }
      subsets.add(tree.build());
    });
    return JsonArray.copyOf(subsets);
  }
}
