package dev.berth.sim.snapshot;

import dev.berth.client.Api;
import dev.berth.client.ApiResult;
import dev.berth.client.ListRequest;
import dev.berth.client.ListResult;
import dev.berth.client.Pages;
import dev.berth.client.Resources;
import dev.berth.client.kubeconfig.ConnectionException;
import dev.berth.model.resource.GroupVersionResource;
import dev.berth.model.tree.JsonObject;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Takes snapshots of running clusters, of any Kubernetes API server. It asks for lists, page by
 * page, and for nothing else; what the server refuses is missing in the snapshot, which says so.
 */
public final class SnapshotReader {
  /** So many lists are read at once, of which some wait for the server while others are parsed. */
  private static final int AT_ONCE = 4;

  /** The longest lists, which are begun first. */
  private static final List<GroupVersionResource> LONG =
      List.of(Resources.PODS, Resources.NODES, Resources.LEASES);

  private static final String PODS = "pods";
  private static final String LAST_APPLIED = "kubectl.kubernetes.io/last-applied-configuration";

  private final Api api;
  private volatile ApiResult.@Nullable Unreachable gone;

  private SnapshotReader(Api api) {
    this.api = api;
  }

  /** Takes a snapshot, one list after the other. May block. */
  public static ClusterSnapshot read(Api api, Instant now) {
    return snapshot(new SnapshotReader(api)::list, now);
  }

  /** The same, several lists at a time. The API must be one that several threads may use. */
  public static ClusterSnapshot readAtOnce(Api api, Instant now) throws InterruptedException {
    SnapshotReader reader = new SnapshotReader(api);
    Map<ListRequest, ListResult> lists = new HashMap<>();
    try (ExecutorService threads =
        Executors.newFixedThreadPool(AT_ONCE, Thread.ofVirtual().name("snapshot").factory())) {
      Map<ListRequest, Future<ListResult>> asked = new HashMap<>();
      for (ListRequest request : longestFirst()) {
        asked.put(request, threads.submit(() -> reader.list(request)));
      }
      for (Map.Entry<ListRequest, Future<ListResult>> each : asked.entrySet()) {
        lists.put(each.getKey(), each.getValue().get());
      }
    } catch (ExecutionException e) {
      throw e.getCause() instanceof RuntimeException cause ? cause : new IllegalStateException(e);
    }
    return snapshot(request -> Objects.requireNonNull(lists.get(request)), now);
  }

  private static List<ListRequest> longestFirst() {
    List<ListRequest> requests = new ArrayList<>(SnapshotContents.requests());
    requests.sort(Comparator.comparingInt(request -> LONG.contains(request.resource()) ? 0 : 1));
    return requests;
  }

  private ListResult list(ListRequest request) {
    ApiResult.Unreachable before = gone;
    if (before != null) {
      // Each further list would take as long to fail.
      return before;
    }
    return switch (Pages.all(api, request)) {
      case ListResult.Page page ->
          new ListResult.Page(
              page.items().stream().map(SnapshotReader::slim).toList(),
              page.revision(),
              page.continueToken());
      case ApiResult.Unreachable unreachable -> {
        gone = unreachable;
        yield unreachable;
      }
      case ApiResult.Failure failure -> failure;
    };
  }

  private static ClusterSnapshot snapshot(Function<ListRequest, ListResult> lists, Instant now) {
    Map<String, List<JsonObject>> objects = new HashMap<>();
    List<String> unseen = new ArrayList<>();
    for (ListRequest request : SnapshotContents.requests()) {
      String resource = request.resource().groupResource().toString();
      switch (lists.apply(request)) {
        case ListResult.Page page -> objects.put(resource, page.items());
        case ApiResult.Unreachable unreachable ->
            throw new ConnectionException("The cluster cannot be read: " + unreachable.message());
        case ApiResult.Failure failure -> unseen.add(resource + ": " + failure.message());
      }
    }
    ControlPlaneFlags flags = ControlPlaneFlags.of(objects.getOrDefault(PODS, List.of()));
    if (!flags.unseen().isEmpty()) {
      unseen.add(
          "settings of the control plane: no pod of %s is to be seen; the defaults are assumed"
              .formatted(String.join(" and none of ", flags.unseen())));
    }
    return new ClusterSnapshot(now, objects, flags.settings(), unseen);
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
