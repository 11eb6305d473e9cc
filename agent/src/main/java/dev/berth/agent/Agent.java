package dev.berth.agent;

import dev.berth.agent.config.AgentSettings;
import dev.berth.agent.join.CertificateManager;
import dev.berth.agent.join.CertificatePurpose;
import dev.berth.agent.join.NodeBootstrap;
import dev.berth.agent.join.NodeFiles;
import dev.berth.agent.runtime.ContainerStatus;
import dev.berth.agent.runtime.RuntimeFailure;
import dev.berth.agent.runtime.process.LogRotation;
import dev.berth.agent.runtime.process.ProcessRuntime;
import dev.berth.agent.runtime.process.ProcessSettings;
import dev.berth.agent.volume.StateRemoval;
import dev.berth.client.Api;
import dev.berth.component.Components;
import dev.berth.metrics.Metrics;
import dev.berth.pki.NodeCredential;
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
   */
  public record Parts(
      Api api,
      Time time,
      Metrics metrics,
      Components components,
      List<X509Certificate> authorities,
      Optional<Consumer<NodeCredential>> clientCertificate,
      Consumer<String> refused) {}

  private final AgentSettings settings;
  private final Parts parts;
  private final ProcessRuntime runtime;
  private final List<Components.Handle> running = new ArrayList<>();

  /** As it was last started. */
  private volatile Optional<RunningNode> node = Optional.empty();

  private Agent(AgentSettings settings, Parts parts) throws IOException {
    this.settings = settings;
    this.parts = parts;
    LogRotation logs = new LogRotation(settings.logs().fileBytes(), settings.logs().files());
    runtime =
        new ProcessRuntime(ProcessSettings.of(settings.root(), this::podCidrs, logs, parts.time()));
  }

  /**
   * Starts it.
   *
   * @throws IOException if this machine cannot run pods, or another agent does in this directory
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
              RunningNode started = RunningNode.start(settings, parts, runtime, scope.time());
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
                          CertificatePurpose.SERVING,
                          () -> node.flatMap(RunningNode::servingNames),
                          files.credential(CertificatePurpose.SERVING),
                          credential -> node.ifPresent(started -> started.serve(credential))))));
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
    return runtime.list().stream()
        .filter(pod -> pod.containers().stream().anyMatch(ContainerStatus::isRunning))
        .count();
  }

  /**
   * Ends all pods as a node that is shut down does: they are told, and have the time that they ask
   * for, but no more than a limit. Returns when none runs, or when all should have ended.
   */
  public void stopPods(Duration limit) throws InterruptedException {
    Optional<RunningNode> running = node;
    if (running.isPresent()) {
      CountDownLatch ended = new CountDownLatch(1);
      running.get().stopPods(limit, ended::countDown);
      boolean inTime = ended.await(limit.plus(PATIENCE).toMillis(), TimeUnit.MILLISECONDS);
      if (!inTime) {
        LOG.atWarn().addKeyValue("pods", runningPods()).log("pods still run");
      }
    }
  }

  /** Whether a directory is one that an agent has kept its state in. */
  public static boolean wasIn(Path root) {
    return ProcessRuntime.wasIn(root);
  }

  /**
   * How many pods run of an agent that has ended; those that it left to itself go on.
   *
   * @param root the directory in which it kept its state
   */
  public static long runningPods(Path root) throws IOException {
    return ProcessRuntime.runningPods(root);
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
    ProcessSettings settings = ProcessSettings.of(root, List::of, LogRotation.DEFAULT, time);
    try (ProcessRuntime runtime = new ProcessRuntime(settings)) {
      runtime.reset();
    } catch (RuntimeFailure e) {
      throw new IOException(e.getMessage(), e);
    }
    StateRemoval.remove(root);
  }

  /** Ends the agent. Pods go on. */
  @Override
  public void close() {
    running.reversed().forEach(Components.Handle::close);
    runtime.close();
  }
}
