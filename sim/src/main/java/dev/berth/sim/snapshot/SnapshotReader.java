package dev.berth.sim.snapshot;

import dev.berth.client.Api;
import dev.berth.client.ApiResult;
import dev.berth.client.ListRequest;
import dev.berth.client.ListResult;
import dev.berth.client.Pages;
import dev.berth.client.kubeconfig.ConnectionException;
import dev.berth.model.tree.JsonObject;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Takes snapshots of running clusters, of any Kubernetes API server. It asks for lists, page by
 * page, and for nothing else; what the server refuses is missing in the snapshot, which says so.
 */
public final class SnapshotReader {
  private static final String PODS = "pods";
  private static final String LAST_APPLIED = "kubectl.kubernetes.io/last-applied-configuration";

  private SnapshotReader() {}

  /** Takes a snapshot. May block. */
  public static ClusterSnapshot read(Api api, Instant now) {
    Map<String, List<JsonObject>> objects = new HashMap<>();
    List<String> unseen = new ArrayList<>();
    for (ListRequest request : SnapshotContents.requests()) {
      String resource = request.resource().groupResource().toString();
      switch (Pages.all(api, request)) {
        case ListResult.Page page ->
            objects.put(resource, page.items().stream().map(SnapshotReader::slim).toList());
        case ApiResult.Unreachable gone ->
            // Each further list would take as long to fail.
            throw new ConnectionException("The cluster cannot be read: " + gone.message());
        case ApiResult.Failure failure -> unseen.add(resource + ": " + failure.message());
      }
    }
    Optional<JsonObject> controllers =
        objects.getOrDefault(PODS, List.of()).stream()
            .filter(ControllerFlags::isControllers)
            .findFirst();
    if (controllers.isEmpty()) {
      unseen.add(
          "settings of the controllers: no pod of kube-controller-manager is to be seen;"
              + " the defaults are assumed");
    }
    return new ClusterSnapshot(
        now, objects, controllers.map(ControllerFlags::of).orElse(new TreeMap<>()), unseen);
  }

  /** Without what says who wrote which field, and the copy of the object that kubectl keeps. */
  @SuppressWarnings("ReferenceEquality") // Whether anything was taken out.
  private static JsonObject slim(JsonObject object) {
    JsonObject metadata = object.object("metadata");
    JsonObject slim = metadata.without("managedFields");
    JsonObject annotations = slim.object("annotations");
    if (annotations.has(LAST_APPLIED)) {
      slim = slim.with("annotations", annotations.without(LAST_APPLIED));
    }
    return object.with("metadata", slim);
  }
}
