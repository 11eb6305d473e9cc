package dev.berth.cli.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.time.VirtualTime;
import java.net.URI;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** When a server is left, and when it is used again. */
class ReadinessChecksTest {
  private final VirtualTime time =
      new VirtualTime(
          7,
          failure -> {
            throw new AssertionError(failure.toString(), failure.cause());
          });
  private final ProxiedServer server = new ProxiedServer(URI.create("https://10.0.0.1:6443"));
  private Readiness answer = Readiness.READY;

  @Test
  void aServerIsLeftAfterThreeFailuresAndUsedAgainAfterOneSuccess() {
    try (ReadinessChecks _ = ReadinessChecks.start(server, _ -> answer, time)) {
      time.advance(Duration.ofSeconds(5));
      assertThat(server.isReady()).isTrue();

      answer = Readiness.UNREADY;
      time.advance(ReadinessChecks.PERIOD.multipliedBy(2));
      assertThat(server.isReady()).isTrue();
      time.advance(ReadinessChecks.PERIOD);
      assertThat(server.isReady()).isFalse();
      assertThat(server.isCutOff()).isTrue();

      answer = Readiness.READY;
      time.advance(ReadinessChecks.PERIOD);
      assertThat(server.isReady()).isTrue();
    }
  }

  @Test
  void oneFailureNowAndThenIsNoReasonToLeave() {
    try (ReadinessChecks _ = ReadinessChecks.start(server, _ -> answer, time)) {
      for (int i = 0; i < 20; i++) {
        answer = i % 3 == 0 ? Readiness.READY : Readiness.UNREADY;
        time.advance(ReadinessChecks.PERIOD);
        assertThat(server.isReady()).isTrue();
      }
    }
  }

  @Test
  void aServerThatStopsGetsNothingNewAndKeepsWhatItHas() {
    try (ReadinessChecks _ = ReadinessChecks.start(server, _ -> answer, time)) {
      time.advance(ReadinessChecks.PERIOD);
      answer = Readiness.LEAVING;
      time.advance(ReadinessChecks.PERIOD);
      assertThat(server.isReady()).isFalse();
      time.advance(ReadinessChecks.PERIOD.multipliedBy(20));
      assertThat(server.isCutOff()).isFalse();

      answer = Readiness.READY;
      time.advance(ReadinessChecks.PERIOD);
      assertThat(server.isReady()).isTrue();
    }
  }

  /** It may have been stopped, or its machine cut off, in the middle of leaving. */
  @Test
  void aServerThatStopsAndHangsThenIsLeftWithItsConnections() {
    try (ReadinessChecks _ = ReadinessChecks.start(server, _ -> answer, time)) {
      answer = Readiness.LEAVING;
      time.advance(ReadinessChecks.PERIOD);
      answer = Readiness.UNREADY;
      time.advance(ReadinessChecks.PERIOD.multipliedBy(3));
      assertThat(server.isCutOff()).isTrue();
    }
  }

  @Test
  void aServerSaysByTheNameOfTheCheckThatItStops() {
    String stopping = "[+]ping ok\n[-]shutdown failed: reason withheld\nreadyz check failed\n";
    String broken = "[+]ping ok\n[-]store failed: reason withheld\nreadyz check failed\n";
    assertThat(Readiness.of(200, "ok")).isEqualTo(Readiness.READY);
    assertThat(Readiness.of(500, stopping)).isEqualTo(Readiness.LEAVING);
    assertThat(Readiness.of(500, broken)).isEqualTo(Readiness.UNREADY);
    assertThat(Readiness.of(503, "")).isEqualTo(Readiness.UNREADY);
  }
}
