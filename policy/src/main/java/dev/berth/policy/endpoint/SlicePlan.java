package dev.berth.policy.endpoint;

import dev.berth.model.network.EndpointSliceView;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What is to be done so that the slices of a service say what is true.
 *
 * <ol>
 *   <li>A slice has pods of one family and of the same ports, a hundred of them at most.
 *   <li>A pod stays in the slice that it is in. A slice is written only if something in it changes.
 *   <li>Pods that are new go into slices that are written anyway, as far as there is room; if some
 *       are left, all into the fullest of the others that has room for them; if none has, into new
 *       slices.
 *   <li>A slice that nobody is left in goes. A service without pods keeps an empty slice of each
 *       family, so that whoever watches sees that it is known.
 *   <li>Where one slice goes and another comes, the first becomes the second.
 * </ol>
 *
 * @param create slices to be made, without a name of their own
 * @param update slices as they are to be
 * @param delete slices as they are
 */
public record SlicePlan(List<JsonObject> create, List<JsonObject> update, List<JsonObject> delete) {
  /** The most pods that a slice holds. */
  public static final int MOST_ENDPOINTS = 100;

  public SlicePlan {
    create = List.copyOf(create);
    update = List.copyOf(update);
    delete = List.copyOf(delete);
  }

  public boolean isEmpty() {
    return create.isEmpty() && update.isEmpty() && delete.isEmpty();
  }

  /**
   * Plans.
   *
   * @param pods those that the service selects
   * @param zones the zone of each node that exists, empty if it is in none, by the node's name
   * @param slices those that the service owns
   * @param trigger when what is being written down happened, if that is known
   */
  public static SlicePlan of(
      EndpointService service,
      Collection<EndpointPod> pods,
      Map<String, String> zones,
      Collection<JsonObject> slices,
      Optional<Instant> trigger) {
    SliceBuilder builder = new SliceBuilder(service.view(), trigger);
    List<String> types = service.addressTypes();
    List<JsonObject> create = new ArrayList<>();
    List<JsonObject> update = new ArrayList<>();
    List<JsonObject> delete = new ArrayList<>();
    for (JsonObject slice : slices) {
      if (!types.contains(new EndpointSliceView(slice).addressType())) {
        delete.add(slice);
      }
    }
    for (String type : types) {
      SlicePacker filling = new SlicePacker(builder, type);
      desired(service, pods, zones, type).forEach(filling::want);
      for (JsonObject slice : slices) {
        if (new EndpointSliceView(slice).addressType().equals(type)) {
          filling.has(slice);
        }
      }
      SlicePlan part = filling.plan();
      create.addAll(part.create());
      update.addAll(part.update());
      delete.addAll(part.delete());
    }
    return new SlicePlan(create, update, delete);
  }

  /** By ports, and by uid: the endpoints that there are to be. */
  private static Map<JsonArray, Map<String, JsonObject>> desired(
      EndpointService service,
      Collection<EndpointPod> pods,
      Map<String, String> zones,
      String addressType) {
    Map<JsonArray, Map<String, JsonObject>> desired = new LinkedHashMap<>();
    for (EndpointPod pod : pods) {
      if (isThere(service, pod, zones)) {
        service
            .endpoint(pod, addressType, zones.getOrDefault(pod.nodeName(), ""))
            .ifPresent(endpoint ->
                desired
                    .computeIfAbsent(
                        EndpointPort.toTree(service.ports(pod)), _ -> new LinkedHashMap<>())
                    .put(pod.uid(), endpoint.toTree()));
      }
    }
    return desired;
  }

  private static boolean isThere(
      EndpointService service, EndpointPod pod, Map<String, String> zones) {
    boolean nowhere = !zones.containsKey(pod.nodeName());
    return !pod.finished() && (!nowhere || service.publishesNotReady());
  }
}
