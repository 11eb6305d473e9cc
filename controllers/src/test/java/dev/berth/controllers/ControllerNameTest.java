package dev.berth.controllers;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.controllers.ControllerName.Chosen;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code --controllers}, as upstream reads it. */
class ControllerNameTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "node-ipam-controller|NODE_IPAM",
        "nodeipam,podgc|POD_COLLECTION NODE_IPAM",
        "-podgc,podgc|''",
        "podgc,-podgc|POD_COLLECTION",
      })
  void chooses(String said, String names) {
    assertThat(ControllerName.choose(List.of(said.split(","))))
        .isInstanceOfSatisfying(
            Chosen.Valid.class,
            valid ->
                assertThat(String.join(" ", valid.names().stream().map(Enum::name).toList()))
                    .isEqualTo(names));
  }

  @ParameterizedTest
  @CsvSource({"*,''", "-nodelifecycle *,NODE_LIFECYCLE", "* -replicaset,REPLICA_SETS"})
  void aStarIsEverybodyWhoIsNotNamed(String said, String left) {
    Set<ControllerName> rest = ControllerName.all();
    rest.removeIf(name -> name.name().equals(left));
    assertThat(ControllerName.choose(List.of(said.split(" ")))).isEqualTo(new Chosen.Valid(rest));
  }

  @Test
  void namesWhatNobodyKnows() {
    assertThat(ControllerName.choose(List.of("*", "-deploymint-controller")))
        .isEqualTo(new Chosen.Unknown("deploymint-controller"));
    assertThat(ControllerName.choose(List.of(""))).isEqualTo(new Chosen.Unknown(""));
  }
}
