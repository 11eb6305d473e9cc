package dev.berth.cli.options;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.cli.arguments.Arguments;
import dev.berth.cli.arguments.UsageException;
import dev.berth.cli.server.UpCommand;
import dev.berth.log.LogFormat;
import dev.berth.log.LogLevels;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.slf4j.event.Level;

class LogOptionsTest {
  private static Arguments arguments(String... words) {
    return Arguments.parse(new UpCommand(), List.of(words));
  }

  @Test
  void levelsAreForAllOrForSome() {
    assertThat(LogOptions.levels(arguments())).isEqualTo(LogLevels.of(Level.INFO));
    assertThat(LogOptions.levels(arguments("--log-level=warn,job-controller=debug,http=trace")))
        .isEqualTo(
            new LogLevels(Level.WARN, Map.of("job-controller", Level.DEBUG, "http", Level.TRACE)));
    assertThat(LogOptions.levels(arguments("--log-level", "scheduler=error")).usual())
        .isEqualTo(Level.INFO);
    assertThat(LogOptions.format(arguments("--log-format=json"))).isEqualTo(LogFormat.JSON);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--log-level=inof|--log-level: unknown level \"inof\". Did you mean info? Levels are",
        "--log-level=INFO|--log-level: unknown level \"INFO\".",
        "--log-level=|--log-level: unknown level \"\".",
        "--log-level=info,jobs-controller=debug|unknown component \"jobs-controller\". Did you"
            + " mean job-controller? Components are apiserver,",
        "--log-level=info,http=much|unknown level \"much\"",
        "--log-level=info,debug|has two levels for all components",
        "--log-level=http=info,http=debug|--log-level names http twice.",
        "--log-format=xml|--log-format must be text or json, not \"xml\".",
      })
  void whatIsWrongIsSaidWithWhatWouldBeRight(String flag, String said) {
    assertThatThrownBy(
            () -> {
              var _ = LogOptions.levels(arguments(flag));
              var _ = LogOptions.format(arguments(flag));
            })
        .isInstanceOf(UsageException.class)
        .hasMessageContaining(said);
  }
}
