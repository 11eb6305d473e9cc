package dev.berth.agent.runtime.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.agent.runtime.ContainerStatus;
import dev.berth.agent.runtime.ExecSpec;
import dev.berth.agent.runtime.RuntimeFailure;
import dev.berth.agent.runtime.Session;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which system calls a container may make, by the usual filter and by profiles of the machine. */
class SystemCallTest {
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

  private String output(String script) throws Exception {
    return live.output(pod, TestContainer.script(script));
  }

  @Test
  void cannotMakeUserNamespacesOrMount() throws Exception {
    assertThat(
            output(
                "unshare --user true 2>&1; mount -t tmpfs x /mnt 2>&1; unshare --mount true 2>&1"))
        .contains("unshare failed: Operation not permitted")
        .contains("permission denied");
  }

  @Test
  void reachesNeitherTheMachinesHostNorTheKernelsRings() throws Exception {
    assertThat(
            output(
                "python3 -c 'import socket; socket.socket(40, 1)' 2>&1;"
                    + " python3 -c 'import ctypes; c = ctypes.CDLL(None, use_errno=True);"
                    + " print(c.syscall(425, 1, 0), ctypes.get_errno())'"))
        .contains("PermissionError: [Errno 1] Operation not permitted")
        .endsWith("-1 1\n");
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          a call is denied       | SCMP_ACT_ALLOW | {"names":["mkdir","mkdirat"],"action":"SCMP_ACT_ERRNO","errnoRet":28} | mkdir /tmp/a | No space left on device
          others are allowed     | SCMP_ACT_ALLOW | {"names":["mkdir","mkdirat"],"action":"SCMP_ACT_ERRNO"} | touch /tmp/a; echo fine | fine
          a value is denied      | SCMP_ACT_ALLOW | {"names":["kill"],"action":"SCMP_ACT_ERRNO","args":[{"index":1,"value":10,"op":"SCMP_CMP_GE"}]} | kill -10 $$ | Operation not permitted
          another one is allowed | SCMP_ACT_ALLOW | {"names":["kill"],"action":"SCMP_ACT_ERRNO","args":[{"index":1,"value":10,"op":"SCMP_CMP_GT"}]} | kill -0 $$; echo fine | fine
          a masked value         | SCMP_ACT_ALLOW | {"names":["umask"],"action":"SCMP_ACT_ERRNO","errnoRet":1,"args":[{"index":0,"value":7,"valueTwo":5,"op":"SCMP_CMP_MASKED_EQ"}]} | umask 15; umask | 0022
          an unknown call        | SCMP_ACT_ALLOW | {"names":["no_such_call"],"action":"SCMP_ACT_ERRNO"} | echo fine | fine
          """)
  void aProfileOfTheMachineFiltersCalls(
      String name, String otherwise, String rule, String script, String said, @TempDir Path dir)
      throws Exception {
    Path profile = dir.resolve("profile.json");
    Files.writeString(
        profile, "{\"defaultAction\":\"%s\",\"syscalls\":[%s]}".formatted(otherwise, rule));
    assertThat(
            live.output(
                pod,
                TestContainer.script("exec 2>&1; grep Seccomp: /proc/self/status; " + script)
                    .as(1000)
                    .seccomp(profile.toString())))
        .startsWith("Seccomp:\t2\n")
        .contains(said);
  }

  /** The steps that lead to the command are no business of its profile. */
  @Test
  void aProfileOfWhatIsAllowedNeedNotAllowMounts(@TempDir Path dir) throws Exception {
    Path profile = dir.resolve("profile.json");
    Set<String> denied = Set.of("mkdir", "mkdirat", "mount", "setns", "unshare", "pivot_root");
    String allowed;
    try (InputStream calls =
        SystemCallTest.class.getResourceAsStream("/dev/berth/agent/seccomp/system-calls.txt")) {
      allowed =
          new String(calls.readAllBytes(), StandardCharsets.UTF_8)
              .lines()
              .map(line -> line.split(" ", -1)[0])
              .filter(call -> !denied.contains(call))
              .map(call -> '"' + call + '"')
              .collect(Collectors.joining(","));
    }
    Files.writeString(
        profile,
        "{\"defaultAction\":\"SCMP_ACT_ERRNO\",\"syscalls\":[{\"names\":[%s],\"action\":\"SCMP_ACT_ALLOW\"}]}"
            .formatted(allowed));
    ContainerStatus container =
        live.runtime().start(TestContainer.patient().seccomp(profile.toString()).spec(pod));
    try (Session session =
        live.runtime()
            .exec(
                container.id(),
                new ExecSpec(
                    List.of("sh", "-c", "mkdir /tmp/a 2>&1; unshare -u true 2>&1"),
                    false,
                    false))) {
      assertThat(session.stdout().readAllBytes())
          .asString()
          .contains("mkdir: cannot create directory '/tmp/a': Operation not permitted")
          .contains("unshare failed: Operation not permitted");
    }
  }

  @Test
  void aProfileThatAllowsNothingEndsTheContainer(@TempDir Path dir) throws Exception {
    Path profile = dir.resolve("profile.json");
    Files.writeString(profile, "{\"defaultAction\":\"SCMP_ACT_ERRNO\"}");
    ContainerStatus container =
        live.runtime().start(TestContainer.patient().seccomp(profile.toString()).spec(pod));
    assertThat(live.awaitExit(container).code()).isNotZero();
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          an unknown action   | {"defaultAction":"SCMP_ACT_MAYBE"} | defaultAction "SCMP_ACT_MAYBE" is not one of
          an unknown operator | {"defaultAction":"SCMP_ACT_ALLOW","syscalls":[{"names":["kill"],"action":"SCMP_ACT_ERRNO","args":[{"index":1,"value":1,"op":"LIKE"}]}]} | unknown op "LIKE"
          no JSON             | nothing | it is no JSON object
          """)
  void aProfileThatIsNotUnderstoodFailsTheContainer(
      String name, String content, String why, @TempDir Path dir) throws Exception {
    Path profile = dir.resolve("profile.json");
    Files.writeString(profile, content);
    assertThatThrownBy(
            () -> live.runtime().start(TestContainer.patient().seccomp("" + profile).spec(pod)))
        .isInstanceOf(RuntimeFailure.class)
        .hasMessageContaining(why);
  }
}
