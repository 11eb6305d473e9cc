package dev.berth.client;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class DeleteOptionsTest {
  @Test
  void nothingInParticularNeedsNoBody() {
    assertThat(DeleteOptions.NONE.toTree().isEmpty()).isTrue();
  }

  @Test
  void whatIsAskedForIsWritten() {
    DeleteOptions all =
        DeleteOptions.NONE
            .grace(0)
            .onlyUid("u")
            .onlyRevision("7")
            .propagation(DeleteOptions.Propagation.FOREGROUND);

    assertThat(all.toTree())
        .hasToString(
            "{\"kind\":\"DeleteOptions\",\"apiVersion\":\"v1\",\"gracePeriodSeconds\":0,"
                + "\"preconditions\":{\"uid\":\"u\",\"resourceVersion\":\"7\"},"
                + "\"propagationPolicy\":\"Foreground\"}");
  }
}
