package dev.berth.policy.endpoint;

import dev.berth.model.meta.Metadata;
import dev.berth.model.meta.OwnerReference;
import dev.berth.model.meta.WellKnownAnnotations;
import dev.berth.model.meta.WellKnownLabels;
import dev.berth.model.network.ServiceView;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Builds the slices of a service: labels, owner and the time of the change are the same in all. */
final class SliceBuilder {
  private static final Set<String> OWN_LABELS =
      Set.of(
          WellKnownLabels.SERVICE_NAME,
          WellKnownLabels.ENDPOINT_SLICE_MANAGED_BY,
          WellKnownLabels.HEADLESS_SERVICE);

  private final ServiceView service;
  private final JsonObject labels;
  private final JsonArray owners;
  private final Optional<Instant> trigger;

  SliceBuilder(ServiceView service, Optional<Instant> trigger) {
    this.service = service;
    this.labels = labels(service);
    this.trigger = trigger;
    OwnerReference owner =
        new OwnerReference("v1", "Service", service.name(), service.uid(), true, true);
    this.owners = JsonArray.of(owner.toTree());
  }

  /** The service's labels, but for those that are the slices' own. */
  private static JsonObject labels(ServiceView service) {
    JsonObject.Builder all = new JsonObject.Builder();
    service
        .labels()
        .forEach((key, value) -> {
          if (!OWN_LABELS.contains(key)) {
            all.put(key, value);
          }
        });
    all.put(WellKnownLabels.SERVICE_NAME, service.name())
        .put(WellKnownLabels.ENDPOINT_SLICE_MANAGED_BY, EndpointService.MANAGER);
    return (service.isHeadless() ? all.put(WellKnownLabels.HEADLESS_SERVICE, "") : all).build();
  }

  /** Whether a slice has the labels and the owner that it should. */
  boolean fits(JsonObject slice) {
    Metadata metadata = Metadata.of(slice);
    return metadata.labels().equals(labels) && metadata.isControlledBy(service.uid());
  }

  JsonObject create(String addressType, JsonArray ports, List<JsonObject> endpoints) {
    JsonObject metadata =
        new JsonObject.Builder()
            .put("namespace", service.namespace())
            .put("generateName", service.name() + "-")
            .build();
    JsonObject slice =
        new JsonObject.Builder()
            .put("kind", "EndpointSlice")
            .put("apiVersion", "discovery.k8s.io/v1")
            .put("metadata", metadata)
            .put("addressType", addressType)
            .build();
    return fill(slice, ports, endpoints);
  }

  /** A slice with these ports and endpoints, and with what all slices of the service have. */
  JsonObject fill(JsonObject slice, JsonArray ports, List<JsonObject> endpoints) {
    JsonObject formed =
        Metadata.update(
            slice,
            metadata -> {
              JsonObject changed = metadata.with("labels", labels).with("ownerReferences", owners);
              JsonObject annotations =
                  new Metadata(metadata)
                      .annotations()
                      .without(WellKnownAnnotations.ENDPOINTS_LAST_CHANGE_TRIGGER_TIME);
              if (trigger.isPresent()) {
                annotations =
                    annotations.with(
                        WellKnownAnnotations.ENDPOINTS_LAST_CHANGE_TRIGGER_TIME,
                        trigger.get().toString());
              }
              return annotations.isEmpty()
                  ? changed.without("annotations")
                  : changed.with("annotations", annotations);
            });
    return formed.with("endpoints", JsonArray.copyOf(endpoints)).with("ports", ports);
  }
}
