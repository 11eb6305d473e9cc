package dev.berth.sim.podautoscaler;

import dev.berth.client.Api;
import dev.berth.client.ApiError;
import dev.berth.client.ApiRequest;
import dev.berth.client.ApiResult;
import dev.berth.client.ApiWatch;
import dev.berth.client.ListRequest;
import dev.berth.client.ListResult;
import dev.berth.client.Resources;
import dev.berth.client.WatchRequest;
import dev.berth.model.core.PodPhase;
import dev.berth.model.core.PodTree;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import dev.berth.time.Time;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;

/**
 * A server beside which somebody serves metrics: a load that all running pods share, and values of
 * objects and queues. It is there as soon as it is told something.
 */
final class FakeMetrics {
  private static final JsonObject CUSTOM =
      JsonObject.of("name", "custom.metrics.k8s.io")
          .with("preferredVersion", JsonObject.of("groupVersion", "custom.metrics.k8s.io/v1beta2"));

  /** By name of the app: how many thousandths of a core all its pods use together. */
  private final Map<String, Long> loads = new ConcurrentHashMap<>();

  /** Quantities by the path of a metric, as in {@code services/web/requests}. */
  private final Map<String, String> values = new ConcurrentHashMap<>();

  /** Names of pods of which nothing is known. */
  private final List<String> missing = new CopyOnWriteArrayList<>();

  private final List<String> asked = new CopyOnWriteArrayList<>();

  void load(String app, long millis) {
    loads.put(app, millis);
  }

  void value(String path, String quantity) {
    values.put(path, quantity);
  }

  void miss(String pod) {
    missing.add(pod);
  }

  void missNothing() {
    missing.clear();
  }

  /** What was asked for, in order. */
  List<String> asked() {
    return asked;
  }

  Api beside(Api real, Supplier<Time> time) {
    return new Served(real, time);
  }

  private final class Served implements Api {
    private final Api real;
    private final Supplier<Time> time;

    Served(Api real, Supplier<Time> time) {
      this.real = real;
      this.time = time;
    }

    @Override
    public ApiResult send(ApiRequest request) {
      return switch (request) {
        case ApiRequest.Discover(String path) when path.equals("/apis/custom.metrics.k8s.io") ->
            values.isEmpty() ? notFound() : new ApiResult.Done(CUSTOM);
        case ApiRequest.Get(var target, var parameters)
            when target.resource().group().equals("custom.metrics.k8s.io") -> {
          asked.add(target + " " + new TreeMap<>(parameters));
          yield target.name().name().equals("*")
              ? new ApiResult.Done(
                  ofPods(
                      target.name().namespace(),
                      parameters.get("labelSelector"),
                      target.subresource()))
              : ofObject(
                  target.resource().resource()
                      + "/"
                      + target.name().name()
                      + "/"
                      + target.subresource());
        }
        default -> real.send(request);
      };
    }

    private JsonObject ofPods(String namespace, String selector, String metric) {
      List<JsonObject> items = new ArrayList<>();
      for (PodTree pod : running(namespace, selector)) {
        String value = values.getOrDefault("pods/" + pod.name().name() + "/" + metric, "0");
        items.add(
            JsonObject.of("describedObject", JsonObject.of("name", pod.name().name()))
                .with("timestamp", time.get().now().toString())
                .with("value", value));
      }
      return JsonObject.of("items", JsonArray.copyOf(items));
    }

    private ApiResult ofObject(String path) {
      String value = values.get(path);
      return value == null
          ? notFound()
          : new ApiResult.Done(JsonObject.of("items", JsonArray.of(JsonObject.of("value", value))));
    }

    @Override
    public ListResult list(ListRequest request) {
      return switch (request.resource().group()) {
        case "metrics.k8s.io" -> usage(request);
        case "external.metrics.k8s.io" -> {
          asked.add(request.resource().resource() + " " + request.labels());
          String value = values.get(request.resource().resource());
          yield value == null
              ? notFound()
              : new ListResult.Page(List.of(JsonObject.of("value", value)), "", "");
        }
        default -> real.list(request);
      };
    }

    private ListResult usage(ListRequest request) {
      if (loads.isEmpty()) {
        return notFound();
      }
      List<PodTree> pods = running(request.namespace(), request.labels());
      List<JsonObject> items = new ArrayList<>();
      for (PodTree pod : pods) {
        String app = pod.metadata().labels().text("app", "");
        long each = loads.getOrDefault(app, 0L) / pods.size();
        if (!missing.contains(pod.name().name())) {
          JsonObject used = JsonObject.of("cpu", each + "m").with("memory", "1Mi");
          items.add(
              JsonObject.of("metadata", JsonObject.of("name", pod.name().name()))
                  .with("timestamp", time.get().now().toString())
                  .with("window", "10s")
                  .with(
                      "containers", JsonArray.of(JsonObject.of("name", "c").with("usage", used))));
        }
      }
      return new ListResult.Page(items, "", "");
    }

    private List<PodTree> running(String namespace, String labels) {
      return real.list(ListRequest.of(Resources.PODS).in(namespace).labels(labels))
              instanceof ListResult.Page page
          ? page.items().stream()
              .map(PodTree::new)
              .filter(pod -> pod.phase() == PodPhase.RUNNING)
              .toList()
          : List.of();
    }

    private ApiResult.Refused notFound() {
      return new ApiResult.Refused(ApiError.of(404, "404 page not found"));
    }

    @Override
    public ApiWatch watch(WatchRequest request, Runnable onReady) {
      return real.watch(request, onReady);
    }
  }
}
