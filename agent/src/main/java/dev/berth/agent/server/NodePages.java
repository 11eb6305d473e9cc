package dev.berth.agent.server;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.berth.agent.runtime.ContainerStatus;
import dev.berth.agent.runtime.PodSandbox;
import dev.berth.agent.runtime.RuntimeFailure;
import dev.berth.http.Response;
import dev.berth.metrics.MetricsText;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import dev.berth.model.tree.JsonWriter;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** The documents that a node shows: each is made when it is asked for. */
final class NodePages {
  private static final int OK = 200;
  private static final int INTERNAL_ERROR = 500;
  private static final String PROBE_METRICS = "prober_";

  private final NodeParts parts;
  private final UsageSampler usage;

  NodePages(NodeParts parts) {
    this.parts = parts;
    this.usage = new UsageSampler(parts);
  }

  /** The document at a path, if there is one. */
  Optional<Response> page(String path, List<String> accept) {
    return Optional.ofNullable(
        switch (path) {
          case "/pods", "/pods/" -> json(podList(parts.pods().pods()));
          case "/runningpods", "/runningpods/" -> json(podList(runningPods()));
          case "/healthz", "/healthz/" -> health();
          case "/configz" ->
              json(JsonObject.of("kubeletconfig", parts.documents().configuration()));
          case "/metrics" -> metrics(accept, false);
          case "/metrics/probes" -> metrics(accept, true);
          case "/metrics/resource" -> plain(new ResourceMetrics(usage.now()).text());
          case "/metrics/cadvisor" -> plain(new ResourceMetrics(usage.now()).detailedText());
          case "/stats/summary", "/stats/summary/" ->
              json(StatsSummary.of(parts.node().name(), usage.now(), parts.documents()));
          default -> null;
        });
  }

  private static Response json(JsonObject tree) {
    return Response.of(OK, "application/json", JsonWriter.toBytes(tree));
  }

  private static Response plain(String text) {
    return Response.of(OK, MetricsText.Format.PROMETHEUS.contentType(), text.getBytes(UTF_8));
  }

  private static JsonObject podList(List<JsonObject> pods) {
    return JsonObject.of("kind", "PodList")
        .with("apiVersion", "v1")
        .with("metadata", JsonObject.EMPTY)
        .with("items", JsonArray.copyOf(pods));
  }

  /** The pods as the runtime knows them, whoever wanted them. */
  private List<JsonObject> runningPods() {
    List<PodSandbox> sandboxes;
    try {
      sandboxes = parts.runtime().list();
    } catch (RuntimeFailure e) {
      throw new IllegalStateException("the runtime cannot say what it runs: " + e.getMessage(), e);
    }
    return sandboxes.stream()
        .filter(sandbox -> sandbox.containers().stream().anyMatch(ContainerStatus::isRunning))
        .map(NodePages::runningPod)
        .toList();
  }

  private static JsonObject runningPod(PodSandbox sandbox) {
    List<JsonObject> containers =
        sandbox.containers().stream()
            .filter(ContainerStatus::isRunning)
            .map(each ->
                JsonObject.of("name", each.name())
                    .with("image", each.image())
                    .with("resources", JsonObject.EMPTY))
            .toList();
    return JsonObject.of(
            "metadata",
            JsonObject.of("name", sandbox.pod().name())
                .with("namespace", sandbox.pod().namespace())
                .with("uid", sandbox.pod().uid()))
        .with("spec", JsonObject.of("containers", JsonArray.copyOf(containers)))
        .with("status", JsonObject.EMPTY);
  }

  private Response health() {
    return parts
        .documents()
        .unhealthy()
        .map(why -> NodeRoutes.text(INTERNAL_ERROR, why + "\n"))
        .orElseGet(() -> NodeRoutes.text(OK, "ok"));
  }

  /** Those of probes have a page of their own, since there are so many of them. */
  private Response metrics(List<String> accept, boolean ofProbes) {
    MetricsText.Format format = MetricsText.Format.of(accept);
    String text =
        parts
            .metrics()
            .text(format)
            .lines()
            .filter(line -> isOfProbes(line) == ofProbes || line.equals("# EOF"))
            .collect(Collectors.joining("\n", "", "\n"));
    return Response.of(OK, format.contentType(), text.getBytes(UTF_8));
  }

  private static boolean isOfProbes(String line) {
    return line.startsWith(PROBE_METRICS)
        || line.startsWith("# HELP " + PROBE_METRICS)
        || line.startsWith("# TYPE " + PROBE_METRICS);
  }
}
