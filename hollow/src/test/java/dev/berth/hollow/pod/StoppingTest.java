package dev.berth.hollow.pod;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.model.tree.JsonLimits;
import dev.berth.model.tree.JsonObject;
import dev.berth.model.tree.JsonReader;
import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StoppingTest {
  @ParameterizedTest(name = "{0}")
  @CsvSource(
      textBlock =
          """
          no hook,                                  0,  1, 30,  1, false
          no hook and too slow,                     0, 40, 30, 30, true
          no grace at all,                          0,  5,  0,  0, true
          the hook comes first,                    10,  1, 30, 11, false
          hook and stopping do not fit,            10, 25, 30, 30, true
          after a hook that takes all there is time to stop,  30, 1, 30, 31, false
          but not for long,                        30,  5, 30, 32, true
          a hook longer than the grace period is cut off,     60, 1, 30, 31, false
          a forced deletion skips the hook,        60,  1,  0,  0, true
          """)
  void stops(String rule, long hook, long latency, long grace, long takes, boolean killed) {
    JsonObject spec =
        JsonReader.object(
            """
            {"containers":[{"name":"a"},{"name":"b","lifecycle":{"preStop":{"sleep":{"seconds":%d}}}}]}
            """
                .formatted(hook)
                .getBytes(UTF_8),
            JsonLimits.TRUSTED);
    assertThat(Stopping.of(spec, Duration.ofSeconds(latency), Duration.ofSeconds(grace)))
        .as(rule)
        .isEqualTo(new Stopping(Duration.ofSeconds(takes), killed));
  }
}
