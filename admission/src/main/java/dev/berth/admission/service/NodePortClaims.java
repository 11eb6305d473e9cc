package dev.berth.admission.service;

import dev.berth.kinds.resource.Resource;
import dev.berth.model.meta.Metadata;
import dev.berth.model.meta.Times;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonObject;
import dev.berth.registry.DeletionOptions;
import dev.berth.registry.Registry;
import dev.berth.registry.WriteOptions;
import dev.berth.registry.status.StatusException;
import java.time.Duration;

/**
 * Node ports that are being given away, where several servers share a store: a Lease for each, from
 * right before its service is written until it was. Who holds it, and then sees no service with the
 * port, is the only one who may give it away. A server that died left its leases behind; they count
 * for a minute.
 */
final class NodePortClaims {
  private static final String NAMESPACE = "kube-system";
  private static final Duration LIFE = Duration.ofMinutes(1);

  private final Registry registry;

  NodePortClaims(Registry registry) {
    this.registry = registry;
  }

  private Resource leases() {
    return registry.catalog().get("coordination.k8s.io", "v1", "leases");
  }

  private static ObjectName name(long port) {
    return new ObjectName(NAMESPACE, "node-port-" + port);
  }

  /** Takes a port; false if somebody else has it at present. */
  boolean claim(long port) {
    if (create(port)) {
      return true;
    }
    registry.awaitRecent("");
    JsonObject held =
        registry.find(leases(), name(port)).map(stored -> stored.tree()).orElse(JsonObject.EMPTY);
    if (!held.isEmpty()
        && Metadata.of(held)
            .creationTimestamp()
            .filter(since -> since.plus(LIFE).isBefore(registry.now()))
            .isPresent()) {
      delete(
          port,
          new DeletionOptions(
              null, Metadata.of(held).uid(), "", null, false, DeletionOptions.DEFAULT.user()));
      return create(port);
    }
    return false;
  }

  private boolean create(long port) {
    JsonObject lease =
        JsonObject.of("metadata", JsonObject.of("name", name(port).name()))
            .with(
                "spec",
                new JsonObject.Builder()
                    .put("leaseDurationSeconds", LIFE.toSeconds())
                    .put("renewTime", Times.formatMicro(registry.now()))
                    .build());
    try {
      registry.create(leases(), NAMESPACE, lease, WriteOptions.DEFAULT);
      return true;
    } catch (StatusException e) {
      if (e.status().reason().equals("AlreadyExists")) {
        return false;
      }
      throw e;
    }
  }

  void release(long port) {
    delete(port, DeletionOptions.DEFAULT);
  }

  private void delete(long port, DeletionOptions options) {
    try {
      registry.delete(leases(), name(port), options);
    } catch (StatusException e) {
      if (!e.status().reason().equals("NotFound") && !e.status().reason().equals("Conflict")) {
        throw e;
      }
    }
  }
}
