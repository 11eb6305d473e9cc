package dev.berth.admission;

import dev.berth.kinds.resource.Resource;
import dev.berth.model.meta.Metadata;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonObject;
import dev.berth.registry.Registry;
import dev.berth.registry.admission.AdmissionPlugin;
import dev.berth.registry.admission.AdmissionRequest;
import dev.berth.registry.status.Failures;
import dev.berth.registry.status.Status;
import dev.berth.registry.status.StatusException;
import java.util.List;
import java.util.Set;

/**
 * What namespaces mean for what is in them: nothing is created in one that is not there or that is
 * going away, and those that everything relies on do not go away.
 */
public final class NamespaceLifecycle implements AdmissionPlugin {
  private static final Set<String> IMMORTAL = Set.of("default", "kube-system", "kube-public");

  private final ClusterReader cluster;

  public NamespaceLifecycle(Registry registry) {
    this.cluster = new ClusterReader(registry);
  }

  /** Asked before anything else, so that nobody is told of details in a namespace that is not. */
  @Override
  public JsonObject mutate(AdmissionRequest request) {
    if (request.creates() && request.resource().isNamespaced()) {
      checkCreate(request.resource(), request.name());
    }
    return request.object();
  }

  @Override
  public void validate(AdmissionRequest request) {
    String name = request.name().name();
    if (request.deletes() && request.writesCore("namespaces") && IMMORTAL.contains(name)) {
      throw ClusterReader.forbidden(request, "this namespace may not be deleted");
    }
  }

  private void checkCreate(Resource resource, ObjectName name) {
    JsonObject namespace =
        cluster
            .namespace(name.namespace())
            .orElseThrow(() ->
                Failures.notFound(cluster.core("namespaces").groupResource(), name.namespace()));
    if (Metadata.of(namespace).isBeingDeleted()) {
      throw terminating(resource, name);
    }
  }

  private static StatusException terminating(Resource resource, ObjectName name) {
    String namespace = name.namespace();
    Status plain =
        Failures.forbidden(
                resource.groupResource(),
                name.name(),
                "unable to create new content in namespace "
                    + namespace
                    + " because it is being terminated")
            .status();
    Status.Cause cause =
        new Status.Cause(
            "NamespaceTerminating",
            "namespace " + namespace + " is being terminated",
            "metadata.namespace");
    return new StatusException(
        new Status(
            plain.code(),
            plain.reason(),
            plain.message(),
            new Status.Details(
                name.name(), resource.kind().group(), resource.plural(), "", List.of(cause), 0)));
  }
}
