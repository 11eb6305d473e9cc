package dev.berth.policy.endpoint;

import dev.berth.model.meta.Metadata;
import dev.berth.model.meta.OwnerReference;
import dev.berth.model.meta.WellKnownAnnotations;
import dev.berth.model.meta.WellKnownLabels;
import dev.berth.model.network.EndpointSliceView;
import dev.berth.model.network.EndpointsView;
import dev.berth.model.network.EndpointsView.Address;
import dev.berth.model.network.ServiceView;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What is to be done so that slices say what somebody wrote into an Endpoints object by hand.
 *
 * <ol>
 *   <li>Only Endpoints of a service without a selector are mirrored, unless a label says that they
 *       are not to be, or they are used to elect a leader.
 *   <li>Addresses that offer the same ports are in one slice for each family, a thousand for each
 *       set of ports at most.
 *   <li>A slice has the labels and annotations of its Endpoints, but for what is about who wrote
 *       them and when.
 *   <li>Where one slice goes and another of its family comes, the first becomes the second.
 * </ol>
 *
 * @param skipped how many addresses were too many
 */
public record MirrorPlan(SlicePlan slices, int skipped) {
  /** Who it is that keeps these slices, as their label says. */
  public static final String MANAGER = "endpointslicemirroring-controller.k8s.io";

  /** The most addresses of a set of ports that are mirrored. */
  public static final int MOST_ADDRESSES = 1000;

  /** What tells the slices of an object apart. */
  private record Key(String addressType, Set<JsonObject> ports) {}

  public static boolean isMirrored(EndpointsView endpoints, @Nullable ServiceView service) {
    Metadata metadata = endpoints.metadata();
    return service != null
        && service.selector().isEmpty()
        && metadata.annotation(WellKnownAnnotations.LEADER_ELECTION).isEmpty()
        && !metadata
            .label(WellKnownLabels.ENDPOINT_SLICE_SKIP_MIRROR)
            .filter("true"::equals)
            .isPresent();
  }

  /** For what is not mirrored, or no longer. */
  public static MirrorPlan nothing(Collection<JsonObject> slices) {
    return new MirrorPlan(new SlicePlan(List.of(), List.of(), List.copyOf(slices)), 0);
  }

  /**
   * Plans.
   *
   * @param slices those that mirror the object, or one of its name that was there before
   */
  public static MirrorPlan of(EndpointsView endpoints, Collection<JsonObject> slices) {
    Map<Key, Set<JsonObject>> desired = new LinkedHashMap<>();
    int skipped = 0;
    for (var subset : repacked(endpoints).entrySet()) {
      int left = MOST_ADDRESSES;
      for (Address address : subset.getKey()) {
        if (left > 0) {
          Key key = new Key(addressType(address), subset.getValue());
          desired.computeIfAbsent(key, _ -> new LinkedHashSet<>()).add(endpoint(address));
          left--;
        } else {
          skipped++;
        }
      }
    }
    return new MirrorPlan(plan(new Form(endpoints), desired, slices), skipped);
  }

  private static SlicePlan plan(
      Form form, Map<Key, Set<JsonObject>> desired, Collection<JsonObject> slices) {
    Map<Key, JsonObject> there = new LinkedHashMap<>();
    List<JsonObject> delete = new ArrayList<>();
    for (JsonObject slice : slices) {
      Key key = key(slice);
      if (!desired.containsKey(key) || there.putIfAbsent(key, slice) != null) {
        delete.add(slice);
      }
    }
    List<JsonObject> create = new ArrayList<>();
    List<JsonObject> update = new ArrayList<>();
    desired.forEach((key, endpoints) -> {
      JsonObject slice = there.get(key);
      if (slice == null) {
        Optional<JsonObject> recycled =
            delete.stream()
                .filter(each -> key(each).addressType().equals(key.addressType()))
                .findFirst();
        recycled.ifPresent(delete::remove);
        (recycled.isPresent() ? update : create)
            .add(form.fill(recycled.orElse(form.blank(key.addressType())), key, endpoints));
      } else if (!form.fits(slice)
          || !Set.copyOf(new EndpointSliceView(slice).endpoints()).equals(endpoints)) {
        update.add(form.fill(slice, key, endpoints));
      }
    });
    return new SlicePlan(create, update, delete);
  }

  private static Key key(JsonObject slice) {
    EndpointSliceView view = new EndpointSliceView(slice);
    return new Key(view.addressType(), Set.copyOf(view.ports().objects()));
  }

  /** Ports that the very same addresses offer, by these addresses. */
  private static Map<Set<Address>, Set<JsonObject>> repacked(EndpointsView endpoints) {
    Map<Optional<JsonObject>, Set<Address>> byPort = new LinkedHashMap<>();
    for (EndpointsView.Subset subset : endpoints.groups()) {
      List<Optional<JsonObject>> ports =
          subset.ports().isEmpty()
              ? List.of(Optional.empty())
              : subset.ports().stream().map(Optional::of).toList();
      ports.forEach(port ->
          byPort.computeIfAbsent(port, _ -> new LinkedHashSet<>()).addAll(subset.addresses()));
    }
    Map<Set<Address>, Set<JsonObject>> byAddresses = new LinkedHashMap<>();
    byPort.forEach((port, addresses) -> {
      Set<JsonObject> ports = byAddresses.computeIfAbsent(addresses, _ -> new LinkedHashSet<>());
      port.ifPresent(ports::add);
    });
    return byAddresses;
  }

  private static String addressType(Address address) {
    return address.ip().contains(":") ? "IPv6" : "IPv4";
  }

  private static JsonObject endpoint(Address address) {
    return new JsonObject.Builder()
        .put("addresses", JsonArray.of(address.ip()))
        .put("conditions", JsonObject.of("ready", address.isReady()))
        .putIfPresent("hostname", address.hostname().isEmpty() ? null : address.hostname())
        .putIfPresent("targetRef", address.target().isEmpty() ? null : address.target())
        .putIfPresent("nodeName", address.nodeName().isEmpty() ? null : address.nodeName())
        .build();
  }

  /** What all slices of an object have. */
  private static final class Form {
    private final Metadata of;
    private final JsonObject labels;
    private final JsonObject annotations;

    Form(EndpointsView endpoints) {
      this.of = endpoints.metadata();
      this.labels =
          of.labels()
              .with(WellKnownLabels.SERVICE_NAME, of.name())
              .with(WellKnownLabels.ENDPOINT_SLICE_MANAGED_BY, MANAGER);
      this.annotations =
          of.annotations()
              .without(WellKnownAnnotations.ENDPOINTS_LAST_CHANGE_TRIGGER_TIME)
              .without(WellKnownAnnotations.LAST_APPLIED_CONFIGURATION);
    }

    boolean fits(JsonObject slice) {
      Metadata metadata = Metadata.of(slice);
      return metadata.labels().equals(labels)
          && metadata.annotations().equals(annotations)
          && metadata.isControlledBy(of.uid());
    }

    JsonObject blank(String addressType) {
      return new JsonObject.Builder()
          .put("kind", "EndpointSlice")
          .put("apiVersion", "discovery.k8s.io/v1")
          .put(
              "metadata",
              JsonObject.of("namespace", of.namespace()).with("generateName", of.name() + "-"))
          .put("addressType", addressType)
          .build();
    }

    JsonObject fill(JsonObject slice, Key key, Set<JsonObject> endpoints) {
      OwnerReference owner = new OwnerReference("v1", "Endpoints", of.name(), of.uid(), true, true);
      return Metadata.update(
              slice,
              metadata ->
                  metadata
                      .with("labels", labels)
                      .with("annotations", annotations)
                      .with("ownerReferences", JsonArray.of(owner.toTree())))
          .with("endpoints", JsonArray.copyOf(List.copyOf(endpoints)))
          .with("ports", JsonArray.copyOf(List.copyOf(key.ports())));
    }
  }
}
