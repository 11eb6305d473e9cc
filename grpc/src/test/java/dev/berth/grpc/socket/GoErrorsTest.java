package dev.berth.grpc.socket;

import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.Status;
import java.io.IOException;
import org.junit.jupiter.api.Test;

/** What whoever reads a log learns of a call that failed. */
class GoErrorsTest {
  @Test
  void saysWhatTheOtherSideSaid() {
    assertThat(GoErrors.text(Status.NOT_FOUND.withDescription("no pod").asRuntimeException()))
        .isEqualTo("rpc error: code = NotFound desc = no pod");
  }

  @Test
  void aConnectionThatFailsIsToldByItsCause() {
    IOException cause = new IOException("No such file or directory: /run/c.sock");
    Status failed = Status.UNAVAILABLE.withCause(cause);
    String told = "rpc error: code = Unavailable desc = No such file or directory: /run/c.sock";
    assertThat(GoErrors.text(failed.asRuntimeException())).isEqualTo(told);
    assertThat(GoErrors.text(failed.withDescription("io exception").asRuntimeException()))
        .isEqualTo(told);
  }
}
