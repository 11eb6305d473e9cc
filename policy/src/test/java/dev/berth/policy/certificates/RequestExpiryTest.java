package dev.berth.policy.certificates;

import static dev.berth.model.fixture.Fixtures.tree;
import static dev.berth.policy.certificates.Requests.NOW;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.model.certificates.CertificateRequestTree;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which requests are deleted, and when. */
class RequestExpiryTest {

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          pending for a day                  | PT24H | none     | PT0S  | no  |       |
          pending for longer                 | PT25H | none     | PT0S  | no  |       | it is more than a day old and unhandled
          approved for an hour               | PT1H  | Approved | PT1H  | yes | PT10H |
          approved for longer                | PT2H  | Approved | PT61M | yes | PT10H | it was signed more than an hour ago
          approved and unsigned for an hour  | PT2H  | Approved | PT61M | no  |       |
          approved and unsigned for a day    | PT30H | Approved | PT25H | no  |       | it is approved but unsigned for more than a day
          denied for an hour                 | PT1H  | Denied   | PT1H  | no  |       |
          denied for longer                  | PT2H  | Denied   | PT61M | no  |       | it was denied more than an hour ago
          failed for longer                  | PT2H  | Failed   | PT61M | no  |       | it failed more than an hour ago
          expired                            | PT30M | Approved | PT20M | yes | PT-1S | its certificate is expired
          """)
  void deletes(
      String name,
      Duration age,
      String condition,
      Duration since,
      String issued,
      @Nullable Duration left,
      @Nullable String reason) {
    String conditions =
        condition.equals("none")
            ? ""
            : "{'type':'%s','status':'True','lastUpdateTime':'%s'}"
                .formatted(condition, NOW.minus(since));
    Optional<Instant> end = Optional.ofNullable(left).map(NOW::plus);
    var request =
        tree(
            "{'metadata':{'name':'r','creationTimestamp':'%s'},'status':{'conditions':[%s]%s}}"
                .formatted(
                    NOW.minus(age),
                    conditions,
                    issued.equals("yes") ? ",'certificate':'LS0t'" : ""));
    assertThat(RequestExpiry.reason(new CertificateRequestTree(request), end, NOW).orElse(null))
        .isEqualTo(reason);
  }

  @ParameterizedTest
  @CsvSource({"Approved", "Denied", "Failed"})
  void withoutATimeNothingIsOld(String condition) {
    var request =
        tree(
            "{'metadata':{'name':'r','creationTimestamp':'2020-01-01T00:00:00Z'},'status':{'conditions':[{'type':'%s','status':'True'}]}}"
                .formatted(condition));
    assertThat(RequestExpiry.reason(new CertificateRequestTree(request), Optional.empty(), NOW))
        .isEmpty();
  }
}
