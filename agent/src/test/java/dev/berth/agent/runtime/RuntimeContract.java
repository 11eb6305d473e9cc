package dev.berth.agent.runtime;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.agent.runtime.process.TestContainer;
import dev.berth.agent.runtime.process.TestPod;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ByteChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What the agent's pods rely on, whatever runs them. Containers have a shell and busybox, in the
 * machine's own root or in an image.
 */
public abstract class RuntimeContract {
  private static final long PATIENCE_SECONDS = 120;

  @TempDir private Path directory;

  private final List<TestPod> pods = new ArrayList<>();

  /** The runtime as it is now. */
  protected abstract ContainerRuntime runtime();

  /** Lets go of everything and begins again, as a restarted agent does. */
  protected abstract void restart() throws Exception;

  /** What containers run in. */
  protected abstract String image();

  /** A pod with a sandbox, which ends with the test. */
  protected final TestPod pod(TestPod pod) throws RuntimeFailure {
    pods.add(pod);
    runtime().startSandbox(pod.sandbox());
    return pod;
  }

  protected final ContainerStatus start(TestPod pod, TestContainer container)
      throws RuntimeFailure {
    return runtime().start(container.image(image()).spec(pod));
  }

  protected final ContainerStatus status(TestPod pod, String id) throws RuntimeFailure {
    return runtime().find(pod.id().uid()).orElseThrow().containers().stream()
        .filter(each -> each.id().equals(id))
        .findFirst()
        .orElseThrow();
  }

  /** Waits until the runtime tells that a container has ended. */
  protected final ContainerStatus.Exit awaitExit(TestPod pod, ContainerStatus container)
      throws RuntimeFailure, InterruptedException {
    LinkedBlockingQueue<String> told = new LinkedBlockingQueue<>();
    runtime().onChange(told::add);
    ContainerStatus now = status(pod, container.id());
    while (now.isRunning()) {
      assertThat(told.poll(PATIENCE_SECONDS, TimeUnit.SECONDS))
          .as("the runtime tells of a change")
          .isNotNull();
      now = status(pod, container.id());
    }
    return Objects.requireNonNull(now.exit());
  }

  /** A log without times, streams and marks. */
  protected static String log(ContainerStatus container) throws IOException {
    StringBuilder text = new StringBuilder();
    for (String record : Files.readAllLines(Path.of(container.logFile()))) {
      String[] parts = record.split(" ", 4);
      text.append(parts[3]).append(parts[2].equals("F") ? "\n" : "");
    }
    return text.toString();
  }

  /** What a script writes until it ends. */
  protected final String output(TestPod pod, TestContainer container) throws Exception {
    ContainerStatus started = start(pod, container);
    awaitExit(pod, started);
    return log(started);
  }

  private static String read(Session session) throws IOException {
    return new String(session.stdout().readAllBytes(), UTF_8);
  }

  @AfterEach
  void removePods() throws RuntimeFailure {
    for (TestPod pod : pods) {
      runtime().removeSandbox(pod.id().uid());
      assertThat(runtime().find(pod.id().uid())).isEmpty();
    }
  }

  @Test
  void saysHowAContainerEndedAndKeepsItsLog() throws Exception {
    TestPod pod = pod(TestPod.named("c-exits"));
    ContainerStatus started =
        start(pod, TestContainer.script("echo out; echo err >&2; printf part; exit 3"));
    ContainerStatus.Exit exit = awaitExit(pod, started);
    assertThat(exit.code()).isEqualTo(3);
    assertThat(exit.at()).isAfterOrEqualTo(started.started());
    assertThat(Files.readAllLines(Path.of(started.logFile())))
        .anyMatch(line -> line.matches("\\S+Z stdout F out"))
        .anyMatch(line -> line.matches("\\S+Z stderr F err"))
        .anyMatch(line -> line.matches("\\S+Z stdout [PF] part"));
    runtime().removeContainer(started.id());
    assertThat(Path.of(started.logFile())).doesNotExist();
    assertThat(runtime().find(pod.id().uid()).orElseThrow().containers()).isEmpty();
  }

  @Test
  void doesOnceWhatIsAskedForTwice() throws Exception {
    TestPod pod = pod(TestPod.named("c-twice"));
    PodSandbox first = runtime().find(pod.id().uid()).orElseThrow();
    PodSandbox again = runtime().startSandbox(pod.sandbox());
    assertThat(again.created()).isEqualTo(first.created());
    assertThat(again.addresses()).isEqualTo(first.addresses()).isNotEmpty();
    ContainerStatus started = start(pod, TestContainer.patient());
    assertThat(start(pod, TestContainer.patient()).id()).isEqualTo(started.id());
    runtime().stopSandbox(pod.id().uid());
    runtime().stopSandbox(pod.id().uid());
    assertThat(runtime().find(pod.id().uid()).orElseThrow().isReady()).isFalse();
    assertThat(status(pod, started.id()).isRunning()).isFalse();
  }

  @Test
  void asksAContainerToEndAndKillsItIfItDoesNot() throws Exception {
    TestPod pod = pod(TestPod.named("c-ends"));
    ContainerStatus polite =
        start(
            pod,
            TestContainer.script("trap 'exit 7' TERM; echo up; while :; do sleep 60 & wait; done"));
    ContainerStatus deaf =
        start(
            pod,
            TestContainer.script("trap '' TERM; echo up; while :; do sleep 60 & wait; done")
                .named("deaf"));
    awaitLine(polite, "up");
    awaitLine(deaf, "up");
    runtime().signal(polite.id(), "");
    assertThat(awaitExit(pod, polite).code()).isEqualTo(7);
    assertThat(status(pod, deaf.id()).isRunning()).isTrue();
    runtime().kill(deaf.id());
    assertThat(awaitExit(pod, deaf).code()).isEqualTo(137);
  }

  /** Waits until a container has written a line, by a command that ends when it has. */
  protected final void awaitLine(ContainerStatus container, String line) throws Exception {
    Process tail =
        new ProcessBuilder(
                "sh",
                "-c",
                "tail -n +1 -F \"$1\" 2>/dev/null | grep -q -m1 -- \" $2\\$\"",
                "await",
                container.logFile(),
                line)
            .start();
    boolean came = tail.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS);
    tail.descendants().forEach(ProcessHandle::destroyForcibly);
    tail.destroyForcibly();
    assertThat(came).as("waiting for " + line).isTrue();
  }

  @Test
  void runsAsItsSpecificationSays() throws Exception {
    TestPod pod = pod(TestPod.named("c-spec"));
    Path readable = Files.writeString(directory.resolve("readable"), "content");
    Path writable = Files.createDirectory(directory.resolve("writable"));
    assertThat(
            output(
                pod,
                TestContainer.script(
                        "echo $GREETING; pwd; cat /mnt/file; echo; echo x 2>/dev/null >/mnt/file ||"
                            + " echo refused; echo y >/mnt/dir/new; hostname")
                    .with("GREETING", "hello world")
                    .in("/tmp")
                    .mounting(readable.toString(), "/mnt/file", true)
                    .mounting(writable.toString(), "/mnt/dir", false)))
        .isEqualTo("hello world\n/tmp\ncontent\nrefused\nc-spec\n");
    assertThat(writable.resolve("new")).hasContent("y");
    assertThat(
            output(
                pod,
                TestContainer.script("grep -E '^(Uid|NoNewPrivs|Seccomp):' /proc/self/status")
                    .as(77)
                    .attempt(1)))
        .containsPattern("Uid:\\s+77\\s+77")
        .containsPattern("NoNewPrivs:\\s+1")
        .containsPattern("Seccomp:\\s+2");
  }

  @Test
  void limitsMemory() throws Exception {
    TestPod pod = pod(TestPod.named("c-memory"));
    ContainerStatus started =
        start(pod, TestContainer.script("x=a; while :; do x=$x$x$x$x; done").memory(24L << 20));
    ContainerStatus.Exit exit = awaitExit(pod, started);
    assertThat(exit.code()).isNotZero();
    assertThat(exit.outOfMemory()).isTrue();
  }

  @Test
  void runsCommandsInAContainer() throws Exception {
    TestPod pod = pod(TestPod.named("c-exec"));
    ContainerStatus started = start(pod, TestContainer.patient().with("WHERE", "inside"));
    try (Session session = exec(started, "echo $WHERE; exit 4")) {
      assertThat(read(session)).isEqualTo("inside\n");
      assertThat(session.waitFor()).isEqualTo(4);
    }
    ExecSpec reads = new ExecSpec(List.of("sh", "-c", "cat; echo err >&2"), true, false);
    try (Session session = runtime().exec(started.id(), reads)) {
      session.stdin().write("typed".getBytes(UTF_8));
      session.stdin().close();
      assertThat(read(session)).isEqualTo("typed");
      assertThat(session.stderr().readAllBytes()).asString().isEqualTo("err\n");
      assertThat(session.waitFor()).isZero();
    }
    ExecSpec bounded =
        new ExecSpec(
            List.of("sh", "-c", "echo probe; exit 2"), false, false, Duration.ofSeconds(9));
    try (Session session = runtime().exec(started.id(), bounded)) {
      assertThat(read(session)).isEqualTo("probe\n");
      assertThat(session.waitFor()).isEqualTo(2);
    }
    ExecSpec terminal = new ExecSpec(List.of("sh", "-c", "tty && stty size"), false, true);
    try (Session session = runtime().exec(started.id(), terminal)) {
      assertThat(read(session)).startsWith("/dev/");
    }
  }

  private Session exec(ContainerStatus container, String script) throws RuntimeFailure {
    return runtime().exec(container.id(), new ExecSpec(List.of("sh", "-c", script), false, false));
  }

  @Test
  void attachesToAContainersStreams() throws Exception {
    TestPod pod = pod(TestPod.named("c-attach"));
    ContainerStatus started =
        start(
            pod,
            TestContainer.script("while read line; do echo got $line; done; echo end").stdin(true));
    try (Session session = runtime().attach(started.id(), true)) {
      session.stdin().write("one\ntwo\n".getBytes(UTF_8));
      session.stdin().close();
      assertThat(read(session)).isEqualTo("got one\ngot two\nend\n");
    }
    assertThat(awaitExit(pod, started).code()).isZero();
  }

  @Test
  void connectsToAPodsPorts() throws Exception {
    TestPod pod = pod(TestPod.named("c-port"));
    ContainerStatus started =
        start(pod, TestContainer.script("echo up; exec busybox nc -ll -p 8080 -e cat"));
    awaitLine(started, "up");
    try (Session wait = exec(started, "until busybox nc 127.0.0.1 8080 </dev/null; do :; done")) {
      assertThat(wait.waitFor()).isZero();
    }
    try (ByteChannel channel = runtime().connect(pod.id().uid(), 8080)) {
      channel.write(ByteBuffer.wrap("ping".getBytes(UTF_8)));
      ByteBuffer answer = ByteBuffer.allocate(4);
      while (answer.hasRemaining() && channel.read(answer) >= 0) {
        // A read may bring less than there is.
      }
      assertThat(answer.array()).asString().isEqualTo("ping");
    }
    assertThatThrownBy(
            () -> {
              try (ByteChannel channel = runtime().connect(pod.id().uid(), 8081)) {
                channel.read(ByteBuffer.allocate(1));
              }
            })
        .hasMessageContaining("8081")
        .hasMessageContaining("refused");
  }

  @Test
  void findsEverythingAgain() throws Exception {
    TestPod pod = pod(TestPod.named("c-again"));
    ContainerStatus ended = start(pod, TestContainer.script("echo over; exit 5").named("ended"));
    awaitExit(pod, ended);
    ContainerStatus running =
        start(
            pod,
            TestContainer.script("echo up; trap 'exit 6' TERM; while :; do sleep 60 & wait; done"));
    awaitLine(running, "up");
    PodSandbox before = runtime().find(pod.id().uid()).orElseThrow();

    restart();

    PodSandbox after =
        runtime().list().stream()
            .filter(each -> each.pod().equals(pod.id()))
            .findFirst()
            .orElseThrow();
    assertThat(after).isEqualTo(before);
    assertThat(after.containers())
        .allSatisfy(each -> assertThat(each.specImage()).isEqualTo(image()));
    assertThat(log(status(pod, ended.id()))).isEqualTo("over\n");
    try (Session session = exec(running, "echo still")) {
      assertThat(read(session)).isEqualTo("still\n");
    }
    ContainerStatus next = start(pod, TestContainer.script("hostname").named("later"));
    awaitExit(pod, next);
    assertThat(log(next)).isEqualTo("c-again\n");
    runtime().signal(running.id(), "");
    assertThat(awaitExit(pod, running).code()).isEqualTo(6);
  }

  @Test
  void saysWhatPodsUse() throws Exception {
    TestPod pod = pod(TestPod.named("c-usage"));
    ContainerStatus started =
        start(
            pod,
            TestContainer.script(
                "i=0; while [ $i -lt 20000 ]; do i=$((i+1)); done; echo up; sleep 600"));
    awaitLine(started, "up");
    PodUsage usage =
        runtime().usage().stream()
            .filter(each -> each.pod().equals(pod.id()))
            .findFirst()
            .orElseThrow();
    assertThat(usage.total().cpuNanos()).isPositive();
    assertThat(usage.total().workingSetBytes()).isPositive();
    assertThat(usage.containers())
        .singleElement()
        .satisfies(each -> {
          assertThat(each.name()).isEqualTo("main");
          assertThat(each.usage().cpuNanos()).isPositive();
          assertThat(each.usage().workingSetBytes()).isPositive();
          assertThat(each.logs().bytes()).isPositive();
          assertThat(each.logs().inodes()).isPositive();
        });
    assertThat(usage.total().memory().pageFaults()).isPositive();
    assertThat(runtime().usageOfAll().orElseThrow().cpuNanos())
        .isGreaterThanOrEqualTo(usage.total().cpuNanos());
    assertThat(runtime().workingSetBytes()).isPositive();
  }

  @Test
  void allPodsTogetherHaveWhatTheNodeHasForThem() throws Exception {
    runtime().confine(new NodeAllocatable(4000, 1L << 40, OptionalLong.empty()));
    assertThat(runtime().usageOfAll().orElseThrow().memory().limit()).hasValue(1L << 40);
  }

  @Test
  void saysWhyACommandCannotBeStarted() throws Exception {
    TestPod pod = pod(TestPod.named("c-absent"));
    assertThatThrownBy(() -> start(pod, TestContainer.running("/no/such/command")))
        .isInstanceOfSatisfying(
            RuntimeFailure.class,
            failure -> assertThat(failure.reason()).isEqualTo("RunContainerError"))
        .hasMessageContaining("/no/such/command");
    ContainerStatus ended = runtime().find(pod.id().uid()).orElseThrow().containers().getFirst();
    assertThat(Objects.requireNonNull(ended.exit()).startError()).contains("/no/such/command");
  }
}
