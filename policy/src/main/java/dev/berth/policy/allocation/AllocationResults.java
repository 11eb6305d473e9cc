package dev.berth.policy.allocation;

import dev.berth.model.core.NodeView;
import dev.berth.model.device.DeviceView;
import dev.berth.model.device.NodePlace;
import dev.berth.model.quantity.Quantity;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import dev.berth.policy.allocation.ClaimSearch.Chosen;
import dev.berth.policy.allocation.ClaimSearch.RequestSearch;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The {@code status.allocation} of claims for which devices were chosen: the devices, what their
 * drivers are told by classes and claims, and on which nodes they can be used.
 */
record AllocationResults(NodeView node, Supplier<String> shareIds) {

  List<JsonObject> of(List<ClaimSearch> claims) {
    return claims.stream().map(this::of).toList();
  }

  private JsonObject of(ClaimSearch claim) {
    JsonObject.Builder devices = new JsonObject.Builder();
    if (!claim.chosen().isEmpty()) {
      devices.put("results", JsonArray.copyOf(claim.chosen().stream().map(this::result).toList()));
    }
    List<JsonObject> config = config(claim);
    if (!config.isEmpty()) {
      devices.put("config", JsonArray.copyOf(config));
    }
    JsonObject.Builder allocation = new JsonObject.Builder().put("devices", devices.build());
    JsonObject selector = nodeSelector(claim.chosen());
    return allocation.putIfPresent("nodeSelector", selector.isEmpty() ? null : selector).build();
  }

  private JsonObject result(Chosen chosen) {
    DeviceView device = chosen.place().device().device();
    JsonArray tolerations = chosen.alternative().wanted().tolerations();
    return new JsonObject.Builder()
        .put("request", chosen.alternative().reference())
        .put("driver", chosen.place().device().id().driver())
        .put("pool", chosen.place().device().id().pool())
        .put("device", device.name())
        .putIfPresent("adminAccess", chosen.alternative().wanted().adminAccess() ? true : null)
        .putIfPresent("tolerations", tolerations.isEmpty() ? null : tolerations)
        .putIfPresent("bindingConditions", texts(device.bindingConditions()))
        .putIfPresent("bindingFailureConditions", texts(device.bindingFailureConditions()))
        .putIfPresent("shareID", device.shared() ? shareIds.get() : null)
        .putIfPresent(
            "consumedCapacity", chosen.consumed().isEmpty() ? null : amounts(chosen.consumed()))
        .build();
  }

  private static @Nullable JsonArray texts(List<String> texts) {
    return texts.isEmpty() ? null : JsonArray.copyOf(texts);
  }

  private static JsonObject amounts(Map<String, Quantity> amounts) {
    JsonObject.Builder tree = new JsonObject.Builder();
    amounts.forEach((name, amount) -> tree.put(name, amount.toString()));
    return tree.build();
  }

  /** Each class says what it has to say once, for all requests of it; then the claim does. */
  private static List<JsonObject> config(ClaimSearch claim) {
    Map<String, List<String>> requestsByClass = new LinkedHashMap<>();
    Map<String, List<JsonObject>> configByClass = new LinkedHashMap<>();
    for (RequestSearch request : claim.requests()) {
      String name = request.taken().deviceClass().name();
      requestsByClass
          .computeIfAbsent(name, _ -> new ArrayList<>())
          .add(request.taken().reference());
      configByClass.put(name, request.taken().deviceClass().config().objects());
    }
    List<JsonObject> all = new ArrayList<>();
    configByClass.forEach((name, configs) -> {
      JsonArray requests = JsonArray.copyOf(requestsByClass.getOrDefault(name, List.of()));
      configs.forEach(config -> all.add(configuration("FromClass", requests, config)));
    });
    for (JsonObject config : claim.claim().config()) {
      JsonArray requests = config.array("requests");
      boolean applies =
          requests.isEmpty() || claim.requests().stream().anyMatch(r -> applies(requests, r));
      if (applies) {
        all.add(configuration("FromClaim", requests, config));
      }
    }
    return all;
  }

  private static boolean applies(JsonArray requests, RequestSearch request) {
    List<String> names = requests.texts();
    return names.contains(request.request().name()) || names.contains(request.taken().reference());
  }

  private static JsonObject configuration(String source, JsonArray requests, JsonObject config) {
    JsonObject.Builder tree = new JsonObject.Builder().put("source", source);
    tree.putIfPresent("requests", requests.isEmpty() ? null : requests);
    config
        .names()
        .forEach(name -> {
          if (!name.equals("requests")) {
            tree.putIfPresent(name, config.get(name));
          }
        });
    return tree.build();
  }

  /** Where all of the devices can be used; empty if that is everywhere. */
  private JsonObject nodeSelector(List<Chosen> chosen) {
    List<JsonObject> fields = new ArrayList<>();
    List<JsonObject> expressions = new ArrayList<>();
    for (Chosen each : chosen) {
      DeviceView device = each.place().device().device();
      NodePlace place = each.place().device().slice().placeOf(device);
      if (!place.nodeName().isEmpty() || device.bindsToNode()) {
        return onlyHere();
      }
      if (place.nodeSelector() != null) {
        for (JsonObject term : place.nodeSelector().array("nodeSelectorTerms").objects()) {
          addNew(term.array("matchFields"), fields);
          addNew(term.array("matchExpressions"), expressions);
        }
      }
    }
    if (fields.isEmpty() && expressions.isEmpty()) {
      return JsonObject.EMPTY;
    }
    JsonObject term =
        new JsonObject.Builder()
            .putIfPresent(
                "matchExpressions", expressions.isEmpty() ? null : JsonArray.copyOf(expressions))
            .putIfPresent("matchFields", fields.isEmpty() ? null : JsonArray.copyOf(fields))
            .build();
    return JsonObject.of("nodeSelectorTerms", JsonArray.of(term));
  }

  private JsonObject onlyHere() {
    JsonObject requirement =
        new JsonObject.Builder()
            .put("key", "metadata.name")
            .put("operator", "In")
            .put("values", JsonArray.of(node.name()))
            .build();
    JsonObject term = JsonObject.of("matchFields", JsonArray.of(requirement));
    return JsonObject.of("nodeSelectorTerms", JsonArray.of(term));
  }

  private static void addNew(JsonArray from, List<JsonObject> to) {
    for (JsonObject requirement : from.objects()) {
      if (!to.contains(requirement)) {
        to.add(requirement);
      }
    }
  }
}
