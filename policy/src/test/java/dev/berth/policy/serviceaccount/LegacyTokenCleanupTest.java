package dev.berth.policy.serviceaccount;

import static dev.berth.model.fixture.Fixtures.tree;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.model.tree.JsonObject;
import dev.berth.model.user.TokenSecret;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tokens that nobody asked for and nobody uses are marked invalid, and later deleted. */
class LegacyTokenCleanupTest {
  private static final Instant NOW = Instant.parse("2026-11-17T12:00:00Z");
  private static final JsonObject ACCOUNT =
      tree("{'metadata':{'name':'robot','uid':'u1'},'secrets':[{'name':'robot-token'}]}");

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      value = {
        "never used|2024-01-01|2025-01-01||u1|false|Invalidate[day=2026-11-17]",
        "not tracked for long|2026-11-01|2025-01-01||u1|false|Keep[]",
        "tracked for a day too few|2025-11-17|2025-01-01||u1|false|Keep[]",
        "tracked long enough|2025-11-16|2025-01-01||u1|false|Invalidate[day=2026-11-17]",
        "too new|2024-01-01|2026-01-01||u1|false|Keep[]",
        "used a year ago|2024-01-01|2025-01-01|'kubernetes.io/legacy-token-last-used':'2025-11-17'|u1|false|Keep[]",
        "not used since|2024-01-01|2025-01-01|'kubernetes.io/legacy-token-last-used':'2025-11-16'|u1|false|Invalidate[day=2026-11-17]",
        "used nobody knows when|2024-01-01|2025-01-01|'kubernetes.io/legacy-token-last-used':'x'|u1|false|Keep[]",
        "of another account|2024-01-01|2025-01-01||u2|false|Keep[]",
        "mounted|2024-01-01|2025-01-01||u1|true|Keep[]",
        "invalid for a while|2024-01-01|2025-01-01|'kubernetes.io/legacy-token-invalid-since':'2026-01-01'|u1|false|Keep[]",
        "invalid for a year|2024-01-01|2024-01-01|'kubernetes.io/legacy-token-invalid-since':'2025-11-16'|u1|false|Delete[]",
        "invalid nobody knows since when|2024-01-01|2024-01-01|'kubernetes.io/legacy-token-invalid-since':'x'|u1|false|Invalidate[day=2026-11-17]",
      })
  void decides(
      String name,
      String since,
      String created,
      @Nullable String labels,
      String uid,
      boolean isMounted,
      String expected) {
    LegacyTokenCleanup cleanup =
        new LegacyTokenCleanup(LocalDate.parse(since), Duration.ofDays(365));
    TokenSecret secret = secret("robot-token", created, labels == null ? "" : labels, uid);
    assertThat(cleanup.decide(secret, Optional.of(ACCOUNT), isMounted, NOW)).hasToString(expected);
    assertThat(cleanup.decide(secret, Optional.empty(), isMounted, NOW)).hasToString("Keep[]");
    TokenSecret made = secret("made-by-people", created, "", uid);
    assertThat(cleanup.decide(made, Optional.of(ACCOUNT), isMounted, NOW)).hasToString("Keep[]");
  }

  private static TokenSecret secret(String name, String created, String labels, String uid) {
    return new TokenSecret(
        tree(
            ("{'type':'kubernetes.io/service-account-token','metadata':{'namespace':'ns','name':'%s',"
                    + "'creationTimestamp':'%sT00:00:00Z','labels':{%s},'annotations':{"
                    + "'kubernetes.io/service-account.name':'robot',"
                    + "'kubernetes.io/service-account.uid':'%s'}}}")
                .formatted(name, created, labels, uid)));
  }
}
