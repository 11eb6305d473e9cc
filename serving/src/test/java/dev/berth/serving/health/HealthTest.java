package dev.berth.serving.health;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.component.ComponentHealth;
import dev.berth.component.HealthCheck;
import dev.berth.http.Response;
import dev.berth.store.memory.MemoryStore;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class HealthTest {
  private final AtomicReference<String> problem = new AtomicReference<>("");
  private final MemoryStore store = new MemoryStore();
  private final Health health =
      new Health(
          store,
          new ComponentHealth(),
          List.of(
              new HealthCheck(
                  "disk", () -> Optional.of(problem.get()).filter(text -> !text.isEmpty()))));

  @AfterEach
  void close() {
    store.close();
  }

  private String ask(String path, boolean verbose, String... excluded) {
    return health
        .answer(path, verbose, Set.of(excluded))
        .map(answer -> answer.status() + " " + text(answer))
        .orElse("none");
  }

  private static String text(Response answer) {
    return new String(answer.body().getFirst(), UTF_8);
  }

  @Test
  void whoIsWellSaysOkAndWhenAskedWhatWasChecked() {
    assertThat(ask("/readyz", false)).isEqualTo("200 ok");
    assertThat(ask("/readyz", true))
        .isEqualTo(
            "200 [+]ping ok\n[+]store ok\n[+]disk ok\n[+]shutdown ok\nreadyz check passed\n");
    assertThat(ask("/livez", true))
        .isEqualTo("200 [+]ping ok\n[+]store ok\n[+]disk ok\nlivez check passed\n");
    assertThat(ask("/healthz", false)).isEqualTo("200 ok");
  }

  @Test
  void aFailureIsShownWithoutItsReasonAndTheCheckByItselfTellsIt() {
    problem.set("on fire");
    assertThat(ask("/livez", false))
        .isEqualTo(
            "500 [+]ping ok\n[+]store ok\n[-]disk failed: reason withheld\nlivez check failed\n");
    assertThat(ask("/livez/disk", false)).isEqualTo("500 internal server error: on fire\n");
    assertThat(ask("/livez/ping", false)).isEqualTo("200 ok");
    assertThat(ask("/livez/absent", false)).isEqualTo("none");
  }

  @Test
  void checksCanBeLeftOut() {
    problem.set("on fire");
    assertThat(ask("/livez", true, "disk", "absent"))
        .isEqualTo(
            """
            200 [+]ping ok
            [+]store ok
            [+]disk excluded: ok
            warn: some health checks cannot be excluded: no matches for "absent"
            livez check passed
            """);
    assertThat(ask("/livez", false, "disk")).isEqualTo("200 ok");
  }

  @Test
  void whoShutsDownIsAliveButNotReady() {
    health.shutDown();
    assertThat(ask("/livez", false)).isEqualTo("200 ok");
    assertThat(ask("/readyz", false)).startsWith("500").contains("[-]shutdown failed");
    assertThat(ask("/readyz/shutdown", false)).contains("process is shutting down");
  }
}
