package dev.berth.sim.agent;

import dev.berth.agent.config.AgentSettings;
import dev.berth.agent.machine.MachineFixture;
import dev.berth.agent.node.NodeAgent;
import dev.berth.agent.node.NodeFactsReader;
import dev.berth.agent.node.NodeSources;
import dev.berth.client.Api;
import dev.berth.client.ApiRequest;
import dev.berth.client.ApiResult;
import dev.berth.client.Resources;
import dev.berth.client.heartbeat.NodeLease;
import dev.berth.model.resource.GroupVersionResource;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonObject;
import dev.berth.model.user.NodeUsers;
import dev.berth.model.user.User;
import dev.berth.sim.CuttableNetwork;
import dev.berth.sim.InterceptedApi;
import dev.berth.sim.VirtualCluster;
import dev.berth.time.VirtualTime;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/** A machine of files, the agent on it, and a server that can be out of reach. */
final class NodeFixture implements AutoCloseable, NodeSources {
  static final String NAME = "n1";

  final VirtualCluster cluster = new VirtualCluster(1);
  final MachineFixture machine;
  final List<String> refusals = new ArrayList<>();
  final List<Sent> sent = new ArrayList<>();

  private final Path folder;
  private AgentSettings settings;
  private final CuttableNetwork network = new CuttableNetwork();
  private boolean isDown;
  private Supplier<List<String>> problems = List::of;
  private Set<String> pressures = Set.of();

  /** A request, and when it was sent. */
  record Sent(Instant at, ApiRequest request, boolean wasLost) {}

  NodeFixture(Path folder) {
    this.folder = folder;
    machine = new MachineFixture(folder.resolve("machine"));
    settings = AgentSettings.of(NAME, folder);
  }

  NodeFixture settings(UnaryOperator<AgentSettings> change) {
    settings = change.apply(settings);
    return this;
  }

  NodeFixture node(UnaryOperator<AgentSettings.Node> change) {
    settings = settings.with(change.apply(settings.node()));
    return this;
  }

  AgentSettings settings() {
    return settings;
  }

  /** The server as the node sees it. */
  Api api() {
    return cluster.api(
        User.authenticated(NodeUsers.userName(NAME), List.of(NodeUsers.GROUP)), "kubelet");
  }

  /** Starts the agent, in place of the one that runs. */
  NodeAgent start() {
    NodeAgent[] started = new NodeAgent[1];
    cluster.run(
        "agent",
        () -> {
          started[0] = agent(machine, settings);
          return started[0];
        });
    return started[0];
  }

  /** Starts the agent of another machine under the same name. */
  void startOther(String machineId) {
    MachineFixture other = new MachineFixture(folder.resolve(machineId)).machineId(machineId);
    cluster.run("other", () -> agent(other, settings));
  }

  /** Starts another agent on the same machine, under the same name. */
  void startSecond(Path directory) {
    cluster.run("second", () -> agent(machine, AgentSettings.of(NAME, directory)));
  }

  private NodeAgent agent(MachineFixture on, AgentSettings its) {
    return NodeAgent.start(
        new NodeAgent.Parts(
            new InterceptedApi(network.between(NAME, api()), this::send),
            cluster.time(),
            its,
            new NodeFactsReader(its, on.reader(), on.network(), this),
            this,
            refusals::add));
  }

  private ApiResult send(ApiRequest request, Api real) {
    sent.add(new Sent(cluster.time().monotonicNow(), request, isDown));
    return isDown ? new ApiResult.Unreachable("the network is down") : real.send(request);
  }

  void down(boolean now) {
    isDown = now;
  }

  /** Breaks all connections, those of watches, too, or lets new ones be made. */
  void cut(boolean now) {
    if (now) {
      network.cut(NAME);
    } else {
      network.heal(NAME);
    }
  }

  /** Why the node is not ready from now on. */
  void report(String... now) {
    report(() -> List.of(now));
  }

  void report(Supplier<List<String>> now) {
    problems = now;
  }

  void underPressure(String... now) {
    pressures = new LinkedHashSet<>(List.of(now));
  }

  @Override
  public List<String> problems() {
    return problems.get();
  }

  @Override
  public Set<String> pressures() {
    return pressures;
  }

  JsonObject shown() {
    return find(Resources.NODES, ObjectName.of(NAME)).orElseThrow();
  }

  Optional<JsonObject> find(GroupVersionResource resource, ObjectName name) {
    return cluster.admin().get(resource, name) instanceof ApiResult.Done(JsonObject found)
        ? Optional.of(found)
        : Optional.empty();
  }

  JsonObject lease() {
    return find(Resources.LEASES, NodeLease.name(NAME)).orElseThrow();
  }

  /** The times of attempts to write something of a resource, since the fixture was made. */
  List<Duration> writes(String resource, String subresource) {
    List<Duration> times = new ArrayList<>();
    for (Sent each : sent) {
      boolean isWrite = !(each.request() instanceof ApiRequest.Get);
      if (isWrite
          && each.request().target().resource().resource().equals(resource)
          && each.request().target().subresource().equals(subresource)) {
        times.add(Duration.between(VirtualTime.EPOCH, each.at()));
      }
    }
    return times;
  }

  /** The reasons of events about the node. */
  List<String> events() {
    return cluster.list(Resources.CORE_EVENTS).stream()
        .filter(event -> event.object("involvedObject").text("kind", "").equals("Node"))
        .map(event -> event.text("reason", ""))
        .toList();
  }

  @Override
  public void close() {
    cluster.close();
  }
}
