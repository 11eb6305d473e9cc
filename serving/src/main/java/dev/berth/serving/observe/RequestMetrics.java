package dev.berth.serving.observe;

import dev.berth.access.Action;
import dev.berth.kinds.resource.Catalog;
import dev.berth.metrics.Counter;
import dev.berth.metrics.Family;
import dev.berth.metrics.Gauge;
import dev.berth.metrics.Histogram;
import dev.berth.metrics.Metrics;
import dev.berth.model.resource.GroupVersionResource;
import dev.berth.serving.request.RequestKinds;
import dev.berth.time.Time;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Supplier;

/**
 * Counts requests, under the names that dashboards for Kubernetes know. Resources and paths that
 * are not served have no label of their own, since clients can make up any number of them.
 */
public final class RequestMetrics implements RequestObserver {
  private static final List<Double> BUCKETS =
      List.of(
          0.005, 0.025, 0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 1.0, 1.25, 1.5, 2.0, 3.0, 4.0, 5.0, 6.0, 8.0,
          10.0, 15.0, 20.0, 30.0, 45.0, 60.0);
  private static final Set<String> PATHS =
      Set.of(
          "/api",
          "/apis",
          "/healthz",
          "/livez",
          "/metrics",
          "/openapi/v2",
          "/openapi/v3",
          "/readyz",
          "/version");
  private static final Set<String> METHODS =
      Set.of("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE");

  private final Time time;
  private final Supplier<Catalog> catalog;
  private final Family<Counter> total;
  private final Family<Histogram> duration;
  private final Family<Gauge> longRunning;
  private final Gauge reading;
  private final Gauge writing;

  public RequestMetrics(Metrics metrics, Supplier<Catalog> catalog, Time time) {
    this.time = time;
    this.catalog = catalog;
    total =
        metrics.counters(
            "apiserver_request_total",
            "Requests that were answered.",
            "verb",
            "group",
            "version",
            "resource",
            "subresource",
            "scope",
            "component",
            "code");
    duration =
        metrics.histograms(
            "apiserver_request_duration_seconds",
            "How long answers took, long ones such as watches left out.",
            BUCKETS,
            "verb",
            "group",
            "version",
            "resource",
            "subresource",
            "scope",
            "component");
    longRunning =
        metrics.gauges(
            "apiserver_longrunning_requests",
            "Watches, commands and other connections that are open.",
            "verb",
            "group",
            "version",
            "resource",
            "subresource",
            "scope",
            "component");
    Family<Gauge> inflight =
        metrics.gauges(
            "apiserver_current_inflight_requests",
            "Requests that are being answered, long ones such as watches left out.",
            "request_kind");
    reading = inflight.with("readOnly");
    writing = inflight.with("mutating");
  }

  /** What a request is counted under. */
  private record Labels(
      String verb, String group, String version, String resource, String part, String scope) {
    private static final String COMPONENT = "apiserver";

    String[] values() {
      return new String[] {verb, group, version, resource, part, scope, COMPONENT};
    }

    String[] with(int code) {
      return new String[] {
        verb, group, version, resource, part, scope, COMPONENT, Integer.toString(code)
      };
    }
  }

  @Override
  public void understood(Observed request) {
    if (request.isLongRunning()) {
      longRunning.with(labels(request).values()).increment();
    } else {
      inflight(request).increment();
    }
  }

  @Override
  public void ended(Observed request) {
    Labels labels = labels(request);
    total.with(labels.with(request.status())).increment();
    if (request.isLongRunning()) {
      longRunning.with(labels.values()).decrement();
      return;
    }
    duration.with(labels.values()).observe(time.since(request.receivedMonotonic()));
    if (request.action().isPresent()) {
      inflight(request).decrement();
    }
  }

  private Gauge inflight(Observed request) {
    return request.method().equals("GET") || request.method().equals("HEAD") ? reading : writing;
  }

  private Labels labels(Observed request) {
    String method = METHODS.contains(request.method()) ? request.method() : "other";
    return switch (request.action().orElse(null)) {
      case Action.OnResource on -> {
        boolean served =
            catalog
                .get()
                .find(
                    new GroupVersionResource(
                        on.resource().group(), request.version(), on.resource().resource()))
                .filter(found ->
                    on.subresource().isEmpty() || found.subresource(on.subresource()).isPresent())
                .isPresent();
        String verb = RequestKinds.isLongRunning(on) ? "CONNECT" : verb(on.verb(), request);
        yield served
            ? new Labels(
                verb,
                on.resource().group(),
                request.version(),
                on.resource().resource(),
                on.subresource(),
                scope(on))
            : new Labels(verb, "", "", "", "", "");
      }
      case Action.OnPath on ->
          new Labels(method, "", "", "", PATHS.contains(on.path()) ? on.path() : "", "");
      case null -> new Labels(method, "", "", "", "", "");
    };
  }

  private static String verb(String verb, Observed request) {
    return switch (verb) {
      case "" -> request.method();
      case "create" -> "POST";
      case "update" -> "PUT";
      case "patch" ->
          request.header("Content-Type").orElse("").startsWith("application/apply-patch")
              ? "APPLY"
              : "PATCH";
      default -> verb.toUpperCase(Locale.ROOT);
    };
  }

  private static String scope(Action.OnResource on) {
    if (!on.name().isEmpty() || on.verb().equals("create")) {
      return "resource";
    }
    return on.namespace().isEmpty() ? "cluster" : "namespace";
  }
}
