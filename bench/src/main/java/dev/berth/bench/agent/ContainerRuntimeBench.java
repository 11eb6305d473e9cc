package dev.berth.bench.agent;

import static dev.berth.bench.Figure.Better.LOWER;

import dev.berth.agent.runtime.ContainerRuntime;
import dev.berth.agent.runtime.ContainerSpec;
import dev.berth.agent.runtime.Limits;
import dev.berth.agent.runtime.LogRotation;
import dev.berth.agent.runtime.PodId;
import dev.berth.agent.runtime.SandboxSpec;
import dev.berth.agent.runtime.Security;
import dev.berth.agent.runtime.remote.RemoteRuntimes;
import dev.berth.agent.runtime.remote.RuntimeEndpoint;
import dev.berth.bench.Figure;
import dev.berth.bench.Folders;
import dev.berth.bench.api.Berth;
import dev.berth.time.FatalError;
import dev.berth.time.WallTime;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;

/**
 * Pods in containerd or another runtime that speaks CRI: how soon one runs, beside what the runtime
 * itself takes for the same pod, and what an agent with fifty of them takes. Needs root, and a
 * runtime that has the image. {@code bench/run containerd} starts a containerd for that; {@code
 * bench/run containerd unix:///SOCKET IMAGE} uses one that is there.
 */
public final class ContainerRuntimeBench {
  private static final int PODS = 20;
  private static final int MOST_ABOVE_MILLIS = 300;
  private static final List<String> COMMAND = List.of("sleep", "100000");

  private final Path folder;
  private final String endpoint;
  private final String image;

  private ContainerRuntimeBench(Path folder, String endpoint, String image) {
    this.folder = folder;
    this.endpoint = endpoint;
    this.image = image;
  }

  public static void main(String... arguments) throws Exception {
    if (arguments.length != 2) {
      System.err.println("Which runtime, and which image that it has? unix:///SOCKET IMAGE");
      System.exit(2);
    }
    Path folder = Files.createTempDirectory("berth-bench");
    try {
      ContainerRuntimeBench bench = new ContainerRuntimeBench(folder, arguments[0], arguments[1]);
      System.out.println("load: " + Files.readString(Path.of("/proc/loadavg")).strip());
      double own = bench.runtimeAlone();
      bench.pods(own);
      IdleAgent.measure(folder, bench.image, 150, "--container-runtime-endpoint", bench.endpoint);
      System.out.println("load: " + Files.readString(Path.of("/proc/loadavg")).strip());
    } finally {
      Folders.delete(folder);
    }
  }

  /**
   * A sandbox, and a container in it, asked for one after the other. The agent's client also looks
   * before and after; what that takes is measured by itself and left out.
   */
  private double runtimeAlone() throws Exception {
    try (WallTime time = new WallTime(FatalError::end);
        ContainerRuntime runtime = RemoteRuntimes.load().connect(settings(time))) {
      double[] taken = new double[PODS];
      for (int i = -1; i < PODS; i++) {
        PodId pod = new PodId("default", "alone" + i, "alone" + i);
        long began = System.nanoTime();
        runtime.startSandbox(sandbox(pod));
        runtime.start(container(pod));
        long made = System.nanoTime();
        var _ = runtime.find(pod.uid());
        var _ = runtime.find(pod.uid());
        var _ = runtime.findImage(image);
        long looked = System.nanoTime();
        runtime.removeSandbox(pod.uid());
        if (i >= 0) {
          taken[i] = (made - began - (looked - made)) / 1e6;
        }
      }
      Figure.forComparison("the runtime alone, asked to running", "ms").print(taken);
      return Figure.median(taken);
    }
  }

  private RemoteRuntimes.Settings settings(WallTime time) {
    Path socket = RuntimeEndpoint.socket(endpoint);
    return new RemoteRuntimes.Settings(
        socket,
        socket,
        Duration.ofMinutes(2),
        folder.resolve("logs"),
        LogRotation.DEFAULT,
        OptionalLong.empty(),
        List::of,
        Path.of("/sys"),
        time);
  }

  private static SandboxSpec sandbox(PodId pod) {
    return new SandboxSpec(
        pod,
        pod.name(),
        false,
        false,
        false,
        true,
        false,
        new SandboxSpec.Dns(List.of(), List.of(), List.of()),
        List.of(),
        Map.of(),
        Limits.NONE,
        SandboxSpec.Size.NONE,
        Map.of(),
        Map.of(),
        false,
        "");
  }

  private ContainerSpec container(PodId pod) {
    Security security =
        new Security(
            OptionalLong.empty(),
            "",
            OptionalLong.empty(),
            List.of(),
            false,
            false,
            true,
            false,
            Set.of(),
            Set.of(),
            "Unconfined",
            false,
            "",
            false);
    return new ContainerSpec(
        pod,
        "main",
        0,
        image,
        COMMAND,
        List.of(),
        Map.of(),
        "",
        List.of(),
        security,
        Limits.NONE,
        "",
        false,
        false,
        false,
        "",
        List.of(),
        List.of(),
        "");
  }

  private void pods(double own) throws Exception {
    List<String> options =
        List.of(
            "--stop-pods",
            "--container-runtime-endpoint",
            endpoint,
            "--node-config",
            JoinedAgent.configuration(folder, ""));
    try (Berth berth = Berth.start(folder.resolve("pods"), options);
        LivePods pods = new LivePods(berth, image)) {
      pods.awaitNode();
      double[] created = new double[PODS];
      double[] bound = new double[PODS];
      for (int i = -1; i < PODS; i++) {
        double millis = pods.run("single-" + i, 1);
        if (i >= 0) {
          created[i] = millis;
          bound[i] = pods.boundToRunningMillis("single-" + i + "-0");
        }
      }
      Figure.forComparison("one pod, created to Running", "ms").print(created);
      new Figure(
              "one pod, bound to Running", "ms", Math.min(2 * own, own + MOST_ABOVE_MILLIS), LOWER)
          .print(bound);
      pods.deleteAll();
    }
  }
}
