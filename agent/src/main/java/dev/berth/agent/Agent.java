package dev.berth.agent;

import dev.berth.agent.config.AgentSettings;
import dev.berth.agent.control.ControlServer;
import dev.berth.agent.join.CertificateManager;
import dev.berth.agent.join.CertificatePurpose;
import dev.berth.agent.join.NodeBootstrap;
import dev.berth.agent.join.NodeFiles;
import dev.berth.agent.machine.MachineReader;
import dev.berth.agent.nativecalls.Kernel;
import dev.berth.agent.pod.LogLinks;
import dev.berth.agent.runtime.ContainerRuntime;
import dev.berth.agent.runtime.ContainerStatus;
import dev.berth.agent.runtime.RuntimeFailure;
import dev.berth.agent.runtime.process.ProcessSettings;
import dev.berth.agent.topology.ManagerPlan;
import dev.berth.agent.volume.StateRemoval;
import dev.berth.client.Api;
import dev.berth.component.Components;
import dev.berth.metrics.Metrics;
import dev.berth.model.tree.JsonObject;
import dev.berth.pki.NodeCredential;
import dev.berth.policy.shutdown.ShutdownPeriods;
import dev.berth.time.Time;
import java.io.IOException;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The node agent, put together: makes this machine a node of a cluster, and keeps it one.
 *
 * <p>The runtime holds on to processes and stays for as long as the agent does. All that decides
 * about them ({@link RunningNode}) is one component: when a part of it fails, it is started afresh
 * as a whole and finds everything again, as after a kill of the process.
 */
public final class Agent implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger("kubelet");

  /** Two minutes for regular pods, then half a minute for critical ones. */
  private static final ShutdownPeriods UNCONFIGURED =
      ShutdownPeriods.of(Duration.ofSeconds(150), Duration.ofSeconds(30));

  /** What it takes to kill what does not end by itself, and to say so. */
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  /**
   * What to make it of.
   *
   * @param api the server as this node sees it
   * @param time the clock of what stays when components are started afresh
   * @param components where its parts are run
   * @param authorities of the cluster: whose clients the node's port knows by certificate
   * @param clientCertificate takes each new certificate that the node is known by; empty if it is
   *     known by something that needs no renewal here
   * @param refused told why this machine may not be the node that it is to be
   * @param drained ends the agent, since somebody has drained its node
   */
  public record Parts(
      Api api,
      Time time,
      Metrics metrics,
      Components components,
      List<X509Certificate> authorities,
      Optional<Consumer<NodeCredential>> clientCertificate,
      Consumer<String> refused,
      Runnable drained) {}

  private final AgentSettings settings;
  private final Parts parts;
  private final ManagerPlan managers;
  private final AgentRuntime held;
  private final ContainerRuntime runtime;
  private final List<Components.Handle> running = new ArrayList<>();
  private final AtomicBoolean isClosed = new AtomicBoolean();
  private Optional<ControlServer> control = Optional.empty();

  /** As it was last started. */
  private volatile Optional<RunningNode> node = Optional.empty();

  private Agent(AgentSettings settings, Parts parts) throws IOException {
    this.settings = settings;
    this.parts = parts;
    managers = StartCheck.check(settings, MachineReader.ofThisMachine());
    held = AgentRuntime.start(settings, this::podCidrs, parts.time());
    runtime = held.runtime();
  }

  /**
   * Has the JVM learn how to make system calls, which takes a tenth of a second, while whoever is
   * about to start an agent waits for other things.
   */
  public static void prepare() {
    var _ = Thread.ofPlatform().daemon().name("system-calls").start(Kernel::prepare);
  }

  /**
   * Starts it.
   *
   * @throws IOException if this machine cannot run pods as the settings say, or another agent does
   *     in this directory
   */
  public static Agent start(AgentSettings settings, Parts parts) throws IOException {
    Agent agent = new Agent(settings, parts);
    agent.run();
    return agent;
  }

  private void run() {
    Components components = parts.components();
    running.add(
        components.runAsOne(
            "node-agent",
            scope -> {
              RunningNode started =
                  RunningNode.start(settings, parts, runtime, managers, scope.time());
              node = Optional.of(started);
              return started;
            }));
    NodeFiles files = new NodeFiles(settings.root());
    if (settings.certificates().rotates() && parts.clientCertificate().isPresent()) {
      running.add(
          components.run(
              "client-certificate",
              scope ->
                  CertificateManager.start(
                      new CertificateManager.Parts(
                          parts.api(),
                          scope.time(),
                          parts.metrics(),
                          CertificatePurpose.CLIENT,
                          () -> Optional.of(NodeBootstrap.clientNames(settings.node().name())),
                          files.credential(CertificatePurpose.CLIENT),
                          parts.clientCertificate().get()))));
    }
    if (settings.certificates().serving() && settings.port().certificateFile().isEmpty()) {
      running.add(
          components.run(
              "serving-certificate",
              scope ->
                  CertificateManager.start(
                      new CertificateManager.Parts(
                          parts.api(),
                          scope.time(),
                          parts.metrics(),
                          CertificatePurpose.SERVING,
                          () -> node.flatMap(RunningNode::servingNames),
                          files.credential(CertificatePurpose.SERVING),
                          credential -> node.ifPresent(started -> started.serve(credential))))));
    }
    control = ControlServer.start(settings.root(), new Commands());
  }

  /** What commands on this machine ask for. */
  private final class Commands implements ControlServer.Requests {
    @Override
    public JsonObject status() {
      return AgentStatus.of(settings, runtime, runningPods(), node);
    }

    @Override
    public void drain(Optional<ShutdownPeriods> periods, Consumer<String> progress)
        throws InterruptedException {
      stopPods(periods.orElseGet(Agent.this::stopPeriods), progress);
    }

    @Override
    public void stop() {
      parts.drained().run();
    }
  }

  private List<String> podCidrs() {
    return node.map(RunningNode::podCidrs).orElse(List.of());
  }

  /** The port that it serves at; 0 while it does not. */
  public int port() {
    return node.map(RunningNode::port).orElse(0);
  }

  /** How many pods have a container that runs. */
  public long runningPods() {
    try {
      return runtime.list().stream()
          .filter(pod -> pod.containers().stream().anyMatch(ContainerStatus::isRunning))
          .count();
    } catch (RuntimeFailure e) {
      LOG.warn("the runtime cannot say what it runs: {}", e.getMessage());
      return 0;
    }
  }

  /** What pods get when they are ended on request, if nothing is configured for that. */
  private ShutdownPeriods stopPeriods() {
    ShutdownPeriods configured = settings.pods().shutdown();
    return configured.isEmpty() ? UNCONFIGURED : configured;
  }

  /**
   * Ends all pods as a node that is shut down does, in the configured time or in what is usual.
   * Returns when none runs, or when all should have ended.
   */
  public void stopPods() throws InterruptedException {
    stopPods(stopPeriods(), _ -> {});
  }

  private void stopPods(ShutdownPeriods periods, Consumer<String> progress)
      throws InterruptedException {
    Optional<RunningNode> running = node;
    if (running.isPresent() && !isClosed.get()) {
      CountDownLatch ended = new CountDownLatch(1);
      running.get().shutdown().drain(periods, progress, ended::countDown);
      boolean inTime =
          ended.await(periods.total().plus(PATIENCE).toMillis(), TimeUnit.MILLISECONDS);
      if (!inTime) {
        LOG.atWarn().addKeyValue("pods", runningPods()).log("pods still run");
      }
    }
  }

  /**
   * Makes sure that no agent runs in a directory, whose files would be changed under it.
   *
   * @throws IOException if one does, in a sentence for the operator
   */
  public static void requireFree(Path root) throws IOException {
    AgentRuntime.requireFree(root);
  }

  /** Whether a directory is one that an agent has kept its state in. */
  public static boolean wasIn(Path root) {
    return AgentRuntime.wasIn(root);
  }

  /**
   * The endpoint of the runtime that has the pods and images of a directory; empty if they are the
   * agent's own.
   */
  public static Optional<String> runtimeEndpoint(Path root) throws IOException {
    return AgentRuntime.remote(root);
  }

  /**
   * How many pods run of an agent that has ended; those that it left to itself go on.
   *
   * @param root the directory in which it kept its state
   */
  public static long runningPods(Path root, Time time) throws IOException {
    return AgentRuntime.runningPods(root, time);
  }

  /**
   * Removes everything that an agent which has ended made on this machine: pods, their processes,
   * mounts and networks, certificates, and volumes that are directories.
   *
   * @throws IOException if something cannot be removed, or if an agent runs there
   */
  public static void remove(Path root, Time time) throws IOException {
    if (!wasIn(root)) {
      throw new IOException("no agent has kept its state in " + root);
    }
    AgentRuntime.remove(root, time);
    LogLinks.ofMachine().clear();
    ClusterNetwork.remove(ProcessSettings.ownName(root));
    StateRemoval.remove(root);
  }

  /** Ends the agent. Pods go on. */
  @Override
  public void close() {
    if (!isClosed.compareAndSet(false, true)) {
      return;
    }
    control.ifPresent(ControlServer::close);
    running.reversed().forEach(Components.Handle::close);
    try {
      held.close();
    } catch (IOException e) {
      LOG.warn("the lock of {} cannot be given back", settings.root(), e);
    }
  }
}
