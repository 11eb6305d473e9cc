package dev.berth.cli.foresight;

import dev.berth.cli.arguments.Arguments;
import dev.berth.cli.running.ChosenCluster;
import dev.berth.cli.running.Running;
import dev.berth.client.ApiResult;
import dev.berth.client.ApiWatch;
import dev.berth.client.ListRequest;
import dev.berth.client.ListResult;
import dev.berth.client.Resources;
import dev.berth.client.http.HttpApi;
import dev.berth.client.kubeconfig.ConnectionException;
import dev.berth.model.resource.GroupVersionResource;
import dev.berth.time.WallTime;
import java.util.concurrent.Semaphore;

/**
 * Tells when a pod or a node of a running cluster changes. It is opened before the cluster is read,
 * so that nothing that changes meanwhile is missed.
 */
final class ClusterChanges implements AutoCloseable {
  private static final int MOST_EVENTS = 1_000;

  private final Semaphore ready = new Semaphore(0);
  private final WallTime time;
  private final HttpApi api;
  private final ApiWatch pods;
  private final ApiWatch nodes;

  ClusterChanges(Arguments arguments) {
    time = Running.time();
    api = new HttpApi(ChosenCluster.connection(arguments), time, ClusterSource.COMPONENT);
    pods = watch(Resources.PODS);
    nodes = watch(Resources.NODES);
  }

  private ApiWatch watch(GroupVersionResource resource) {
    ListRequest list = ListRequest.of(resource).limit(1).metadata();
    switch (api.list(list)) {
      case ListResult.Page page -> {
        return api.watch(list.watchAfter(page.revision()), ready::release);
      }
      case ApiResult.Failure failure -> {
        api.close();
        time.close();
        throw new ConnectionException("The cluster cannot be watched: " + failure.message());
      }
    }
  }

  /** Blocks until something has changed since it was opened. */
  void await() throws InterruptedException {
    do {
      ready.acquire();
    } while (isQuiet(pods) && isQuiet(nodes));
  }

  private static boolean isQuiet(ApiWatch watch) {
    return watch.poll(MOST_EVENTS) instanceof ApiWatch.Poll.Events(var events, var _)
        && events.isEmpty();
  }

  @Override
  public void close() {
    pods.close();
    nodes.close();
    api.close();
    time.close();
  }
}
