package dev.berth.cli.node;

import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** What an agent says of itself, in words. */
final class NodeStatusText {
  private final StringBuilder text = new StringBuilder();

  private NodeStatusText() {}

  static String of(JsonObject status) {
    NodeStatusText lines = new NodeStatusText();
    lines.node(status);
    lines.reservations(status.object("reservations"));
    lines.managers(status.object("managers"));
    lines.shutdown(status.object("shutdown"));
    return lines.text.toString().stripTrailing();
  }

  private void line(String title, String said) {
    text.append("%-15s %s%n".formatted(title.isEmpty() ? "" : title + ":", said));
  }

  private void node(JsonObject status) {
    JsonObject ready = status.object("ready");
    boolean isReady = ready.text("status", "").equals("True");
    line(
        "Node",
        status.text("node", "")
            + (isReady
                ? ", Ready"
                : ", NotReady: "
                    + ready.text("message", "")
                    + " ("
                    + ready.text("reason", "")
                    + ")"));
    line(
        "Agent",
        "process %d, port %d, in %s"
            .formatted(
                status.integer("process").orElse(0),
                status.integer("port").orElse(0),
                status.text("directory", "")));
    JsonObject runtime = status.object("runtime");
    line(
        "Runtime",
        "%s %s, running pods: %d, images: %d"
            .formatted(
                runtime.text("name", ""),
                runtime.text("version", ""),
                runtime.integer("runningPods").orElse(0),
                runtime.integer("images").orElse(0)));
    if (runtime.has("endpoint")) {
      remoteRuntime(runtime);
    }
    problem(runtime);
    JsonObject cgroups = status.object("cgroups");
    line(
        "Cgroups",
        "version %d, driver %s, with %s; pods are in %s"
            .formatted(
                cgroups.integer("version").orElse(0),
                cgroups.text("driver", ""),
                String.join(", ", cgroups.array("controllers").texts()),
                cgroups.text("root", "")));
  }

  private void remoteRuntime(JsonObject runtime) {
    line("", "at " + runtime.text("endpoint", ""));
    if (runtime.has("imageEndpoint")) {
      line("", "images at " + runtime.text("imageEndpoint", ""));
    }
    List<JsonObject> conditions = runtime.array("conditions").objects();
    if (conditions.isEmpty()) {
      line("", "does not answer");
    }
    for (JsonObject each : conditions) {
      String message = each.text("message", "");
      String reason = each.text("reason", "");
      line(
          "",
          each.text("type", "")
              + "="
              + each.text("status", "")
              + (reason.isEmpty() && message.isEmpty()
                  ? ""
                  : ": %s (%s)".formatted(message, reason)));
    }
    List<String> handlers = new ArrayList<>();
    for (JsonObject each : runtime.array("handlers").objects()) {
      String name = each.text("name", "");
      List<String> features = flags(each.object("features"));
      handlers.add(
          (name.isEmpty() ? "the default one" : name)
              + (features.isEmpty() ? "" : " (%s)".formatted(String.join(", ", features))));
    }
    if (!handlers.isEmpty()) {
      line("", "handlers: " + String.join(", ", handlers));
    }
    List<String> features = flags(runtime.object("features"));
    if (!features.isEmpty()) {
      line("", "features: " + String.join(", ", features));
    }
  }

  /** The names of what is true. */
  private static List<String> flags(JsonObject features) {
    return features.names().stream().filter(name -> features.flag(name, false)).toList();
  }

  private void problem(JsonObject of) {
    if (of.has("problem")) {
      line("", of.text("problem", ""));
    }
  }

  private void reservations(JsonObject reservations) {
    List<String> columns = List.of("capacity", "systemReserved", "kubeReserved", "allocatable");
    SortedSet<String> resources = new TreeSet<>();
    columns.forEach(column -> resources.addAll(reservations.object(column).names()));
    String row = "  %-20s %14s %10s %10s %14s";
    text.append("Reservations:\n");
    text.append(row.formatted("RESOURCE", "CAPACITY", "SYSTEM", "KUBE", "ALLOCATABLE"))
        .append('\n');
    for (String resource : resources) {
      Object[] cells = new Object[5];
      cells[0] = resource;
      for (int i = 0; i < columns.size(); i++) {
        cells[i + 1] = reservations.object(columns.get(i)).text(resource, "-");
      }
      text.append(row.formatted(cells)).append('\n');
    }
    String cpus = reservations.text("cpus", "");
    if (!cpus.isEmpty()) {
      line("Reserved", "processors " + cpus);
    }
    for (JsonObject each : reservations.array("memory").objects()) {
      JsonObject limits = each.object("limits");
      line(
          "Reserved",
          "%s on NUMA node %d"
              .formatted(
                  String.join(
                      ", ",
                      limits.names().stream()
                          .map(name -> name + " " + limits.text(name, ""))
                          .toList()),
                  each.integer("numaNode").orElse(0)));
    }
    List<String> thresholds = new ArrayList<>();
    JsonObject hard = reservations.object("evictionHard");
    hard.names().forEach(signal -> thresholds.add(signal + "<" + hard.text(signal, "")));
    line("Evicts pods at", thresholds.isEmpty() ? "nothing" : String.join(", ", thresholds));
  }

  private void managers(JsonObject managers) {
    JsonObject topology = managers.object("topology");
    line(
        "Topology",
        "policy %s, scope %s%s"
            .formatted(
                topology.text("policy", "none"),
                topology.text("scope", "container"),
                options(topology.array("options"))));
    JsonObject cpu = managers.object("cpu");
    String shared = cpu.text("sharedCpus", "");
    line(
        "CPU manager",
        cpu.text("policy", "none")
            + options(cpu.array("options"))
            + (shared.isEmpty() ? "" : "; shared by all others: " + shared));
    assignments(cpu);
    JsonObject memory = managers.object("memory");
    line("Memory manager", memory.text("policy", "None"));
    assignments(memory);
    JsonObject device = managers.object("device");
    List<String> resources = device.array("resources").texts();
    line("Devices", resources.isEmpty() ? "no plugins" : String.join(", ", resources));
    assignments(device);
  }

  private static String options(JsonArray names) {
    return names.isEmpty() ? "" : " (%s)".formatted(String.join(", ", names.texts()));
  }

  private void assignments(JsonObject manager) {
    problem(manager);
    for (JsonObject each : manager.array("assignments").objects()) {
      String resource = each.text("resource", "");
      text.append(
              "  %s %s: %s%s"
                  .formatted(
                      each.text("pod", ""),
                      each.text("container", ""),
                      resource.isEmpty() ? "" : resource + " ",
                      given(each.get("given"))))
          .append('\n');
    }
  }

  /** Processors are a text, devices a list of texts, memory a list of blocks. */
  private static String given(@Nullable Object given) {
    return switch (given) {
      case null -> "";
      case String cpus -> cpus;
      case JsonArray list when list.isEmpty() || list.get(0) instanceof String ->
          String.join(", ", list.texts());
      case JsonArray list ->
          String.join(
              "; ",
              list.objects().stream()
                  .map(block ->
                      "%d bytes of %s on NUMA node %s"
                          .formatted(
                              block.integer("size").orElse(0),
                              block.text("type", ""),
                              block.array("numaAffinity")))
                  .toList());
      default -> String.valueOf(given);
    };
  }

  private void shutdown(JsonObject shutdown) {
    List<JsonObject> periods = shutdown.array("periods").objects();
    if (periods.isEmpty()) {
      line("Shutdown", "not delayed: no shutdownGracePeriod is configured");
    } else {
      List<String> ranges = new ArrayList<>();
      for (JsonObject each : periods) {
        ranges.add(
            "%ds for pods of priority %d and above"
                .formatted(
                    each.integer("shutdownGracePeriodSeconds").orElse(0),
                    each.integer("priority").orElse(0)));
      }
      line("Shutdown", String.join(", then ", ranges));
      line(
          "",
          "%s; logind waits for %ds"
              .formatted(
                  shutdown.flag("holdsLock", false) ? "holds a lock" : "holds no lock",
                  shutdown.integer("logindWaitsSeconds").orElse(0)));
    }
    problem(shutdown);
    if (shutdown.flag("shuttingDown", false)) {
      line("", "the node is shutting down");
    }
    if (shutdown.has("lastStart")) {
      line(
          "",
          "the last one began at %s and %s"
              .formatted(
                  shutdown.text("lastStart", ""),
                  shutdown.has("lastEnd")
                      ? "ended at " + shutdown.text("lastEnd", "")
                      : "has not ended"));
    }
    for (JsonObject lock : shutdown.array("locks").objects()) {
      text.append(
              "  lock of %s (process %d, %s): %s"
                  .formatted(
                      lock.text("who", ""),
                      lock.integer("pid").orElse(0),
                      lock.text("mode", ""),
                      lock.text("why", "")))
          .append('\n');
    }
  }
}
