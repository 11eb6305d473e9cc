package dev.berth.controllers;

import static org.assertj.core.api.Assertions.assertThat;

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
    assertThat(String.join(" ", chosen(said.split(",")).stream().map(Enum::name).toList()))
        .isEqualTo(names);
  }

  private static Set<ControllerName> chosen(String... said) {
    return switch (ControllerName.choose(List.of(said))) {
      case ControllerChoice.Valid<ControllerName>(Set<ControllerName> names) -> names;
      case ControllerChoice.Unknown<ControllerName>(String name) -> throw new AssertionError(name);
    };
  }

  @ParameterizedTest
  @CsvSource({"*,''", "-nodelifecycle *,NODE_LIFECYCLE", "* -replicaset,REPLICA_SETS"})
  void aStarIsEverybodyWhoIsNotNamed(String said, String left) {
    Set<ControllerName> rest = ControllerName.all();
    rest.removeIf(name -> name.name().equals(left));
    assertThat(chosen(said.split(" "))).isEqualTo(rest);
  }

  @Test
  void namesWhatNobodyKnows() {
    assertThat(ControllerName.choose(List.of("*", "-deploymint-controller")))
        .isEqualTo(new ControllerChoice.Unknown<>("deploymint-controller"));
    assertThat(ControllerName.choose(List.of(""))).isEqualTo(new ControllerChoice.Unknown<>(""));
  }
}
