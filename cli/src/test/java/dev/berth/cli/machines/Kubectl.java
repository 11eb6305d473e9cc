package dev.berth.cli.machines;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.cli.Await;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/**
 * The administrator's {@code kubectl} on the machine of a server.
 *
 * @param program which one
 * @param webSockets whether commands in containers are heard over WebSockets, as it does by itself:
 *     then it may miss what a command says before it is ready to hear it
 */
record Kubectl(TestMachine machine, Path kubeconfig, String program, boolean webSockets) {
  /** Longer than anything should take, on a machine that others use, too. */
  static final String PATIENCE = "--timeout=3m";

  Kubectl(TestMachine machine) {
    this(machine, machine.data().resolve("admin.kubeconfig"), "kubectl", false);
  }

  /** Another one, for the same. */
  Kubectl with(Path other) {
    return new Kubectl(machine, kubeconfig, other.toString(), webSockets);
  }

  /** The same as users have it. */
  Kubectl withWebSockets() {
    return new Kubectl(machine, kubeconfig, program, true);
  }

  /** Starts it. */
  Process start(String... words) throws IOException {
    List<String> command = new ArrayList<>(List.of(program, "--kubeconfig", kubeconfig.toString()));
    command.addAll(List.of(words));
    ProcessBuilder builder = new ProcessBuilder(machine.enter(command)).redirectErrorStream(true);
    builder.environment().put("HOME", kubeconfig.resolveSibling("").toString());
    builder.environment().put("KUBECTL_REMOTE_COMMAND_WEBSOCKETS", Boolean.toString(webSockets));
    return builder.start();
  }

  /** What it said, and its exit code. */
  BerthOn.Answer answer(String input, String... words) throws IOException {
    Process process = start(words);
    try (var stdin = process.getOutputStream()) {
      stdin.write(input.getBytes(UTF_8));
    }
    String text = new String(process.getInputStream().readAllBytes(), UTF_8);
    return new BerthOn.Answer(process.onExit().join().exitValue(), text);
  }

  /** What it says when it succeeds. */
  String run(String... words) throws IOException {
    BerthOn.Answer answer = answer("", words);
    assertThat(answer.code()).as("kubectl %s: %s", List.of(words), answer.text()).isZero();
    return answer.text();
  }

  /** Creates what a manifest says, in YAML or JSON. */
  void create(String manifest) throws IOException {
    BerthOn.Answer answer = answer(Processes.own(manifest), "create", "-f", "-");
    assertThat(answer.code()).as(answer.text()).isZero();
  }

  /** A field of an object, or fields. */
  String field(String object, String path) throws IOException {
    return run("get", object, "-o", "jsonpath=" + path);
  }

  /** Waits until something holds, in the words of {@code kubectl wait --for}. */
  void await(String object, String condition) throws IOException {
    BerthOn.Answer answer = answer("", "wait", "--for=" + condition, PATIENCE, object);
    if (answer.code() != 0) {
      throw new AssertionError(
          "%s was not %s: %s%n%s"
              .formatted(
                  object,
                  condition,
                  answer.text(),
                  answer("", "describe", object.contains("/") ? object : "pods/" + object).text()));
    }
  }

  /** Waits until a field is as it should be, or not there. */
  void awaitField(String object, String path, String value) {
    Await.until(
        "%s %s of %s".formatted(path, value, object),
        () -> {
          return field(object, path).equals(value);
        });
  }

  /** Waits until it says, successfully, what matches a pattern, in one line or across several. */
  void awaitSaid(String pattern, String... words) {
    Pattern wanted = Pattern.compile(pattern, Pattern.DOTALL);
    Await.until(
        "\"%s\" of kubectl %s".formatted(pattern, String.join(" ", words)),
        () -> {
          BerthOn.Answer answer = answer("", words);
          return answer.code() == 0 && wanted.matcher(answer.text()).find();
        });
  }

  /** Waits until an object has conditions, is deleted, and so on. */
  void awaitReady(String object) throws IOException {
    await(object, "condition=Ready");
  }

  void awaitGone(String object) throws IOException {
    await(object, "delete");
  }
}
