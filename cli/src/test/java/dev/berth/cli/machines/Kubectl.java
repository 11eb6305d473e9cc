package dev.berth.cli.machines;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The administrator's {@code kubectl} on the machine of a server.
 *
 * @param program which one
 */
record Kubectl(TestMachine machine, Path kubeconfig, String program) {
  /** Longer than anything should take, on a machine that others use, too. */
  private static final String PATIENCE = "--timeout=90s";

  Kubectl(TestMachine machine) {
    this(machine, machine.data().resolve("admin.kubeconfig"), "kubectl");
  }

  /** Another one, for the same. */
  Kubectl with(Path other) {
    return new Kubectl(machine, kubeconfig, other.toString());
  }

  /** Starts it. */
  Process start(String... words) throws IOException {
    List<String> command = new ArrayList<>(List.of(program, "--kubeconfig", kubeconfig.toString()));
    command.addAll(List.of(words));
    ProcessBuilder builder = new ProcessBuilder(machine.enter(command)).redirectErrorStream(true);
    builder.environment().put("HOME", kubeconfig.resolveSibling("").toString());
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
    BerthOn.Answer answer = answer(manifest, "create", "-f", "-");
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
    Processes.await(
        "%s %s of %s".formatted(path, value, object),
        () -> {
          try {
            return field(object, path).equals(value);
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
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
