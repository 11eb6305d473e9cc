package dev.berth.model.device;

import dev.berth.model.core.Views;
import dev.berth.model.meta.Metadata;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A claim on devices.
 *
 * @param tree as it is written
 * @param constraints as they are written
 * @param config what drivers are told, as it is written
 * @param allocation as it is written; null if it has none
 * @param reservedFor who may use it
 */
public record ResourceClaimView(
    ObjectName name,
    String uid,
    JsonObject tree,
    List<DeviceRequestView> requests,
    List<JsonObject> constraints,
    List<JsonObject> config,
    @Nullable JsonObject allocation,
    List<Consumer> reservedFor) {

  /** Keeps an allocated claim from being removed. */
  public static final String FINALIZER = "resource.kubernetes.io/delete-protection";

  /** On a claim that was made from a template: which of its pod's claims it is. */
  public static final String POD_CLAIM_ANNOTATION = "resource.kubernetes.io/pod-claim-name";

  /** Of results: how many devices a claim may have. */
  public static final int MOST_DEVICES = 32;

  public static ResourceClaimView read(JsonObject claim) {
    JsonObject devices = claim.object("spec").object("devices");
    JsonObject status = claim.object("status");
    return new ResourceClaimView(
        ObjectName.of(claim),
        Metadata.of(claim).uid(),
        claim,
        Views.list(devices.array("requests"), DeviceRequestView::read),
        devices.array("constraints").objects(),
        devices.array("config").objects(),
        status.has("allocation") ? status.object("allocation") : null,
        Views.list(status.array("reservedFor"), Consumer::read));
  }

  /** The devices that it has, as results are written. */
  public List<JsonObject> results() {
    return allocation == null ? List.of() : allocation.object("devices").array("results").objects();
  }

  /** The requests, or subrequests, that an allocation has devices for. */
  public static Set<String> requestsOf(JsonObject allocation) {
    Set<String> requests = new HashSet<>();
    for (JsonObject result : allocation.object("devices").array("results").objects()) {
      requests.add(result.text("request", ""));
    }
    return requests;
  }

  public Metadata metadata() {
    return Metadata.of(tree);
  }

  public boolean isReservedFor(String consumerUid) {
    return reservedFor.stream().anyMatch(consumer -> consumer.uid().equals(consumerUid));
  }

  /** Why it is not the claim that was made for a pod; empty if it is. */
  public String notMadeFor(ObjectName pod, String podUid) {
    return metadata().isControlledBy(podUid)
        ? ""
        : "ResourceClaim %s was not created for Pod %s (Pod is not owner)".formatted(name, pod);
  }

  /** Somebody who may use a claim. */
  public record Consumer(String apiGroup, String resource, String name, String uid) {

    static Consumer read(JsonObject tree) {
      return new Consumer(
          tree.text("apiGroup", ""),
          tree.text("resource", ""),
          tree.text("name", ""),
          tree.text("uid", ""));
    }

    public static Consumer pod(String name, String uid) {
      return new Consumer("", "pods", name, uid);
    }

    public boolean isPod() {
      return apiGroup.isEmpty() && resource.equals("pods");
    }

    public JsonObject toTree() {
      return new JsonObject.Builder()
          .putIfPresent("apiGroup", apiGroup.isEmpty() ? null : apiGroup)
          .put("resource", resource)
          .put("name", name)
          .put("uid", uid)
          .build();
    }
  }

  /** The claim, reserved for somebody as well. */
  public static JsonObject reserve(JsonObject claim, Consumer consumer) {
    return claim.update(
        "status",
        status ->
            status.with("reservedFor", status.array("reservedFor").append(consumer.toTree())));
  }

  /** The claim without an allocation, and reserved for these alone. */
  public static JsonObject deallocated(JsonObject claim) {
    return claim.update("status", status -> status.without("allocation"));
  }

  /** The claim, reserved for these alone. */
  public static JsonObject reservedFor(JsonObject claim, List<Consumer> consumers) {
    List<JsonObject> trees = consumers.stream().map(Consumer::toTree).toList();
    return claim.update(
        "status",
        status ->
            trees.isEmpty()
                ? status.without("reservedFor")
                : status.with("reservedFor", JsonArray.copyOf(trees)));
  }
}
