package dev.berth.policy.podrun;

import static dev.berth.model.fixture.Fixtures.tree;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.model.core.PodRules;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Sidecars end after all containers, and in the reverse of the order in which they began. */
final class TerminationOrderTest {
  private static final PodRules POD =
      PodRules.read(
          tree(
              "{'spec':{'initContainers':[{'name':'first','restartPolicy':'Always'},{'name':'init'},"
                  + "{'name':'second','restartPolicy':'Always'}],'containers':[{'name':'c'}]}}"));

  @ParameterizedTest(name = "{0} while {1} run: {2}")
  @CsvSource({
    "c,      first second c, true",
    "second, first second c, false",
    "second, first second,   true",
    "first,  first second c, false",
    "first,  first second,   false",
    "first,  first,          true",
    "init,   init first,     true",
  })
  void turns(String name, String running, boolean expected) {
    assertThat(TerminationOrder.isItsTurn(POD, name, List.of(running.split(" ", -1))))
        .isEqualTo(expected);
  }
}
