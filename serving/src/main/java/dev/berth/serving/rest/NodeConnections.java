package dev.berth.serving.rest;

import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonObject;
import dev.berth.registry.Registry;
import dev.berth.registry.status.Failures;
import dev.berth.registry.status.Status;
import dev.berth.registry.status.StatusException;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Requests that only the node agent can answer: logs, exec, attach, port-forward, proxy. Everything
 * that can be checked here is checked; then the answer says that there is no agent yet.
 */
final class NodeConnections {
  private static final Set<String> OF_PODS =
      Set.of("log", "exec", "attach", "portforward", "proxy");

  private final Registry registry;

  NodeConnections(Registry registry) {
    this.registry = registry;
  }

  /** Whether a request about a part of an object is one of these. */
  static boolean answers(Call call) {
    String plural = call.resource().plural();
    String part = call.subresource().replaceFirst("/.*", "");
    return call.resource().kind().group().isEmpty()
        && ((plural.equals("pods") && OF_PODS.contains(part))
            || (part.equals("proxy") && (plural.equals("nodes") || plural.equals("services"))));
  }

  void answer(Call call) {
    JsonObject object = registry.get(call.resource(), withoutPort(call.name())).tree();
    String part = call.subresource().replaceFirst("/.*", "");
    if (call.resource().plural().equals("pods")) {
      checkPod(call, object, part);
    }
    throw new StatusException(
        new Status(
            501,
            "NotImplemented",
            "%s of %s \"%s\" is not possible yet: no node agent is connected to this server"
                .formatted(part, call.resource().groupResource(), call.name().name()),
            Status.Details.of(
                call.name().name(), call.resource().kind().group(), call.resource().plural())));
  }

  /** Proxied objects are named with scheme and port: {@code https:web:8443}. */
  private static ObjectName withoutPort(ObjectName name) {
    String[] parts = name.name().split(":", -1);
    return new ObjectName(name.namespace(), parts.length == 3 ? parts[1] : parts[0]);
  }

  private static void checkPod(Call call, JsonObject pod, String part) {
    JsonObject spec = pod.object("spec");
    String name = call.name().name();
    if (!part.equals("portforward") && !part.equals("proxy")) {
      checkContainer(call, spec, name);
    }
    if (spec.text("nodeName", "").isEmpty()) {
      throw Failures.badRequest("pod %s does not have a host assigned".formatted(name));
    }
  }

  private static void checkContainer(Call call, JsonObject spec, String name) {
    List<String> all = names(spec, "containers");
    List<String> init = names(spec, "initContainers");
    String asked = call.query().text("container");
    if (asked.isEmpty()) {
      if (all.size() > 1) {
        String text =
            "a container name must be specified for pod %s, choose one of: [%s]"
                .formatted(name, String.join(" ", all));
        throw Failures.badRequest(
            init.isEmpty()
                ? text
                : text + " or one of the init containers: [" + String.join(" ", init) + "]");
      }
      return;
    }
    boolean found =
        Stream.of("containers", "initContainers", "ephemeralContainers")
            .flatMap(list -> names(spec, list).stream())
            .anyMatch(asked::equals);
    if (!found) {
      throw Failures.badRequest("container %s is not valid for pod %s".formatted(asked, name));
    }
  }

  private static List<String> names(JsonObject spec, String list) {
    return spec.array(list).objects().stream().map(c -> c.text("name", "")).toList();
  }
}
