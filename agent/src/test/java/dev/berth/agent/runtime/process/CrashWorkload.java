package dev.berth.agent.runtime.process;

import dev.berth.agent.runtime.ContainerStatus;
import dev.berth.agent.runtime.LogRotation;
import dev.berth.agent.runtime.RuntimeFailure;
import dev.berth.time.WallTime;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * What an agent does in the rounds of {@link RuntimeCrashTest}: starts some pods with containers,
 * each of which notes that it ran, writes lines and ends. Done again, it does what is missing.
 */
final class CrashWorkload {
  static final int PODS = 3;
  static final int LINES = 50;
  static final int EXIT_CODE = 7;

  private final ProcessRuntime runtime;
  private final Path runs;
  private final Runnable beforeStep;

  /**
   * @param runs the directory in which containers note that they ran
   */
  CrashWorkload(ProcessRuntime runtime, Path runs, Runnable beforeStep) {
    this.runtime = runtime;
    this.runs = runs;
    this.beforeStep = beforeStep;
  }

  static TestPod pod(int round, int number) {
    return TestPod.named("r" + round + "p" + number);
  }

  private TestContainer container(TestPod pod, String name, String end) {
    String script =
        "echo run >>/runs/%s-%s; for i in $(seq %d); do echo line $i; done; %s"
            .formatted(pod.name(), name, LINES, end);
    return TestContainer.script(script).named(name).mounting(runs.toString(), "/runs", false);
  }

  /** Starts all of a round; the containers that end by themselves. */
  List<ContainerStatus> run(int round) throws RuntimeFailure {
    List<ContainerStatus> finite = new ArrayList<>();
    for (int number = 0; number < PODS; number++) {
      TestPod pod = pod(round, number);
      beforeStep.run();
      runtime.startSandbox(pod.sandbox());
      beforeStep.run();
      finite.add(runtime.start(container(pod, "short", "exit " + EXIT_CODE).spec(pod)));
      beforeStep.run();
      runtime.start(container(pod, "long", "exec sleep 9999").spec(pod));
    }
    return finite;
  }

  /** An agent that does one round and is killed while it does, or while it rests afterwards. */
  static void main(String[] arguments) throws IOException, RuntimeFailure {
    Path root = Path.of(arguments[0]);
    ProcessSettings settings =
        new ProcessSettings(
            root,
            () -> List.of(arguments[3]),
            Path.of("/sys"),
            Path.of("/proc"),
            arguments[1],
            arguments[2],
            1024,
            root.resolve("logs"),
            LogRotation.DEFAULT,
            new WallTime(_ -> {}));
    ProcessRuntime runtime = new ProcessRuntime(settings);
    new CrashWorkload(runtime, Files.createDirectories(root.resolve("runs")), () -> say("step"))
        .run(Integer.parseInt(arguments[4]));
    say("done");
    System.in.read();
  }

  private static void say(String word) {
    System.out.println(word);
    System.out.flush();
  }
}
