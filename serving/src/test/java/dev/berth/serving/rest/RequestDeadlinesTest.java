package dev.berth.serving.rest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.registry.admission.AdmissionChain;
import dev.berth.registry.admission.AdmissionPlugin;
import dev.berth.registry.admission.AdmissionRequest;
import dev.berth.registry.fixture.TestCluster;
import dev.berth.serving.fixture.FakeExchange;
import dev.berth.serving.fixture.Requests;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Nobody waits for ever for an answer. */
class RequestDeadlinesTest {
  private static final String CONFIG_MAPS = "/api/v1/namespaces/default/configmaps";

  private final CountDownLatch arrived = new CountDownLatch(1);
  private final CountDownLatch released = new CountDownLatch(1);

  /** Holds the write of an object that is called "slow" for as long as the test wants. */
  private final AdmissionPlugin slow =
      new AdmissionPlugin() {
        @Override
        public void validate(AdmissionRequest request) {
          if (request.name().name().equals("slow")) {
            arrived.countDown();
            try {
              released.await();
            } catch (InterruptedException e) {
              throw new AssertionError(e);
            }
          }
        }
      };

  private final TestCluster cluster = new TestCluster(_ -> new AdmissionChain(List.of(slow)));
  private final Requests requests = new Requests(cluster);

  @AfterEach
  void close() {
    requests.close();
  }

  @ParameterizedTest
  @CsvSource(
      textBlock =
          """
          '', 60
          ?timeout=0s, 60
          ?timeout=2h, 60
          ?timeout=5s, 5
          ?timeout=1500ms, 2
          """)
  void answersWhatTakesTooLong(String query, int seconds) throws Exception {
    FakeExchange request =
        new FakeExchange("POST", CONFIG_MAPS + query)
            .with("User", "root")
            .body("{'metadata':{'name':'slow'}}");
    CompletableFuture<Void> handled = CompletableFuture.runAsync(() -> requests.handle(request));
    arrived.await();
    cluster.time.advance(Duration.ofSeconds(seconds - 1));
    assertThat(request.status()).isZero();
    cluster.time.advance(Duration.ofSeconds(2));
    assertThat(request.status()).isEqualTo(504);
    released.countDown();
    handled.get();
    assertThat(request.answer())
        .contains(
            "Timeout: request did not complete within requested timeout - context deadline"
                + " exceeded");
    assertThat(requests.get(CONFIG_MAPS + "/slow").status()).isEqualTo(200);
  }

  @ParameterizedTest
  @ValueSource(strings = {"soon", "5", "s", "1x"})
  void refusesATimeThatIsNone(String timeout) {
    Requests.Answer answer = requests.get(CONFIG_MAPS + "?timeout=" + timeout);
    assertThat(answer.status()).isEqualTo(400);
    assertThat(answer.message())
        .isEqualTo(
            "invalid timeout specified in the request URL - time: invalid duration \"%s\""
                .formatted(timeout));
  }

  @Test
  void answersInTimeAsEver() {
    Requests.Answer answer = requests.get(CONFIG_MAPS + "?timeout=1s");
    cluster.time.advance(Duration.ofMinutes(5));
    assertThat(answer.exchange().status()).isEqualTo(200);
  }
}
