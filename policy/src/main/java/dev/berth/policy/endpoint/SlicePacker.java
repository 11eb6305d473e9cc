package dev.berth.policy.endpoint;

import static dev.berth.policy.endpoint.SlicePlan.MOST_ENDPOINTS;

import dev.berth.model.network.EndpointSliceView;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Puts the pods of one address family into slices; {@link SlicePlan} has the rules. */
final class SlicePacker {
  private final SliceBuilder builder;
  private final String addressType;

  /** By ports, and by uid: those that are not in a slice yet. */
  private final Map<JsonArray, Map<String, JsonObject>> wanted = new LinkedHashMap<>();

  /** By ports. */
  private final Map<JsonArray, List<Slice>> kept = new LinkedHashMap<>();

  private final List<JsonObject> left = new ArrayList<>();

  /** A slice that there is, and who stays in it. */
  private static final class Slice {
    final JsonObject tree;
    final List<JsonObject> endpoints = new ArrayList<>();
    boolean changed;

    Slice(JsonObject tree) {
      this.tree = tree;
    }

    int room() {
      return MOST_ENDPOINTS - endpoints.size();
    }
  }

  SlicePacker(SliceBuilder builder, String addressType) {
    this.builder = builder;
    this.addressType = addressType;
  }

  void want(JsonArray ports, Map<String, JsonObject> endpoints) {
    wanted.put(ports, endpoints);
  }

  /** Takes a slice that there is; whoever is in it stays, unless it is in another one already. */
  void has(JsonObject tree) {
    EndpointSliceView view = new EndpointSliceView(tree);
    JsonArray ports = view.ports();
    Map<String, JsonObject> desired = wanted.get(ports);
    if (desired == null) {
      left.add(tree);
      return;
    }
    Slice slice = new Slice(tree);
    slice.changed = !builder.fits(tree);
    for (JsonObject endpoint : view.endpoints()) {
      JsonObject now = slice.room() > 0 ? desired.remove(EndpointSliceView.podOf(endpoint)) : null;
      if (now == null) {
        slice.changed = true;
      } else {
        slice.changed |= !now.equals(endpoint);
        slice.endpoints.add(now);
      }
    }
    kept.computeIfAbsent(ports, _ -> new ArrayList<>()).add(slice);
  }

  SlicePlan plan() {
    List<JsonObject> create = new ArrayList<>();
    wanted.forEach((ports, endpoints) -> place(ports, endpoints, create));
    List<JsonObject> update = new ArrayList<>();
    boolean hasSome = !create.isEmpty();
    for (Map.Entry<JsonArray, List<Slice>> entry : kept.entrySet()) {
      for (Slice slice : entry.getValue()) {
        if (slice.endpoints.isEmpty()) {
          left.add(slice.tree);
        } else {
          hasSome = true;
          if (slice.changed) {
            update.add(builder.fill(slice.tree, entry.getKey(), slice.endpoints));
          }
        }
      }
    }
    if (!hasSome) {
      keepOneEmpty(create, update);
    }
    return reuse(create, update);
  }

  private void place(JsonArray ports, Map<String, JsonObject> endpoints, List<JsonObject> create) {
    Iterator<JsonObject> rest = endpoints.values().iterator();
    int remaining = endpoints.size();
    List<Slice> slices = kept.getOrDefault(ports, List.of());
    for (Slice slice : slices) {
      while (slice.changed && !slice.endpoints.isEmpty() && slice.room() > 0 && remaining > 0) {
        slice.endpoints.add(rest.next());
        remaining--;
      }
    }
    while (remaining > 0) {
      Optional<Slice> home = fullestWithRoomFor(remaining, slices);
      List<JsonObject> filled = home.isPresent() ? home.get().endpoints : new ArrayList<>();
      while (filled.size() < MOST_ENDPOINTS && remaining > 0) {
        filled.add(rest.next());
        remaining--;
      }
      if (home.isPresent()) {
        home.get().changed = true;
      } else {
        create.add(builder.create(addressType, ports, filled));
      }
    }
  }

  private static Optional<Slice> fullestWithRoomFor(int pods, List<Slice> slices) {
    return slices.stream()
        .filter(slice -> slice.room() >= pods)
        .min(Comparator.comparingInt(Slice::room));
  }

  /** A service without pods has a slice that says so. */
  private void keepOneEmpty(List<JsonObject> create, List<JsonObject> update) {
    for (JsonObject slice : left) {
      EndpointSliceView view = new EndpointSliceView(slice);
      if (view.endpoints().isEmpty() && view.ports().isEmpty() && builder.fits(slice)) {
        left.remove(slice);
        return;
      }
    }
    if (left.isEmpty()) {
      create.add(builder.create(addressType, JsonArray.EMPTY, List.of()));
    } else {
      update.add(builder.fill(left.removeFirst(), JsonArray.EMPTY, List.of()));
    }
  }

  private SlicePlan reuse(List<JsonObject> create, List<JsonObject> update) {
    while (!create.isEmpty() && !left.isEmpty()) {
      EndpointSliceView fresh = new EndpointSliceView(create.removeFirst());
      update.add(builder.fill(left.removeFirst(), fresh.ports(), fresh.endpoints()));
    }
    return new SlicePlan(create, update, left);
  }
}
