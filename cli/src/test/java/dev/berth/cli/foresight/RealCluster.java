package dev.berth.cli.foresight;

import dev.berth.cli.BerthProcess;
import dev.berth.client.Api;
import dev.berth.client.ApiResult;
import dev.berth.client.PatchType;
import dev.berth.client.Resources;
import dev.berth.client.Target;
import dev.berth.client.http.HttpApi;
import dev.berth.client.informer.InformerSet;
import dev.berth.client.informer.Informers;
import dev.berth.client.kubeconfig.Kubeconfig;
import dev.berth.hollow.HollowMachine;
import dev.berth.model.core.NodeView;
import dev.berth.model.meta.Metadata;
import dev.berth.model.meta.WellKnownLabels;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonObject;
import dev.berth.sim.run.ScenarioCluster;
import dev.berth.sim.scenario.NodeGroup;
import dev.berth.sim.scenario.Scenario;
import dev.berth.sim.scenario.ScenarioAction;
import dev.berth.sim.scenario.SimulatedComponent;
import dev.berth.time.FatalError;
import dev.berth.time.Loop;
import dev.berth.time.Time;
import dev.berth.time.WallTime;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;

/**
 * The cluster of a scenario as processes, in real time: {@code berth up --hollow} with the nodes of
 * its first group, and {@code berth hollow} for each other one. If the scenario restarts or cuts
 * off controllers and scheduler, they are processes of their own, behind a port that can be cut.
 */
final class RealCluster implements ScenarioCluster, AutoCloseable {
  private final Path folder;
  private final Scenario scenario;
  private final Duration leaseDuration;
  private final Duration stopLatency;
  private final boolean isSplit;
  private final WallTime time = new WallTime(FatalError::end);
  private final Loop loop = time.start("scenario");
  private final BerthProcess berth;
  private final HttpApi api;
  private final List<Process> fleets = new ArrayList<>();
  private final Map<SimulatedComponent, CuttablePort> ports =
      new EnumMap<>(SimulatedComponent.class);
  private final Map<SimulatedComponent, Process> components =
      new EnumMap<>(SimulatedComponent.class);
  private Instant began;

  /** Returns when its nodes are ready. */
  RealCluster(Scenario scenario, Duration leaseDuration, Duration stopLatency, Path folder)
      throws IOException, InterruptedException {
    this.scenario = scenario;
    this.leaseDuration = leaseDuration;
    this.stopLatency = stopLatency;
    this.folder = folder;
    isSplit = scenario.timeline().stream().anyMatch(entry -> isAboutComponents(entry.action()));
    berth = BerthProcess.up(folder.resolve("data"), 0, up().toArray(String[]::new));
    api = new HttpApi(Kubeconfig.read(berth.kubeconfig()).connection(), time, "scenario");
    if (isSplit) {
      for (SimulatedComponent component : SimulatedComponent.values()) {
        ports.put(component, new CuttablePort(berth.port()));
        start(component);
      }
    }
    for (NodeGroup group : scenario.nodes().subList(1, scenario.nodes().size())) {
      List<String> words = new ArrayList<>(List.of("hollow", "--kubeconfig=" + berth.kubeconfig()));
      words.addAll(fleet(group, "--nodes", "--"));
      fleets.add(process(group.name(), words));
    }
    List<HollowMachine> machines = scenario.nodes().stream().flatMap(NodeGroup::machines).toList();
    awaitNodes(machines.size());
    machines.forEach(this::complete);
    began = time.monotonicNow();
  }

  private static boolean isAboutComponents(ScenarioAction action) {
    return action instanceof ScenarioAction.Restart || action instanceof ScenarioAction.Partition;
  }

  private List<String> up() {
    List<String> words = fleet(scenario.nodes().getFirst(), "--hollow", "--hollow-");
    words.addAll(isSplit ? List.of("--no-controllers", "--no-scheduler") : settings());
    return words;
  }

  private List<String> settings() {
    List<String> words = new ArrayList<>();
    new TreeMap<>(scenario.settings())
        .forEach((name, value) -> words.add("--" + name + "=" + value));
    return words;
  }

  private List<String> fleet(NodeGroup group, String count, String dashes) {
    List<String> words = new ArrayList<>();
    words.add(count + "=" + group.count());
    words.add(dashes + "name-prefix=" + group.name());
    words.add("--zones=" + String.join(",", group.zones()));
    words.add(dashes + "node-cpu=" + group.amounts().text("cpu", ""));
    words.add(dashes + "node-memory=" + group.amounts().text("memory", ""));
    words.add(dashes + "lease-duration=" + leaseDuration.toSeconds() + "s");
    words.add(dashes + "stop-latency=" + stopLatency.toSeconds() + "s");
    return words;
  }

  private void start(SimulatedComponent component) throws IOException {
    List<String> words = new ArrayList<>(List.of(component.word(), "--no-leader-election"));
    String port = Integer.toString(port(component).port());
    Path kubeconfig = folder.resolve(component.word() + ".kubeconfig");
    Files.writeString(
        kubeconfig,
        Files.readString(berth.kubeconfig()).replaceFirst(":" + berth.port() + "\\b", ":" + port));
    words.add("--kubeconfig=" + kubeconfig);
    if (component == SimulatedComponent.CONTROLLERS) {
      words.addAll(settings());
    }
    components.put(component, process(component.word(), words));
  }

  private CuttablePort port(SimulatedComponent component) {
    return Objects.requireNonNull(ports.get(component));
  }

  private Process process(String name, List<String> words) throws IOException {
    return new ProcessBuilder(BerthProcess.command(words))
        .redirectErrorStream(true)
        .redirectOutput(Redirect.appendTo(folder.resolve(name + ".log").toFile()))
        .start();
  }

  private void awaitNodes(int count) throws InterruptedException {
    CountDownLatch ready = new CountDownLatch(1);
    Set<String> usable = new HashSet<>();
    try (InformerSet nodes =
        new InformerSet(Informers.separate(api, time), loop, () -> {}, (String _) -> {})) {
      nodes.on(
          Resources.NODES,
          (_, after) -> {
            if (isUsable(after)
                && usable.add(Metadata.of(after).name())
                && usable.size() == count) {
              ready.countDown();
            }
          });
      nodes.start();
      ready.await();
    }
  }

  /** Whether a node is there, and the controllers have found it ready. */
  private static boolean isUsable(@Nullable JsonObject node) {
    if (node == null) {
      return false;
    }
    NodeView view = NodeView.read(node);
    return view.ready() && view.taints().isEmpty();
  }

  /** Gives a node what no flag can: labels but those of its zone, taints, extended resources. */
  private void complete(HollowMachine machine) {
    Target node = Target.of(Resources.NODES, ObjectName.of(machine.name()));
    JsonObject labels =
        machine.labels().without(WellKnownLabels.ZONE).without(WellKnownLabels.REGION);
    JsonObject spec =
        machine.taints().isEmpty() ? JsonObject.EMPTY : JsonObject.of("taints", machine.taints());
    require(
        api.patch(
            node,
            PatchType.MERGE,
            new JsonObject.Builder()
                .put("metadata", JsonObject.of("labels", labels))
                .put("spec", spec)
                .build()));
    JsonObject amounts =
        new JsonObject.Builder()
            .put("capacity", machine.amounts())
            .put("allocatable", machine.amounts())
            .build();
    require(
        api.patch(node.subresource("status"), PatchType.MERGE, JsonObject.of("status", amounts)));
  }

  private static void require(ApiResult result) {
    if (result instanceof ApiResult.Failure failure) {
      throw new AssertionError(failure.message());
    }
  }

  @Override
  public Api api() {
    return api;
  }

  @Override
  public Time time() {
    return time;
  }

  @Override
  public void advanceTo(Duration elapsed) {
    CountDownLatch passed = new CountDownLatch(1);
    loop.after(elapsed.minus(time.since(began)), passed::countDown);
    try {
      passed.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while the scenario was played", e);
    }
  }

  @Override
  public void restart(SimulatedComponent component) {
    Objects.requireNonNull(components.get(component)).destroyForcibly().onExit().join();
    try {
      start(component);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void cut(SimulatedComponent component) {
    port(component).cut();
  }

  @Override
  public void heal(SimulatedComponent component) {
    port(component).heal();
  }

  /** Ends what watches it, so that what was seen can be read. */
  void stopWatching() {
    time.close();
  }

  @Override
  public void close() {
    time.close();
    api.close();
    components.values().forEach(Process::destroyForcibly);
    fleets.forEach(Process::destroyForcibly);
    berth.close();
    ports.values().forEach(CuttablePort::close);
  }
}
