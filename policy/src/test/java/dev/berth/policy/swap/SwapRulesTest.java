package dev.berth.policy.swap;

import static dev.berth.model.fixture.Fixtures.object;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.model.core.ContainerView;
import dev.berth.model.tree.JsonObject;
import dev.berth.policy.pod.QosClass;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A machine with 8 GiB of memory and 4 GiB of swap. */
class SwapRulesTest {
  private static final long GIB = 1L << 30;

  private static JsonObject memory(String amount) {
    return amount.equals("-") ? JsonObject.EMPTY : object("memory", amount);
  }

  @ParameterizedTest(name = "{0} v{1}, {2} {3}, {4} of {5}: {6}")
  @CsvSource({
    "NoSwap,        2, BURSTABLE,   regular,  2Gi, 4Gi,   0 never",
    "NoSwap,        1, BURSTABLE,   regular,  2Gi, 4Gi,   0 never",
    "LimitedSwap,   2, BURSTABLE,   regular,  2Gi, 4Gi,   1073741824",
    "LimitedSwap,   2, BURSTABLE,   regular,  2Gi, -,     1073741824",
    "LimitedSwap,   2, BURSTABLE,   regular,  1Mi, -,     524288",
    "LimitedSwap,   2, BURSTABLE,   regular,  8Gi, -,     4294967296",
    "LimitedSwap,   2, BURSTABLE,   regular,  9Gi, -,     0 never",
    "LimitedSwap,   2, BURSTABLE,   regular,  2Gi, 2Gi,   0 never",
    "LimitedSwap,   2, BURSTABLE,   regular,  -,   -,     0 never",
    "LimitedSwap,   2, BURSTABLE,   critical, 2Gi, 4Gi,   0 never",
    "LimitedSwap,   2, GUARANTEED,  regular,  2Gi, 2Gi,   0 never",
    "LimitedSwap,   2, BEST_EFFORT, regular,  -,   -,     0 never",
    "LimitedSwap,   1, BURSTABLE,   regular,  2Gi, 4Gi,   0",
    "LimitedSwap,   1, GUARANTEED,  regular,  2Gi, 2Gi,   0 never",
    "LimitedSwap,   1, BEST_EFFORT, regular,  -,   -,     0 never",
    "UnlimitedSwap, 2, BURSTABLE,   regular,  2Gi, 4Gi,   no limit",
    "UnlimitedSwap, 1, BEST_EFFORT, regular,  -,   -,     no limit",
    "UnlimitedSwap, 2, BURSTABLE,   critical, 2Gi, 4Gi,   0 never",
  })
  void shares(
      String behavior,
      int version,
      QosClass qos,
      String kind,
      String request,
      String limit,
      String expected) {
    ContainerView container =
        new ContainerView("c", memory(request), memory(limit), false, List.of());
    SwapRules.Share share =
        new SwapRules(SwapBehavior.of(behavior).orElseThrow(), version == 2, 8 * GIB, 4 * GIB)
            .of(qos, kind.equals("critical"), container);
    String bytes = share.bytes().isPresent() ? "" + share.bytes().getAsLong() : "no limit";
    assertThat(bytes + (share.isSwappable() ? "" : " never")).isEqualTo(expected);
  }
}
