package dev.berth.policy.garbage;

import static dev.berth.model.fixture.Fixtures.tree;
import static dev.berth.policy.garbage.Garbage.OwnerState.ABSENT;
import static dev.berth.policy.garbage.Garbage.OwnerState.AWAITS_DEPENDENTS;
import static dev.berth.policy.garbage.Garbage.OwnerState.SOLID;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.model.meta.Metadata;
import dev.berth.model.meta.OwnerReference;
import dev.berth.policy.garbage.Garbage.Cascade;
import dev.berth.policy.garbage.Garbage.Dependents;
import dev.berth.policy.garbage.Garbage.Owner;
import dev.berth.policy.garbage.Garbage.OwnerState;
import dev.berth.policy.garbage.Garbage.Verdict;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class GarbageTest {
  private static final Dependents SOME = new Dependents(true, false);
  private static final Dependents AWAITING = new Dependents(true, true);

  /** Owners are called 0, 1, 2, in the order of their states. */
  record Row(
      String name,
      List<OwnerState> owners,
      List<String> finalizers,
      Dependents dependents,
      Verdict verdict) {
    @Override
    public String toString() {
      return name;
    }
  }

  private static Verdict keep() {
    return new Verdict.Keep();
  }

  private static Verdict delete(Cascade cascade) {
    return new Verdict.Delete(cascade, false);
  }

  static Stream<Row> rows() {
    List<String> none = List.of();
    return Stream.of(
        new Row("nobody owns it", List.of(), none, Dependents.NONE, keep()),
        new Row("its owner is there", List.of(SOLID), none, SOME, keep()),
        new Row("all owners are there", List.of(SOLID, SOLID), none, SOME, keep()),
        new Row(
            "one of two is gone",
            List.of(ABSENT, SOLID),
            none,
            Dependents.NONE,
            new Verdict.Release(List.of("0"))),
        new Row(
            "one waits and one is gone, but one is there",
            List.of(AWAITS_DEPENDENTS, SOLID, ABSENT),
            none,
            SOME,
            new Verdict.Release(List.of("0", "2"))),
        new Row(
            "its owner is gone",
            List.of(ABSENT),
            none,
            Dependents.NONE,
            delete(Cascade.BACKGROUND)),
        new Row(
            "its owner is gone, and what it owns follows",
            List.of(ABSENT, ABSENT),
            none,
            SOME,
            delete(Cascade.BACKGROUND)),
        new Row(
            "its owner is gone, and a finalizer asks to orphan",
            List.of(ABSENT),
            List.of("x.io/y", "orphan"),
            SOME,
            delete(Cascade.ORPHAN)),
        new Row(
            "its owner is gone, and a finalizer asks for the foreground",
            List.of(ABSENT),
            List.of("foregroundDeletion"),
            SOME,
            delete(Cascade.FOREGROUND)),
        new Row(
            "its owner waits for it, and it owns nothing",
            List.of(AWAITS_DEPENDENTS),
            none,
            Dependents.NONE,
            delete(Cascade.BACKGROUND)),
        new Row(
            "its owner waits for it, and it owns something",
            List.of(ABSENT, AWAITS_DEPENDENTS),
            none,
            SOME,
            delete(Cascade.FOREGROUND)),
        new Row(
            "its owner waits for it, and perhaps for what it owns",
            List.of(AWAITS_DEPENDENTS),
            none,
            AWAITING,
            new Verdict.Delete(Cascade.FOREGROUND, true)));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("rows")
  void judges(Row row) {
    List<Owner> owners = new ArrayList<>();
    for (OwnerState state : row.owners()) {
      String uid = Integer.toString(owners.size());
      owners.add(new Owner(new OwnerReference("v1", "Node", "n", uid, false, true), state));
    }
    assertThat(Garbage.judge(owners, row.finalizers(), row.dependents())).isEqualTo(row.verdict());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "'uid':'u'|SOLID",
        "'uid':'another'|ABSENT",
        "'uid':'u','finalizers':['foregroundDeletion']|SOLID",
        "'uid':'u','deletionTimestamp':'2030-01-01T00:00:00Z'|SOLID",
        "'uid':'u','deletionTimestamp':'2030-01-01T00:00:00Z','finalizers':['orphan']|SOLID",
        "'uid':'u','deletionTimestamp':'2030-01-01T00:00:00Z','finalizers':['foregroundDeletion']|AWAITS_DEPENDENTS",
        "'uid':'v','deletionTimestamp':'2030-01-01T00:00:00Z','finalizers':['foregroundDeletion']|ABSENT",
      },
      quoteCharacter = '`')
  void anOwnerStandsAsItsMetadataSay(String metadata, OwnerState state) {
    assertThat(Garbage.stateOf(new Metadata(tree("{" + metadata + "}")), "u")).isEqualTo(state);
  }
}
