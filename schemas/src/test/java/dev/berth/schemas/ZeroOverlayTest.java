package dev.berth.schemas;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

class ZeroOverlayTest {

  @Test
  void rowsOverruleWhatIsRequired() {
    ZeroOverlay zeros =
        new ZeroOverlay(
            List.of("# facts", "a.Pod\treplicas\tkeep", "a.Pod\tname\tdrop", "a.B\tc\tkeep"));
    assertThat(zeros.keeps("a.Pod", "replicas", false)).isTrue();
    assertThat(zeros.keeps("a.Pod", "name", true)).isFalse();
    assertThat(zeros.keeps("a.Pod", "other", true)).isTrue();
    assertThat(zeros.keeps("a.Pod", "other", false)).isFalse();
    assertThat(zeros.unused()).containsExactly("a.B c");
  }

  @Test
  void refusesWhatItCannotRead() {
    assertThatThrownBy(() -> new ZeroOverlay(List.of("a.Pod\tname\tperhaps")))
        .hasMessage("expected a type, a field, and keep or drop: a.Pod\tname\tperhaps");
    String row = "a.Pod\tname\tkeep";
    assertThatThrownBy(() -> new ZeroOverlay(List.of(row, row)))
        .hasMessageStartingWith("a row occurs twice: a.Pod");
  }
}
