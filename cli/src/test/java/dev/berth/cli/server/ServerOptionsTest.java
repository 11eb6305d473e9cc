package dev.berth.cli.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.cli.arguments.Arguments;
import dev.berth.cli.arguments.UsageException;
import dev.berth.policy.taint.DefaultTolerations;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class ServerOptionsTest {
  private static ServerSettings read(String... words) {
    return ServerOptions.read(
        Arguments.parse(new UpCommand(), List.of(words)), new PrintWriter(new StringWriter()));
  }

  /** Row T10. */
  @Test
  void howLongPodsTolerateNodeProblemsIsAFlag() {
    assertThat(read().admission().tolerations()).isEqualTo(DefaultTolerations.FIVE_MINUTES);
    assertThat(
            read(
                    "--default-not-ready-toleration-seconds=30",
                    "--default-unreachable-toleration-seconds=0")
                .admission()
                .tolerations())
        .isEqualTo(new DefaultTolerations(Duration.ofSeconds(30), Duration.ZERO));
    assertThatThrownBy(() -> read("--default-unreachable-toleration-seconds=-1"))
        .isInstanceOf(UsageException.class)
        .hasMessageContaining("--default-unreachable-toleration-seconds");
  }

  @Test
  void howLongHistoryIsKeptIsAFlag() {
    assertThat(read().watchHistory()).isEqualTo(Duration.ofMinutes(5));
    assertThat(read("--watch-history=90s").watchHistory()).isEqualTo(Duration.ofSeconds(90));
    assertThatThrownBy(() -> read("--watch-history=20ms"))
        .isInstanceOf(UsageException.class)
        .hasMessageContaining("--watch-history");
  }
}
