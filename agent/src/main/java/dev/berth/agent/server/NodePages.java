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

  private static final List<String> OF_PROBES = List.of("prober_");
  private static final List<String> OF_NODE =
      List.of(
          "kubelet_", "resource_manager_", "process_", "jvm_", "berth_build_", "berth_component_");

  private final NodeParts parts;
  private final UsageSampler usage;

  NodePages(NodeParts parts) {
    this.parts = parts;
    this.usage = new UsageSampler(parts);
  }

  /** The document at a path, if there is one. */
  Optional<Response> page(String path, NodeQuery query, List<String> accept) {
    return Optional.ofNullable(
        switch (path) {
          case "/pods", "/pods/" -> json(podList(parts.pods().pods()));
          case "/runningpods", "/runningpods/" -> json(podList(runningPods()));
          case "/healthz", "/healthz/", "/healthz/ping", "/healthz/log", "/healthz/syncloop" ->
              health();
          case "/configz" ->
              json(JsonObject.of("kubeletconfig", parts.documents().configuration()));
          case "/metrics" -> metrics(accept, OF_NODE);
          case "/metrics/probes" -> metrics(accept, OF_PROBES);
          case "/metrics/resource" -> plain(new ResourceMetrics(usage.now(false)).text());
          case "/metrics/cadvisor" -> containers(accept);
          case "/stats/summary", "/stats/summary/" ->
              json(summary(query.text("only_cpu_and_memory").equals("true")));
          default -> null;
        });
  }

  private Response containers(List<String> accept) {
    MetricsText.Format format = MetricsText.Format.of(accept);
    String text =
        ContainerMetrics.text(
            usage.now(false),
            parts.runtime().groups(),
            parts.node().node().orElse(JsonObject.EMPTY),
            format);
    return Response.of(OK, format.contentType(), text.getBytes(UTF_8));
  }

  private JsonObject summary(boolean isBrief) {
    UsageSampler.Sample sample = usage.now(!isBrief);
    String node = parts.node().name();
    return isBrief
        ? StatsSummary.brief(node, sample)
        : StatsSummary.of(node, sample, parts.documents());
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

  /**
   * Those of probes have a page of their own, since there are so many of them. Where the agent is
   * part of a server, what the server counts is shown by that alone: who may see a node's metrics
   * need not be allowed to see the server's.
   */
  private Response metrics(List<String> accept, List<String> prefixes) {
    MetricsText.Format format = MetricsText.Format.of(accept);
    String text =
        parts
            .metrics()
            .text(format)
            .lines()
            .filter(line -> isOf(prefixes, line) || line.equals("# EOF"))
            .collect(Collectors.joining("\n", "", "\n"));
    return Response.of(OK, format.contentType(), text.getBytes(UTF_8));
  }

  /** Whether a line, or the metric that it describes, has such a name. */
  private static boolean isOf(List<String> prefixes, String line) {
    String named = line.startsWith("# ") ? line.substring(line.indexOf(' ', 2) + 1) : line;
    return prefixes.stream().anyMatch(named::startsWith);
  }
}
