package dev.berth.agent.dbus;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.agent.dbus.BusMessage.Field;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Messages as they go over the wire; what is none is refused, and nothing else happens. */
final class BusMessageTest {
  private static final BusMessage SIGNAL =
      new BusMessage(
          BusMessage.Type.SIGNAL,
          7,
          Map.of(
              Field.PATH, "/a",
              Field.INTERFACE, "b.C",
              Field.MEMBER, "D",
              Field.SIGNATURE, "sa(ssssuu)vtb"),
          List.of(
              "text",
              List.of(List.of("shutdown", "berth", "why", "delay", 0L, 12L)),
              "in a variant",
              1L << 40,
              true));

  @Test
  void whatIsWrittenIsRead() throws IOException {
    byte[] bytes = SIGNAL.encode();
    assertThat(BusMessage.length(bytes, bytes.length)).hasValue(bytes.length);
    assertThat(BusMessage.decode(bytes)).isEqualTo(SIGNAL);
    assertThat(SIGNAL.isSignal("b.C.D")).isTrue();
  }

  /** Four fields of the header, each aligned to 8: of 11, 12, 10 and 12 bytes. */
  @Test
  void aCallIsLaidOutAsSpecified() throws IOException {
    byte[] bytes = BusMessage.call("d.e", "/p", "i.f.M", "").withSerial(1).encode();
    assertThat(Arrays.copyOf(bytes, 16))
        .containsExactly('l', 1, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 60, 0, 0, 0);
    assertThat(bytes).hasSize(80);
  }

  @Test
  void aMessageThatIsCutAnywhereIsRefused() throws IOException {
    byte[] bytes = SIGNAL.encode();
    for (int size = 16; size < bytes.length; size++) {
      byte[] cut = Arrays.copyOf(bytes, size);
      assertThatThrownBy(() -> BusMessage.decode(cut)).isInstanceOf(BusFormatException.class);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"a", "(s", "()", "z", "a{s", "((((((((((((((((((((((((((((((((((s"})
  void signaturesThatAreNoneAreRefused(String signature) {
    assertThatThrownBy(() -> BusSignature.types(signature)).isInstanceOf(BusFormatException.class);
  }

  @Test
  void whatWouldBeTooLargeIsRefusedBeforeItIsReceived() {
    byte[] bytes = {'l', 4, 0, 1, -1, -1, -1, 127, 1, 0, 0, 0, 0, 0, 0, 0};
    assertThatThrownBy(() -> BusMessage.length(bytes, bytes.length))
        .isInstanceOf(BusFormatException.class);
  }
}
