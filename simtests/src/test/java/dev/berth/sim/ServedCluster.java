package dev.berth.sim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.apiserver.fixture.Kubectl;
import dev.berth.apiserver.fixture.LocalServer;
import dev.berth.client.http.HttpApi;
import dev.berth.client.kubeconfig.Kubeconfig;
import dev.berth.component.Supervisor;
import dev.berth.controllers.reconcile.ControllerParts;
import dev.berth.metrics.Metrics;
import dev.berth.scheduler.Scheduler;
import dev.berth.scheduler.profile.ConfigurationReader;
import dev.berth.time.WallTime;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * A server on a port of this machine, and what knows it by HTTPS: {@code kubectl} and components.
 */
public final class ServedCluster {
  /** What components complained of, and loops that ended by an exception. */
  private final Queue<Object> failures = new ConcurrentLinkedQueue<>();

  private final Deque<AutoCloseable> running = new ArrayDeque<>();
  private final WallTime time;
  private final HttpApi api;
  private final Kubectl kubectl;

  public ServedCluster(Path directory) {
    LocalServer server = run(LocalServer.open(directory));
    WallTime clock = new WallTime(failures::add);
    time = clock;
    api = run(new HttpApi(Kubeconfig.read(server.kubeconfig()).connection(), clock, "controllers"));
    // Loops end before what they use is closed.
    run(clock);
    kubectl = new Kubectl(directory, server.kubeconfig());
  }

  public Kubectl kubectl() {
    return kubectl;
  }

  public HttpApi api() {
    return api;
  }

  public WallTime time() {
    return time;
  }

  /** Keeps components running; nothing is to fail. */
  public Supervisor supervisor() {
    return run(new Supervisor(time, new Metrics(), failures::add));
  }

  public Queue<Object> failures() {
    return failures;
  }

  /** What controllers are made of. */
  public ControllerParts parts() {
    return new ControllerParts(api, time, new Metrics(), failures::add);
  }

  /** Has something run until the end. */
  public <T extends AutoCloseable> T run(T part) {
    running.push(part);
    return part;
  }

  /** Has the scheduler run. */
  public void schedule() {
    Scheduler scheduler =
        Scheduler.start(
            new Scheduler.Parts(api, time, new Metrics(), ConfigurationReader.defaults(), "test"));
    scheduler.lead();
    run(scheduler);
  }

  /** Ends what runs, the last first; nothing may have failed. */
  public void stop() throws Exception {
    for (AutoCloseable part : running) {
      part.close();
    }
    assertThat(failures).isEmpty();
  }
}
