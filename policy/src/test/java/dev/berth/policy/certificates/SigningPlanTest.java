package dev.berth.policy.certificates;

import static dev.berth.policy.certificates.Requests.CLIENT;
import static dev.berth.policy.certificates.Requests.NOW;
import static dev.berth.policy.certificates.Requests.SERVING;
import static dev.berth.policy.certificates.Requests.node;
import static dev.berth.policy.certificates.Requests.request;
import static dev.berth.policy.certificates.Requests.with;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.model.tree.JsonObject;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What becomes of approved requests, and how long their certificates are valid. */
class SigningPlanTest {
  private static final Duration YEAR = Duration.ofHours(8760);
  private static final CertificateRequest GOOD =
      request("kube-apiserver-client-kubelet", "u", "g", CLIENT, node("a"));

  private static SigningPlan decide(CertificateRequest request) {
    return SigningPlan.decide(
        new SigningPlan.Snapshot(request, EnumSet.allOf(KubernetesSigner.class), YEAR), NOW);
  }

  @Test
  void whatIsApprovedIsSigned() {
    CertificateRequest approved = with(GOOD, "Approved");
    assertThat(decide(approved).actions())
        .containsExactly(
            new SigningAction.Sign(
                approved, KubernetesSigner.KUBELET_CLIENT, YEAR.minusMinutes(5)));
    assertThat(decide(approved).withStatus()).isEqualTo(approved.tree());
  }

  @Test
  void whatIsNotOrNotOursIsLeftAlone() {
    assertLeftAlone(decide(GOOD));
    assertLeftAlone(decide(with(GOOD, "Denied")));
    assertLeftAlone(decide(with(GOOD, "Approved", "Denied")));
    assertLeftAlone(decide(with(GOOD, "Approved", "Failed")));
    assertLeftAlone(
        SigningPlan.decide(
            new SigningPlan.Snapshot(
                with(GOOD, "Approved"), Set.of(KubernetesSigner.KUBELET_SERVING), YEAR),
            NOW));
    CertificateRequest issued =
        CertificateRequest.read(
            with(GOOD, "Approved")
                .tree()
                .with(
                    "status",
                    with(GOOD, "Approved").tree().object("status").with("certificate", "LS0t")),
            GOOD.requested());
    assertLeftAlone(decide(issued));
  }

  private static void assertLeftAlone(SigningPlan plan) {
    assertThat(plan.actions()).isEmpty();
    assertThat(plan.withStatus().object("status").array("conditions").toString())
        .doesNotContain("SignerValidationFailure");
  }

  @Test
  void whatTheSignerDoesNotSignFailsForGood() {
    CertificateRequest wrong =
        request("kube-apiserver-client-kubelet", "u", "g", SERVING, node("a"));
    SigningPlan plan = decide(with(wrong, "Approved"));
    assertThat(plan.actions()).isEmpty();
    JsonObject failed = plan.withStatus().object("status").array("conditions").objects().getLast();
    assertThat(failed.text("type")).isEqualTo("Failed");
    assertThat(failed.text("status")).isEqualTo("True");
    assertThat(failed.text("reason")).isEqualTo("SignerValidationFailure");
    assertThat(failed.text("message"))
        .isEqualTo("usages did not match [client auth digital signature key encipherment]");
    assertThat(failed.text("lastUpdateTime")).isEqualTo("2026-05-01T12:00:00Z");

    SigningPlan unreadable =
        decide(CertificateRequest.read(with(GOOD, "Approved").tree(), Optional.empty()));
    assertThat(unreadable.withStatus().toString()).contains("unable to parse csr \\\"r\\\"");
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          nothing asked for: all that is allowed, from five minutes ago |       | 8760h | PT8759H55M
          more than is allowed                                          | 9000h | 8760h | PT8759H55M
          less than is allowed                                          | 24h   | 8760h | PT23H55M
          eight hours                                                   | 8h    | 8760h | PT7H55M
          less than eight hours count from now                          | 7h    | 8760h | PT7H
          ten minutes are the least                                     | 0h    | 8760h | PT10M
          unless less is allowed                                        | 1h    | 0h    | PT0S
          """)
  void theDurationIsBounded(String name, @Nullable String asked, String most, Duration validity) {
    assertThat(
            SigningDuration.of(Optional.ofNullable(asked).map(SigningPlanTest::hours), hours(most)))
        .isEqualTo(validity);
  }

  private static Duration hours(String text) {
    return Duration.ofHours(Long.parseLong(text.replace("h", "")));
  }
}
