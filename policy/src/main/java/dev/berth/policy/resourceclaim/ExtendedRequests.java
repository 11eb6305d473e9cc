package dev.berth.policy.resourceclaim;

import dev.berth.model.device.CapacityView;
import dev.berth.model.meta.Metadata;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * A pod's requests of extended resources as requests of devices, where a class of devices stands
 * for the resource and the node has none of it otherwise.
 *
 * <ul>
 *   <li>Each container that asks for such a resource gets a request, {@code
 *       container-<index>-request-<index of the resource>}.
 *   <li>An init container that ends before others begin uses what those get, and one request more
 *       for what it needs beyond that; the largest of these serves all init containers.
 * </ul>
 *
 * @param requests of the claim
 * @param mappings which container uses which request for which resource, as the pod's status tells
 */
public record ExtendedRequests(JsonArray requests, JsonArray mappings) {
  /** On a claim that stands for extended resources. */
  public static final String ANNOTATION = "resource.kubernetes.io/extended-resource-claim";

  /** A container, and where it stands among all of them. */
  private record Place(int index, JsonObject container, boolean isShortLived) {}

  /** A request, and how many devices it is for. */
  private record Request(String name, String deviceClass, long count) {
    JsonObject tree() {
      JsonObject exactly =
          new JsonObject.Builder()
              .put("deviceClassName", deviceClass)
              .put("allocationMode", "ExactCount")
              .put("count", count)
              .build();
      return new JsonObject.Builder().put("name", name).put("exactly", exactly).build();
    }
  }

  /** A container uses a request for a resource. */
  private record Mapping(String container, String resource, String request) {
    JsonObject tree() {
      return new JsonObject.Builder()
          .put("containerName", container)
          .put("resourceName", resource)
          .put("requestName", request)
          .build();
    }
  }

  /**
   * The requests of a pod.
   *
   * @param classes the class that stands for each resource
   */
  public static ExtendedRequests of(JsonObject pod, SortedMap<String, String> classes) {
    List<Place> places = places(pod.object("spec"));
    List<Request> requests = new ArrayList<>();
    List<Mapping> mappings = new ArrayList<>();
    classes.forEach((resource, deviceClass) ->
        add(new ForResource(resource, deviceClass, places), requests, mappings));
    requests.sort(Comparator.comparing(Request::name));
    return new ExtendedRequests(
        JsonArray.copyOf(requests.stream().map(Request::tree).toList()),
        JsonArray.copyOf(mappings.stream().map(Mapping::tree).toList()));
  }

  private static List<Place> places(JsonObject spec) {
    List<Place> places = new ArrayList<>();
    for (JsonObject init : spec.array("initContainers").objects()) {
      boolean isSidecar = init.text("restartPolicy", "").equals("Always");
      places.add(new Place(places.size(), init, !isSidecar));
    }
    for (JsonObject container : spec.array("containers").objects()) {
      places.add(new Place(places.size(), container, false));
    }
    return places;
  }

  private static void add(ForResource resource, List<Request> requests, List<Mapping> mappings) {
    List<Request> longLived = new ArrayList<>();
    for (Place place : resource.places()) {
      Request request = place.isShortLived() ? null : resource.request(place, List.of(), mappings);
      longLived.add(request == null ? new Request("", "", 0) : request);
    }
    List<Mapping> ofInit = new ArrayList<>();
    Set<String> names = new HashSet<>();
    Request largest = null;
    for (Place place : resource.places()) {
      if (place.isShortLived()) {
        List<Request> later = longLived.subList(place.index(), longLived.size());
        Request request = resource.request(place, later, ofInit);
        if (request != null) {
          names.add(request.name());
          largest = largest == null || largest.count() < request.count() ? request : largest;
        }
      }
    }
    if (largest != null) {
      requests.add(largest);
    }
    longLived.stream().filter(request -> request.count() > 0).forEach(requests::add);
    for (Mapping mapping : ofInit) {
      mappings.add(
          largest != null && names.contains(mapping.request())
              ? new Mapping(mapping.container(), mapping.resource(), largest.name())
              : mapping);
    }
  }

  /** One of the resources. */
  private record ForResource(String resource, String deviceClass, List<Place> places) {

    /**
     * What a container needs beyond requests that it can use too; null if that is nothing.
     *
     * @param mappings gets what the container uses
     */
    @Nullable Request request(Place place, List<Request> usable, List<Mapping> mappings) {
      JsonObject wanted = place.container().object("resources").object("requests");
      String container = place.container().text("name", "");
      long count = wanted.has(resource) ? CapacityView.quantity(wanted, resource).value() : 0;
      if (count == 0) {
        return null;
      }
      long there = 0;
      for (Request other : usable) {
        if (other.count() > 0) {
          there += other.count();
          mappings.add(new Mapping(container, resource, other.name()));
          if (there >= count) {
            return null;
          }
        }
      }
      int number = new TreeSet<>(wanted.names()).headSet(resource).size();
      String name = "container-" + place.index() + "-request-" + number;
      mappings.add(new Mapping(container, resource, name));
      return new Request(name, deviceClass, count - there);
    }
  }

  /** The claim that stands for a pod's extended resources, as it is created. */
  public JsonObject claim(JsonObject pod) {
    return GeneratedClaim.ownedBy(
        pod,
        Metadata.of(pod).name() + "-extended-resources-",
        JsonObject.EMPTY,
        JsonObject.of(ANNOTATION, "true"),
        JsonObject.of("devices", JsonObject.of("requests", requests)));
  }

  /** What the pod's status says of the claim once it is there. */
  public JsonObject status(String claim) {
    return new JsonObject.Builder()
        .put("requestMappings", mappings)
        .put("resourceClaimName", claim)
        .build();
  }
}
