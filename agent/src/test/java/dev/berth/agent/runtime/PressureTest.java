package dev.berth.agent.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class PressureTest {

  @Test
  void readsWhatTheKernelWrites() {
    assertThat(
            Pressure.parse(
                """
                some avg10=90.43 avg60=78.90 avg300=47.84 total=325749132
                full avg10=0.00 avg60=0.50 avg300=1.00 total=7
                """))
        .isEqualTo(
            new Pressure(
                new Pressure.Share(90.43, 78.9, 47.84, 325_749_132),
                new Pressure.Share(0, 0.5, 1, 7)));
  }

  @Test
  void whatTheKernelDoesNotCountIsNothing() {
    assertThat(Pressure.parse("")).isEqualTo(Pressure.NONE);
    assertThat(Pressure.parse("some avg10=1.00 avg60=1.00 avg300=1.00 total=5\n").full())
        .isEqualTo(Pressure.Share.NONE);
  }
}
