package dev.berth.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.cli.arguments.Console;
import dev.berth.cli.arguments.ExitCode;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What {@code berth scheduler} says to wrong input; that it schedules, its own module tests. */
class SchedulerCommandTest {
  @TempDir Path directory;

  private final StringWriter err = new StringWriter();

  private int run(String... words) {
    return Main.run(
        List.of(words), new Console(new PrintWriter(new StringWriter()), new PrintWriter(err)));
  }

  @Test
  void asksWhichCluster() {
    assertThat(run("scheduler")).isEqualTo(ExitCode.USAGE);
    assertThat(err).asString().contains("Which cluster? Give --kubeconfig=FILE");
  }

  @Test
  void saysWhichKubeconfigIsMissing() {
    assertThat(run("scheduler", "--kubeconfig", "/no/such/file")).isEqualTo(ExitCode.FAILED);
    assertThat(err).asString().contains("/no/such/file cannot be read (there is no such file)");
  }

  @Test
  void saysEverythingThatIsWrongWithAConfiguration() throws IOException {
    Path file =
        Files.writeString(
            directory.resolve("config.yaml"),
            """
            apiVersion: kubescheduler.config.k8s.io/v1
            kind: KubeSchedulerConfiguration
            profiles:
            - schedulerName: a
              plugins: {score: {enabled: [{name: Nope}]}}
            - schedulerName: a
            """);
    assertThat(run("scheduler", "--config=" + file)).isEqualTo(ExitCode.USAGE);
    assertThat(err)
        .asString()
        .contains(
            file + " is not a valid KubeSchedulerConfiguration:",
            "profiles[0].plugins.score.enabled[0].name: Unsupported value: \"Nope\"",
            "profiles[1].schedulerName: Duplicate value: \"a\"");
  }

  @Test
  void saysThatAConfigurationIsNotThere() {
    assertThat(run("up", "--scheduler-config", "/no/such/file")).isEqualTo(ExitCode.USAGE);
    assertThat(err).asString().contains("There is no file /no/such/file.");
  }

  @Test
  void saysThatAConfigurationIsNoYaml() throws IOException {
    Path file = Files.writeString(directory.resolve("config.yaml"), "a: [");
    assertThat(run("scheduler", "--config=" + file)).isEqualTo(ExitCode.USAGE);
    assertThat(err).asString().contains(file + " is neither YAML nor JSON: ");
  }
}
