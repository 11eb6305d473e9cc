package dev.berth.sim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.client.Api;
import dev.berth.client.ApiResult;
import dev.berth.client.ListRequest;
import dev.berth.client.Resources;
import dev.berth.client.WatchRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Who is cut off knows it at once, in an order that is the same in every process. */
class CuttableNetworkTest {
  private static final List<Integer> WATCHES = IntStream.range(0, 50).boxed().toList();

  private static final WatchRequest PODS = new WatchRequest(Resources.PODS, "", "", "", "1", false);

  private final List<Integer> told = new ArrayList<>();

  private void watch(Api api) {
    for (int number : WATCHES) {
      api.watch(PODS, () -> told.add(number));
    }
  }

  @Test
  void watchesBreakInTheOrderInWhichTheyBegan() {
    try (VirtualCluster cluster = new VirtualCluster(1)) {
      CuttableNetwork network = new CuttableNetwork();
      Api api = network.between("controllers", cluster.admin());
      watch(api);
      told.clear();
      network.cut("controllers");
      assertThat(told).isEqualTo(WATCHES);
      assertThat(api.list(ListRequest.of(Resources.PODS)))
          .isInstanceOf(ApiResult.Unreachable.class);
    }
  }

  @Test
  void watchesOfAServerThatCrashesBreakInTheOrderInWhichTheyBegan() {
    try (VirtualCluster cluster = new VirtualCluster(1)) {
      watch(cluster.admin());
      told.clear();
      cluster.crashServer();
      assertThat(told).endsWith(WATCHES.toArray(Integer[]::new));
      cluster.startServer();
    }
  }
}
