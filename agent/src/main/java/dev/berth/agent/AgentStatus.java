package dev.berth.agent;

import dev.berth.agent.cgroup.Cgroups;
import dev.berth.agent.config.AgentSettings;
import dev.berth.agent.config.KubeletConfigurationDocument;
import dev.berth.agent.config.ManagerSettings;
import dev.berth.agent.node.RuntimeFeatures;
import dev.berth.agent.runtime.ContainerRuntime;
import dev.berth.agent.shutdown.LoginManager;
import dev.berth.agent.shutdown.ShutdownManager;
import dev.berth.model.core.Condition;
import dev.berth.model.core.ResourceList;
import dev.berth.model.core.Views;
import dev.berth.model.meta.Times;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** How an agent and its node stand, as {@code berth node status} shows it. */
final class AgentStatus {
  private static final Path SYS = Path.of("/sys");

  private AgentStatus() {}

  /**
   * @param runningPods how many have a container that runs
   * @param running the parts that decide; empty while they are being started
   */
  static JsonObject of(
      AgentSettings settings,
      ContainerRuntime runtime,
      long runningPods,
      Optional<RunningNode> running) {
    JsonObject node = running.map(RunningNode::tree).orElse(JsonObject.EMPTY);
    JsonObject.Builder status =
        new JsonObject.Builder()
            .put("node", settings.node().name())
            .put("directory", settings.root().toString())
            .put("process", ProcessHandle.current().pid())
            .put("port", running.map(started -> (long) started.port()).orElse(0L))
            .put("ready", ready(node))
            .put("runtime", runtime(settings.runtime(), runtime, runningPods))
            .put("cgroups", cgroups(runtime))
            .put("reservations", reservations(settings, node));
    running.ifPresent(started -> {
      status.put(
          "managers",
          managers(settings.pods().managers(), ManagerFiles.read(settings.root(), started.pods())));
      status.put("shutdown", shutdown(started.shutdown()));
    });
    return status.build();
  }

  /** What the server shows, which is what others go by. */
  private static JsonObject ready(JsonObject node) {
    return Condition.find(
            Views.list(node.object("status").array("conditions"), Condition::read), Condition.READY)
        .map(ready ->
            JsonObject.of("status", ready.status().text())
                .with("reason", ready.reason())
                .with("message", ready.message()))
        .orElse(
            JsonObject.of("status", "Unknown")
                .with("reason", "NotRegistered")
                .with("message", "the server does not show this node"));
  }

  private static JsonObject runtime(
      AgentSettings.RuntimeSettings settings, ContainerRuntime runtime, long runningPods) {
    String version = runtime.version();
    String prefix = runtime.idPrefix();
    JsonObject shown =
        JsonObject.of("name", prefix.substring(0, prefix.indexOf(':')))
            .with("version", version.substring(Math.min(version.length(), prefix.length())))
            .with("runningPods", runningPods)
            .with("images", (long) runtime.images().size());
    if (!settings.endpoint().isEmpty()) {
      shown =
          shown
              .with("endpoint", settings.endpoint())
              .with("conditions", runtime.details().array("conditions"))
              .with("handlers", RuntimeFeatures.handlers(runtime))
              .with("features", RuntimeFeatures.of(runtime));
    }
    if (!settings.imageEndpoint().isEmpty()) {
      shown = shown.with("imageEndpoint", settings.imageEndpoint());
    }
    List<String> problems = runtime.problems();
    return problems.isEmpty() ? shown : shown.with("problem", String.join(", ", problems));
  }

  /** Groups are files that the agent writes itself, which kubelets call the driver cgroupfs. */
  private static JsonObject cgroups(ContainerRuntime runtime) {
    return JsonObject.of("version", Cgroups.isVersion2(SYS) ? 2L : 1L)
        .with("driver", "cgroupfs")
        .with("controllers", JsonArray.copyOf(Cgroups.of(SYS).controllers().orElse(List.of())))
        .with("root", "/" + runtime.details().text("cgroupParent", ""));
  }

  private static JsonObject reservations(AgentSettings settings, JsonObject node) {
    return JsonObject.of("capacity", node.object("status").object("capacity"))
        .with("allocatable", node.object("status").object("allocatable"))
        .with("systemReserved", tree(settings.reservations().system()))
        .with("kubeReserved", tree(settings.reservations().kube()))
        .with("evictionHard", JsonObject.ofStrings(settings.eviction().thresholds().hard()))
        .with("cpus", settings.pods().managers().reservedCpus().toString())
        .with(
            "memory",
            JsonArray.copyOf(
                settings.pods().managers().reservedMemory().stream()
                    .map(each ->
                        JsonObject.of("numaNode", (long) each.node())
                            .with("limits", tree(each.limits())))
                    .toList()));
  }

  private static JsonObject managers(ManagerSettings settings, JsonObject given) {
    return given
        .with(
            "cpu",
            given.object("cpu").with("options", JsonArray.copyOf(settings.cpuOptions().names())))
        .with(
            "topology",
            JsonObject.of("policy", settings.topologyPolicy().text())
                .with("scope", settings.scope().text())
                .with("options", JsonArray.copyOf(settings.topologyOptions().names())));
  }

  private static JsonObject tree(ResourceList list) {
    JsonObject.Builder tree = new JsonObject.Builder();
    list.amounts().forEach((name, amount) -> tree.put(name, amount.toString()));
    return tree.build();
  }

  private static JsonObject shutdown(ShutdownManager manager) {
    ShutdownManager.Status status = manager.status();
    JsonObject.Builder shown =
        new JsonObject.Builder()
            .put("periods", KubeletConfigurationDocument.periods(status.periods()))
            .put("totalSeconds", status.periods().total().toSeconds())
            .put("shuttingDown", status.isShuttingDown())
            .put("holdsLock", status.holdsLock());
    if (!status.periods().isEmpty()) {
      shown.put("logindWaitsSeconds", status.longestDelay().toSeconds());
    }
    if (!status.lockProblem().isEmpty()) {
      shown.put("problem", status.lockProblem());
    }
    putTime(shown, "lastStart", status.started());
    putTime(shown, "lastEnd", status.ended());
    return shown
        .put(
            "locks",
            JsonArray.copyOf(manager.inhibitors().stream().map(AgentStatus::lock).toList()))
        .build();
  }

  private static void putTime(JsonObject.Builder shown, String name, Optional<Instant> time) {
    time.ifPresent(known -> shown.put(name, Times.format(known)));
  }

  private static JsonObject lock(LoginManager.Inhibitor lock) {
    return JsonObject.of("what", lock.what())
        .with("who", lock.who())
        .with("why", lock.why())
        .with("mode", lock.mode())
        .with("pid", lock.pid());
  }
}
