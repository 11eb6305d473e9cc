package dev.berth.controllers;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.controllers.ControllerName.Chosen;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code --controllers}, as upstream reads it. */
class ControllerNameTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "*|NODE_LIFECYCLE TAINT_EVICTION POD_COLLECTION NODE_IPAM NODE_LEASES",
        "node-ipam-controller|NODE_IPAM",
        "nodeipam,podgc|POD_COLLECTION NODE_IPAM",
        "-nodelifecycle,*|TAINT_EVICTION POD_COLLECTION NODE_IPAM NODE_LEASES",
        "*,-taint-eviction-controller|NODE_LIFECYCLE POD_COLLECTION NODE_IPAM NODE_LEASES",
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

  @Test
  void namesWhatNobodyKnows() {
    assertThat(ControllerName.choose(List.of("*", "-deployment-controller")))
        .isEqualTo(new Chosen.Unknown("deployment-controller"));
    assertThat(ControllerName.choose(List.of(""))).isEqualTo(new Chosen.Unknown(""));
  }
}
