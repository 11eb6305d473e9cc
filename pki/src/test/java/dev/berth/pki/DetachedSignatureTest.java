package dev.berth.pki;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Signatures without their content. */
class DetachedSignatureTest {
  @Test
  void theSignatureIsTheOneThatOtherProgramsMake() {
    assertThat(DetachedSignature.of("apiVersion: v1\n", "abcdef", "0123456789abcdef"))
        .isEqualTo(
            "eyJhbGciOiJIUzI1NiIsImtpZCI6ImFiY2RlZiJ9"
                + "..K1chermAQEq0rdqy-ehj0VDfmA_ytv8Wzh9g26FldrE");
  }
}
