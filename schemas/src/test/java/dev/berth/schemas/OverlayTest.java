package dev.berth.schemas;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.model.schema.Merging;
import java.util.List;
import org.junit.jupiter.api.Test;

class OverlayTest {

  @Test
  void findsRowsOfTypesAndFieldsAndTheOnesThatFitNothing() {
    Overlay overlay =
        new Overlay(
            List.of(
                "# facts",
                "type\tfield\tlistType\tlistMapKeys\tpatchStrategy\tpatchMergeKey\tmapType",
                "a.Pod\tports\tmap\tport,protocol\tmerge,retainKeys\tport\t",
                "a.Pod\t\t\t\t\t\tatomic",
                "a.Gone\tfield\tset\t\t\t\t"));
    assertThat(overlay.of("a.Pod", "ports").listMapKeys()).containsExactly("port", "protocol");
    assertThat(overlay.of("a.Pod", "name")).isEqualTo(Merging.UNSPECIFIED);
    assertThat(overlay.of("a.Pod")).isEqualTo(Merging.MapType.ATOMIC);
    assertThat(overlay.unused()).containsExactly("a.Gone field");
  }

  @Test
  void refusesWhatItCannotRead() {
    assertThatThrownBy(() -> new Overlay(List.of("a.Pod\tports\tmap")))
        .hasMessage("expected 7 columns: a.Pod\tports\tmap");
    assertThatThrownBy(() -> new Overlay(List.of("a.Pod\tports\t\t\tblend\t\t")))
        .hasMessage("not a patch strategy: blend");
    String row = "a.Pod\tports\tset\t\t\t\t";
    assertThatThrownBy(() -> new Overlay(List.of(row, row)))
        .hasMessageStartingWith("a row occurs twice: a.Pod");
  }
}
