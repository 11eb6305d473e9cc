package dev.berth.agent.runtime.process;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.agent.runtime.ContainerStatus;
import dev.berth.agent.runtime.ExecSpec;
import dev.berth.agent.runtime.Session;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Commands in containers, with and without terminals, and those who attach to containers. */
class SessionTest {
  private LiveRuntime live;
  private TestPod pod;

  @BeforeEach
  void start() throws Exception {
    live = new LiveRuntime();
    pod = live.pod("web");
  }

  @AfterEach
  void end() throws Exception {
    live.close();
  }

  private Session exec(ContainerStatus container, boolean tty, String script) throws Exception {
    return live.runtime()
        .exec(container.id(), new ExecSpec(List.of("sh", "-c", script), true, tty));
  }

  private static String all(InputStream stream) throws Exception {
    return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
  }

  /** Reads until a text has come. */
  private static String until(InputStream stream, String text) throws Exception {
    StringBuilder read = new StringBuilder();
    while (!read.toString().contains(text)) {
      int next = stream.read();
      assertThat(next).as("end of stream after %s", read).isNotNegative();
      read.append((char) next);
    }
    return read.toString();
  }

  @Test
  void aCommandHasItsStreamsAndItsExitCode() throws Exception {
    ContainerStatus container =
        live.runtime().start(TestContainer.patient().with("COLOR", "blue").spec(pod));
    try (Session session =
        exec(
            container, false, "cat; echo $COLOR >&2; cat /proc/1/cmdline | tr '\\0' ' '; exit 7")) {
      session.stdin().write("hello\n".getBytes(StandardCharsets.UTF_8));
      session.stdin().close();
      assertThat(all(session.stdout())).startsWith("hello\nsh -c trap");
      assertThat(all(session.stderr())).isEqualTo("blue\n");
      assertThat(session.waitFor()).isEqualTo(7);
    }
  }

  @Test
  void aCommandIsConfinedLikeTheContainer() throws Exception {
    ContainerStatus container = live.runtime().start(TestContainer.patient().as(1234).spec(pod));
    try (Session session =
        exec(
            container,
            false,
            "id -u; grep -E 'CapBnd|NoNewPrivs|Seccomp:' /proc/self/status; hostname; ls /work 2>&1")) {
      assertThat(all(session.stdout()))
          .startsWith("1234\nCapBnd:\t00000000a80425fb\nNoNewPrivs:\t1\nSeccomp:\t2\nweb\n")
          .contains("No such file");
    }
  }

  @Test
  void aCommandWithATerminalKnowsItsSize() throws Exception {
    ContainerStatus container = live.runtime().start(TestContainer.patient().spec(pod));
    try (Session session =
        exec(container, true, "tty; echo terminal >/dev/tty; read line; stty size; exit 3")) {
      assertThat(until(session.stdout(), "terminal")).startsWith("/dev/pts/0");
      session.resize(132, 43);
      session.stdin().write("go\n".getBytes(StandardCharsets.UTF_8));
      session.stdin().flush();
      assertThat(until(session.stdout(), "43 132")).contains("go");
      assertThat(session.waitFor()).isEqualTo(3);
    }
  }

  @Test
  void leavingACommandEndsIt() throws Exception {
    ContainerStatus container = live.runtime().start(TestContainer.patient().spec(pod));
    Session session = exec(container, false, "echo up; exec sleep 5432");
    until(session.stdout(), "up\n");
    session.close();
    assertThat(session.waitFor()).isEqualTo(137);
    try (Session look = exec(container, false, "pgrep -fc 'sleep [5]432'; true")) {
      assertThat(all(look.stdout())).isEqualTo("0\n");
    }
  }

  @Test
  void whoAttachesReadsAndWrites() throws Exception {
    ContainerStatus container =
        live.runtime()
            .start(
                TestContainer.script("while read line; do echo \"got $line\"; done; exit 4")
                    .stdin(true)
                    .spec(pod));
    Session session = live.runtime().attach(container.id(), true);
    session.stdin().write("one\n".getBytes(StandardCharsets.UTF_8));
    until(session.stdout(), "got one\n");
    session.stdin().write("two\n".getBytes(StandardCharsets.UTF_8));
    until(session.stdout(), "got two\n");
    // The input is for the first user alone, so it ends with them, and with it the container.
    session.stdin().close();
    assertThat(session.waitFor()).isEqualTo(4);
    session.close();
    assertThat(LiveRuntime.log(container)).isEqualTo("got one\ngot two\n");
  }

  @Test
  void anInputForEverybodyOutlivesItsUsers() throws Exception {
    ContainerStatus container =
        live.runtime()
            .start(
                TestContainer.script("while read line; do echo \"got $line\"; done")
                    .stdin(false)
                    .spec(pod));
    for (String word : List.of("one", "two")) {
      try (Session session = live.runtime().attach(container.id(), true)) {
        session.stdin().write((word + "\n").getBytes(StandardCharsets.UTF_8));
        until(session.stdout(), "got " + word);
      }
    }
    assertThat(live.status(container.id()).isRunning()).isTrue();
  }

  @Test
  void aContainerWithATerminalOutlivesTheAgent() throws Exception {
    ContainerStatus container =
        live.runtime()
            .start(
                TestContainer.script(
                        "tty; echo terminal >/dev/console; while read line; do stty size; test $line = stop && exit 6; done")
                    .stdin(false)
                    .tty()
                    .spec(pod));
    // Otherwise the terminal may echo what is typed before the container has said anything.
    live.awaitLine(container, "terminal");
    live.restart();
    try (Session session = live.runtime().attach(container.id(), true)) {
      session.resize(100, 30);
      session.stdin().write("stop\n".getBytes(StandardCharsets.UTF_8));
      until(session.stdout(), "30 100");
      assertThat(session.waitFor()).isEqualTo(6);
    }
    assertThat(LiveRuntime.log(container).lines()).startsWith("/dev/pts/0", "terminal");
  }
}
