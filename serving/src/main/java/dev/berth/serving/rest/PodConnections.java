package dev.berth.serving.rest;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.berth.access.AccessControl;
import dev.berth.http.Response;
import dev.berth.http.Upgrades;
import dev.berth.http.outgoing.Destination;
import dev.berth.kinds.resource.Resource;
import dev.berth.model.resource.FieldError;
import dev.berth.model.resource.GroupKind;
import dev.berth.model.resource.GroupVersionResource;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonObject;
import dev.berth.registry.Registry;
import dev.berth.registry.status.Failures;
import dev.berth.serving.connect.Forwarder;
import dev.berth.serving.connect.NodeConnector;
import dev.berth.serving.request.Query;
import java.net.URLEncoder;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.StringJoiner;
import java.util.stream.Stream;

/**
 * Logs of pods, commands in them and connections to their ports, which the kubelet of their node
 * answers. What a client says is checked here and translated into the kubelet's words; an upgrade
 * is passed on as it is, for the kubelet speaks all protocols that clients do.
 */
final class PodConnections {
  private static final int NO_CONTENT = 204;

  /** Ours and the kubelet's names of the streams of a command. */
  private static final Map<String, String> STREAMS =
      Map.of("stdin", "input", "stdout", "output", "stderr", "error", "tty", "tty");

  private final Registry registry;
  private final AccessControl access;
  private final NodeConnector connector;
  private final Resource nodes;

  PodConnections(Registry registry, AccessControl access, NodeConnector connector) {
    this.registry = registry;
    this.access = access;
    this.connector = connector;
    this.nodes = registry.catalog().find(new GroupVersionResource("", "v1", "nodes")).orElseThrow();
  }

  void log(Call call) {
    Query query = call.query();
    checkLogOptions(call);
    JsonObject pod = pod(call);
    String container = container(pod, query.text("container"));
    String nodeName = pod.object("spec").text("nodeName", "");
    if (nodeName.isEmpty()) {
      call.exchange().respond(new Response(NO_CONTENT, call.headers("text/plain"), List.of()));
      return;
    }
    boolean verifies = !query.flag("insecureSkipTLSVerifyBackend");
    StringJoiner asked = new StringJoiner("&");
    for (String flag : List.of("follow", "previous", "timestamps")) {
      if (query.flag(flag)) {
        asked.add(flag + "=true");
      }
    }
    for (String name : List.of("sinceSeconds", "sinceTime", "tailLines", "limitBytes", "stream")) {
      if (query.has(name)) {
        asked.add(name + "=" + encoded(query.text(name)));
      }
    }
    Forwarder.text(
        call.exchange(),
        kubelet(nodeName, verifies),
        target("containerLogs", call.name(), container, asked),
        query.flag("follow"));
  }

  private static void checkLogOptions(Call call) {
    Query query = call.query();
    List<FieldError> errors = new ArrayList<>();
    OptionalLong tail = query.integer("tailLines");
    if (tail.isPresent() && tail.getAsLong() < 0) {
      errors.add(
          FieldError.invalid("tailLines", tail.getAsLong(), "must be greater than or equal to 0"));
    }
    checkPositive(query, "limitBytes", errors);
    if (query.has("sinceSeconds") && query.has("sinceTime")) {
      errors.add(
          FieldError.forbidden(
              "", "at most one of `sinceTime` or `sinceSeconds` may be specified"));
    } else {
      checkPositive(query, "sinceSeconds", errors);
    }
    String stream = query.text("stream");
    if (!stream.isEmpty() && !List.of("All", "Stdout", "Stderr").contains(stream)) {
      errors.add(
          new FieldError(
              FieldError.Reason.NOT_SUPPORTED,
              "stream",
              stream,
              "supported values: \"All\", \"Stderr\", \"Stdout\""));
    }
    if (!errors.isEmpty()) {
      throw Failures.invalid(new GroupKind("", "PodLogOptions"), call.name().name(), errors);
    }
  }

  private static void checkPositive(Query query, String name, List<FieldError> errors) {
    OptionalLong value = query.integer(name);
    if (value.isPresent() && value.getAsLong() < 1) {
      errors.add(FieldError.invalid(name, value.getAsLong(), "must be greater than 0"));
    }
  }

  /** Runs a command, or attaches to the container's own. */
  void command(Call call) {
    checkMayCreate(call);
    JsonObject pod = pod(call);
    Query query = call.query();
    String container = container(pod, query.text("container"));
    Destination kubelet = kubelet(host(pod), true);
    StringJoiner asked = new StringJoiner("&");
    STREAMS.forEach((ours, theirs) -> {
      if (query.flag(ours)) {
        asked.add(theirs + "=1");
      }
    });
    for (String word : query.allTexts("command")) {
      asked.add("command=" + encoded(word));
    }
    Forwarder.upgrade(
        call.exchange(), kubelet, target(call.subresource(), call.name(), container, asked));
  }

  void forward(Call call) {
    checkMayCreate(call);
    JsonObject pod = pod(call);
    Destination kubelet = kubelet(host(pod), true);
    StringJoiner asked = new StringJoiner("&");
    for (String ports : call.query().allTexts("ports")) {
      for (String port : ports.split(",", -1)) {
        asked.add("port=" + encoded(port));
      }
    }
    Forwarder.upgrade(call.exchange(), kubelet, target("portForward", call.name(), "", asked));
  }

  /** A WebSocket begins with GET, but is no reading. */
  private void checkMayCreate(Call call) {
    if (call.exchange().method().equals("GET") && Upgrades.isRequested(call.exchange())) {
      new CreatePermission(access).check(call);
    }
  }

  private JsonObject pod(Call call) {
    return registry.get(call.resource(), call.name()).tree();
  }

  private Destination kubelet(String node, boolean verifies) {
    return connector.kubelet(registry.get(nodes, ObjectName.of(node)).tree(), verifies);
  }

  private static String host(JsonObject pod) {
    String node = pod.object("spec").text("nodeName", "");
    if (node.isEmpty()) {
      throw Failures.badRequest(
          "pod %s does not have a host assigned"
              .formatted(pod.object("metadata").text("name", "")));
    }
    return node;
  }

  private static String target(String what, ObjectName pod, String container, StringJoiner query) {
    String path = "/" + what + "/" + encoded(pod.namespace()) + "/" + encoded(pod.name());
    return path
        + (container.isEmpty() ? "" : "/" + encoded(container))
        + (query.length() == 0 ? "" : "?" + query);
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, UTF_8).replace("+", "%20");
  }

  /** The container that is meant. */
  private static String container(JsonObject pod, String asked) {
    JsonObject spec = pod.object("spec");
    String podName = pod.object("metadata").text("name", "");
    List<String> all =
        Stream.of("initContainers", "containers", "ephemeralContainers")
            .flatMap(list -> names(spec, list).stream())
            .toList();
    List<String> main = names(spec, "containers");
    if (asked.isEmpty()) {
      if (main.size() == 1) {
        return main.getFirst();
      }
      throw Failures.badRequest(
          "a container name must be specified for pod %s, choose one of: [%s]"
              .formatted(podName, String.join(" ", all)));
    }
    if (!all.contains(asked)) {
      throw Failures.badRequest("container %s is not valid for pod %s".formatted(asked, podName));
    }
    return asked;
  }

  private static List<String> names(JsonObject spec, String list) {
    return spec.array(list).objects().stream().map(c -> c.text("name", "")).toList();
  }
}
