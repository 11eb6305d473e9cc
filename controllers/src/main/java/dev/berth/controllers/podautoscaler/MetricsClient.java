package dev.berth.controllers.podautoscaler;

import dev.berth.client.Api;
import dev.berth.client.ApiError;
import dev.berth.client.ApiRequest;
import dev.berth.client.ApiResult;
import dev.berth.client.ListRequest;
import dev.berth.client.ListResult;
import dev.berth.client.Target;
import dev.berth.model.autoscaling.AutoscalerView.ObjectReference;
import dev.berth.model.autoscaling.MetricSpec;
import dev.berth.model.resource.GroupKind;
import dev.berth.model.resource.GroupVersion;
import dev.berth.model.resource.GroupVersionResource;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.selector.LabelSelector;
import dev.berth.model.selector.SelectorException;
import dev.berth.model.tree.JsonException;
import dev.berth.model.tree.JsonObject;
import dev.berth.policy.autoscale.MetricAnswer;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Reads metrics from the APIs that serve them, which are groups like others: {@code metrics.k8s.io}
 * for what pods use of resources, {@code custom.metrics.k8s.io} for other metrics of objects, and
 * {@code external.metrics.k8s.io} for those of nothing in the cluster.
 *
 * <p>Its methods block, and are for calls beside the loop.
 */
final class MetricsClient {
  private static final String CUSTOM = "custom.metrics.k8s.io";
  private static final List<String> CUSTOM_VERSIONS =
      List.of(CUSTOM + "/v1beta2", CUSTOM + "/v1beta1");
  private static final GroupVersion EXTERNAL =
      new GroupVersion("external.metrics.k8s.io", "v1beta1");
  private static final GroupVersionResource POD_METRICS =
      new GroupVersionResource("metrics.k8s.io", "v1beta1", "pods");
  private static final String NO_SUCH_RESOURCE = "the server could not find the requested resource";
  private static final int UNAVAILABLE = 503;

  private final Api api;
  private final KindResolver kinds;

  MetricsClient(Api api, KindResolver kinds) {
    this.api = api;
    this.kinds = kinds;
  }

  /** Metrics that were listed, or why they could not be. */
  private sealed interface Listed {
    record Items(List<JsonObject> items) implements Listed {}

    record Failed(String why) implements Listed {}
  }

  /**
   * @param pods selects those of the target
   */
  MetricAnswer read(String namespace, MetricSpec metric, LabelSelector pods) {
    try {
      return switch (metric.source()) {
        case RESOURCE, CONTAINER_RESOURCE -> resource(namespace, metric, pods);
        case PODS -> pods(namespace, metric, pods);
        case OBJECT -> object(namespace, metric);
        case EXTERNAL -> external(namespace, metric);
        case null -> new MetricAnswer.Failed("");
      };
    } catch (SelectorException e) {
      return new MetricAnswer.Failed(String.valueOf(e.getMessage()));
    }
  }

  private MetricAnswer resource(String namespace, MetricSpec metric, LabelSelector pods) {
    ListRequest request = ListRequest.of(POD_METRICS).in(namespace).labels(pods.toString());
    return answer(
        list(request),
        "resource",
        items ->
            new MetricAnswer.OfPods(MetricReader.usage(items, metric.name(), metric.container())));
  }

  private MetricAnswer pods(String namespace, MetricSpec metric, LabelSelector pods) {
    Map<String, String> parameters =
        Map.of("labelSelector", pods.toString(), "metricLabelSelector", text(metric.selector()));
    return answer(
        custom("pods", new ObjectName(namespace, "*"), metric.name(), parameters),
        "custom",
        items -> new MetricAnswer.OfPods(MetricReader.ofPods(items)));
  }

  private MetricAnswer object(String namespace, MetricSpec metric) {
    ObjectReference object = metric.object();
    Map<String, String> parameters = Map.of("metricLabelSelector", text(metric.selector()));
    Listed listed;
    if (object.kind().equals("Namespace") && group(object).isEmpty()) {
      // Whatever it names: an autoscaler sees no namespace but its own.
      listed = custom("metrics", new ObjectName(namespace, metric.name()), "", parameters);
    } else {
      GroupKind kind = new GroupKind(group(object), object.kind());
      listed =
          switch (kinds.resolve(kind)) {
            case KindResolver.Resolved.Found(GroupVersionResource resource) ->
                custom(
                    resource.groupResource().toString(),
                    new ObjectName(namespace, object.name()),
                    metric.name(),
                    parameters);
            case KindResolver.Resolved.Failed(String why) ->
                new Listed.Failed("unable to map kind %s to resource: %s".formatted(kind, why));
          };
    }
    if (listed instanceof Listed.Items(List<JsonObject> items) && items.size() != 1) {
      listed =
          new Listed.Failed(
              "the custom metrics API server returned %d results when we asked for exactly one"
                  .formatted(items.size()));
    }
    return answer(listed, "custom", items -> new MetricAnswer.Values(MetricReader.values(items)));
  }

  private static String group(ObjectReference object) {
    try {
      return object.apiVersion().isEmpty() ? "" : GroupVersion.parse(object.apiVersion()).group();
    } catch (IllegalArgumentException e) {
      return "";
    }
  }

  private MetricAnswer external(String namespace, MetricSpec metric) {
    ListRequest request =
        ListRequest.of(EXTERNAL.resource(metric.name()))
            .in(namespace)
            .labels(text(metric.selector()));
    return answer(
        list(request), "external", items -> new MetricAnswer.Values(MetricReader.values(items)));
  }

  private static String text(@Nullable JsonObject selector) {
    return selector == null ? "" : LabelSelector.fromTree(selector).toString();
  }

  private static MetricAnswer answer(
      Listed listed, String which, Function<List<JsonObject>, MetricAnswer> read) {
    String failed = "unable to fetch metrics from " + which + " metrics API: ";
    return switch (listed) {
      case Listed.Failed(String why) -> new MetricAnswer.Failed(failed + why);
      case Listed.Items(List<JsonObject> items) when items.isEmpty() ->
          new MetricAnswer.Failed("no metrics returned from " + which + " metrics API");
      case Listed.Items(List<JsonObject> items) -> {
        try {
          yield read.apply(items);
        } catch (JsonException | ClassCastException e) {
          yield new MetricAnswer.Failed(failed + e.getMessage());
        }
      }
    };
  }

  private Listed list(ListRequest request) {
    return switch (api.list(request)) {
      case ListResult.Page page -> new Listed.Items(page.items());
      case ApiResult.Failure failure ->
          new Listed.Failed(message(failure, request.resource().groupResource().toString()));
    };
  }

  /** The custom metrics of an object, or of all that are selected. */
  private Listed custom(
      String resource, ObjectName name, String metric, Map<String, String> parameters) {
    return switch (api.send(new ApiRequest.Discover("/apis/" + CUSTOM))) {
      case ApiResult.Failure failure when failure.isNotFound() ->
          new Listed.Failed("no custom metrics API (" + CUSTOM + ") registered");
      case ApiResult.Failure failure -> new Listed.Failed(failure.message());
      case ApiResult.Done(JsonObject group) -> {
        Optional<String> version =
            KindResolver.versions(group).stream().filter(CUSTOM_VERSIONS::contains).findFirst();
        yield version.isEmpty()
            ? new Listed.Failed("no known available metric versions found")
            : get(
                new ApiRequest.Get(
                    Target.of(GroupVersion.parse(version.get()).resource(resource), name)
                        .subresource(metric),
                    parameters));
      }
    };
  }

  private Listed get(ApiRequest.Get request) {
    return switch (api.send(request)) {
      case ApiResult.Done(JsonObject list) -> items(list);
      case ApiResult.Failure failure ->
          new Listed.Failed(
              message(failure, request.target().resource().groupResource().toString()));
    };
  }

  private static Listed items(JsonObject list) {
    try {
      return new Listed.Items(list.array("items").objects());
    } catch (JsonException e) {
      return new Listed.Failed(String.valueOf(e.getMessage()));
    }
  }

  /** What went wrong; what a server says without saying what it means is put as upstream does. */
  private static String message(ApiResult.Failure failure, String resource) {
    if (failure instanceof ApiResult.Refused(ApiError error)) {
      boolean isBare = error.reason().isEmpty();
      if (error.isNotFound() && (isBare || error.message().equals(NO_SUCH_RESOURCE))) {
        return "%s (get %s)".formatted(NO_SUCH_RESOURCE, resource);
      }
      if (error.code() == UNAVAILABLE && isBare) {
        return "the server is currently unable to handle the request (get %s)".formatted(resource);
      }
    }
    return failure.message();
  }
}
