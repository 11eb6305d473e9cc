package dev.berth.policy.pressure;

import static dev.berth.policy.pressure.PodConsumptionFixture.pod;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class EvictionOrderTest {
  private static List<String> order(
      Signal signal, boolean imageFilesystem, PodConsumptionFixture... pods) {
    return EvictionOrder.of(
            Arrays.stream(pods).map(PodConsumptionFixture::made).toList(), signal, imageFilesystem)
        .stream()
        .map(PodConsumption::name)
        .toList();
  }

  @Test
  void whoUsesMoreMemoryThanRequestedGoesFirstWhateverItsPriority() {
    assertThat(
            order(
                Signal.MEMORY_AVAILABLE,
                false,
                pod("within").requests("memory", "500Mi").memory(400),
                pod("above, important").priority(1000).requests("memory", "100Mi").memory(150),
                pod("above").requests("memory", "100Mi").memory(101)))
        .containsExactly("above", "above, important", "within");
  }

  @Test
  void ofEqualPriorityWhoIsFurthestAboveItsRequestGoesFirst() {
    assertThat(
            order(
                Signal.ALLOCATABLE_MEMORY_AVAILABLE,
                false,
                pod("big within its request").requests("memory", "4Gi").memory(4000),
                pod("200 above").requests("memory", "1Gi").memory(1224),
                pod("300 without a request").memory(300)))
        .containsExactly("300 without a request", "200 above", "big within its request");
  }

  @Test
  void whoeverIsNotMeasuredGoesBeforeAllOthers() {
    assertThat(
            order(
                Signal.MEMORY_AVAILABLE,
                false,
                pod("above").memory(1000),
                pod("unknown").priority(1000).unknown()))
        .containsExactly("unknown", "above");
  }

  @Test
  void processesAreCountedWithinAPriority() {
    assertThat(
            order(
                Signal.PID_AVAILABLE,
                false,
                pod("many, important").priority(10).processes(1000),
                pod("few").processes(2),
                pod("some").processes(20)))
        .containsExactly("some", "few", "many, important");
  }

  @Test
  void onOneFileSystemAllThatWasWrittenCounts() {
    assertThat(
            order(
                Signal.NODE_FS_AVAILABLE,
                false,
                pod("root").writes(10, 0, 0),
                pod("volume").writes(0, 0, 30),
                pod("logs").writes(0, 20, 0)))
        .containsExactly("volume", "logs", "root");
  }

  @Test
  void onTwoFileSystemsEachCountsWhatIsOnIt() {
    PodConsumptionFixture root = pod("root").writes(100, 0, 1);
    PodConsumptionFixture volume = pod("volume").writes(1, 0, 100);
    assertThat(order(Signal.NODE_FS_AVAILABLE, true, root, volume))
        .containsExactly("volume", "root");
    assertThat(order(Signal.IMAGE_FS_AVAILABLE, true, volume, root))
        .containsExactly("root", "volume");
    assertThat(order(Signal.CONTAINER_FS_AVAILABLE, true, volume, root))
        .containsExactly("root", "volume");
  }

  @Test
  void inodesAreCountedByTheirNumber() {
    assertThat(
            order(
                Signal.NODE_FS_INODES_FREE,
                false,
                pod("few large files").writes(1000, 0, 1000).inodes(1, 1),
                pod("many small files").writes(1, 0, 1).inodes(500, 500)))
        .containsExactly("many small files", "few large files");
  }
}
