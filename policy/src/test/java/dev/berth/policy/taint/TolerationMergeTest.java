package dev.berth.policy.taint;

import static dev.berth.model.core.TaintEffect.NO_EXECUTE;
import static dev.berth.model.core.TaintEffect.NO_SCHEDULE;
import static dev.berth.model.core.Toleration.equal;
import static dev.berth.model.core.Toleration.exists;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.model.core.Toleration;
import dev.berth.model.core.TolerationOperator;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Lists of tolerations put together and compared. */
class TolerationMergeTest {
  private static final Toleration EVERYTHING =
      new Toleration("", TolerationOperator.EXISTS, "", null, null);

  static Stream<Arguments> pairs() {
    return Stream.of(
        Arguments.of("the same", exists("a", NO_SCHEDULE), exists("a", NO_SCHEDULE), true),
        Arguments.of("another key", exists("b", NO_SCHEDULE), exists("a", NO_SCHEDULE), false),
        Arguments.of("any key", exists("b", NO_SCHEDULE), EVERYTHING, true),
        Arguments.of("another effect", exists("a", NO_EXECUTE), exists("a", NO_SCHEDULE), false),
        Arguments.of(
            "a value within any value",
            equal("a", "x", NO_SCHEDULE),
            exists("a", NO_SCHEDULE),
            true),
        Arguments.of(
            "any value within a value",
            exists("a", NO_SCHEDULE),
            equal("a", "x", NO_SCHEDULE),
            false),
        Arguments.of(
            "fewer seconds",
            exists("a", NO_EXECUTE).seconds(5),
            exists("a", NO_EXECUTE).seconds(9),
            true),
        Arguments.of(
            "more seconds",
            exists("a", NO_EXECUTE).seconds(9),
            exists("a", NO_EXECUTE).seconds(5),
            false),
        Arguments.of(
            "for ever within some seconds",
            exists("a", NO_EXECUTE),
            exists("a", NO_EXECUTE).seconds(5),
            false));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("pairs")
  void oneIsWithinAnother(String name, Toleration toleration, Toleration other, boolean within) {
    assertThat(TolerationMerge.isWithin(toleration, other)).as(name).isEqualTo(within);
  }

  @Test
  void whatIsWithinAnotherIsLeftOut() {
    assertThat(
            TolerationMerge.merge(
                List.of(exists("a", NO_SCHEDULE)),
                List.of(equal("a", "x", NO_SCHEDULE), exists("b", NO_SCHEDULE))))
        .containsExactly(exists("a", NO_SCHEDULE), exists("b", NO_SCHEDULE));
  }

  @Test
  void eachMustBeWithinOneOfTheList() {
    List<Toleration> list = List.of(exists("a", NO_SCHEDULE));
    assertThat(TolerationMerge.allWithin(List.of(equal("a", "x", NO_SCHEDULE)), list)).isTrue();
    assertThat(TolerationMerge.allWithin(List.of(exists("b", NO_SCHEDULE)), list)).isFalse();
  }
}
