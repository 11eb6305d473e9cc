package dev.berth.schemas;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.model.schema.FieldType;
import dev.berth.model.schema.FieldType.Scalar;
import dev.berth.model.schema.ZeroForm;
import java.util.List;
import org.junit.jupiter.api.Test;

class ZeroOverlayTest {

  @Test
  void rowsOverruleWhatIsRequired() {
    ZeroOverlay zeros =
        new ZeroOverlay(
            List.of("# facts", "a.Pod\treplicas\tkept", "a.Pod\tname\tomitted", "a.B\tc\tnull"));
    assertThat(zeros.keeps("a.Pod", "replicas", false)).isTrue();
    assertThat(zeros.keeps("a.Pod", "name", true)).isFalse();
    assertThat(zeros.keeps("a.Pod", "other", true)).isTrue();
    assertThat(zeros.keeps("a.Pod", "other", false)).isFalse();
    assertThat(zeros.unused()).containsExactly("a.B c");
  }

  @Test
  void aFieldWithoutARowHasTheUsualForm() {
    ZeroOverlay zeros = new ZeroOverlay(List.of("a.Pod\tspec\twritten"));
    FieldType object = new FieldType.Reference("a.B");
    FieldType list = new FieldType.ListOf(object);
    assertThat(zeros.form("a.Pod", "spec", object, false)).isEqualTo(ZeroForm.WRITTEN);
    assertThat(zeros.form("a.Pod", "metadata", object, false)).isEqualTo(ZeroForm.WRITTEN);
    assertThat(zeros.form("a.Pod", "other", object, false)).isEqualTo(ZeroForm.KEPT);
    assertThat(zeros.form("a.Pod", "items", list, false)).isEqualTo(ZeroForm.OMITTED);
    assertThat(zeros.form("a.Pod", "items", list, true)).isEqualTo(ZeroForm.NULL);
    assertThat(zeros.form("a.Pod", "name", Scalar.STRING, false)).isEqualTo(ZeroForm.OMITTED);
    assertThat(zeros.form("a.Pod", "name", Scalar.STRING, true)).isEqualTo(ZeroForm.WRITTEN);
    assertThat(zeros.form("a.Pod", "since", Scalar.TIME, true)).isEqualTo(ZeroForm.NULL);
  }

  @Test
  void refusesWhatItCannotRead() {
    assertThatThrownBy(() -> new ZeroOverlay(List.of("a.Pod\tname\tperhaps")))
        .hasMessage("expected kept, omitted, written or null, found perhaps");
    String row = "a.Pod\tname\tkept";
    assertThatThrownBy(() -> new ZeroOverlay(List.of(row, row)))
        .hasMessageStartingWith("a row occurs twice: a.Pod");
  }
}
