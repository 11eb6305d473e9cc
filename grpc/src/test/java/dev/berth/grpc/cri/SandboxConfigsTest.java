package dev.berth.grpc.cri;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.berth.agent.runtime.CpuQuota;
import dev.berth.agent.runtime.Limits;
import dev.berth.agent.runtime.SandboxSpec;
import dev.berth.agent.runtime.process.TestPod;
import dev.berth.grpc.criapi.Cri;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a runtime is told of the sizes of sandboxes and containers. */
class SandboxConfigsTest {
  private static final Path LOGS = Path.of("/logs");

  private static Limits limits(long quota, long memory) {
    return new Limits(
        512,
        Optional.of(new CpuQuota(quota, 100_000)),
        OptionalLong.of(memory),
        OptionalLong.empty(),
        OptionalLong.empty(),
        0,
        "",
        "",
        true);
  }

  @Test
  void sizeAndOverheadAreToldApart() {
    SandboxSpec spec =
        TestPod.named("web")
            .sandbox()
            .withSize(new SandboxSpec.Size(limits(200_000, 64), Optional.of(limits(25_000, 12))));
    Cri.LinuxPodSandboxConfig linux =
        SandboxConfigs.of(spec, 0, Cri.IDMapping.getDefaultInstance(), LOGS).getLinux();
    assertThat(linux.getResources().getMemoryLimitInBytes()).isEqualTo(64);
    assertThat(linux.getResources().getCpuQuota()).isEqualTo(200_000);
    assertThat(linux.getOverhead().getMemoryLimitInBytes()).isEqualTo(12);
    assertThat(linux.getOverhead().getCpuQuota()).isEqualTo(25_000);
  }

  private static final CgroupFeatures VERSION_1 = new CgroupFeatures(false, true, List.of("2MB"));
  private static final CgroupFeatures VERSION_2 =
      new CgroupFeatures(true, true, List.of("2MB", "1GB"));

  private static Limits container(OptionalLong memory, OptionalLong swap) {
    return new Limits(
        512, Optional.empty(), memory, swap, OptionalLong.empty(), 0, "", "", swap.isEmpty());
  }

  @Test
  void withVersion2SwapIsLimitedAlsoWhereMemoryIsNot() {
    Limits burstable = container(OptionalLong.empty(), OptionalLong.of(100));
    assertThat(ContainerConfigs.resources(burstable, VERSION_2).getUnifiedMap())
        .isEqualTo(Map.of("memory.swap.max", "100"));
    Limits guaranteed = container(OptionalLong.of(64), OptionalLong.of(0));
    assertThat(ContainerConfigs.resources(guaranteed, VERSION_2).getUnifiedMap())
        .isEqualTo(Map.of("memory.swap.max", "0"));
    Limits anything = container(OptionalLong.of(64), OptionalLong.empty());
    assertThat(ContainerConfigs.resources(anything, VERSION_2).getUnifiedMap()).isEmpty();
    assertThat(
            ContainerConfigs.resources(burstable, new CgroupFeatures(true, false, List.of()))
                .getUnifiedMap())
        .as("the kernel has no such file")
        .isEmpty();
  }

  @Test
  void withVersion1SwapIsLimitedTogetherWithMemory() {
    Limits guaranteed = container(OptionalLong.of(64), OptionalLong.of(0));
    Cri.LinuxContainerResources told = ContainerConfigs.resources(guaranteed, VERSION_1);
    assertThat(told.getMemorySwapLimitInBytes()).isEqualTo(64);
    assertThat(told.getUnifiedMap()).isEmpty();
    Limits unlimited = container(OptionalLong.empty(), OptionalLong.of(0));
    assertThat(ContainerConfigs.resources(unlimited, VERSION_1).getMemorySwapLimitInBytes())
        .isZero();
  }

  @Test
  void aContainerThatHasUsedUpItsMemoryIsKilledAsAWholeWithVersion2Alone() {
    Limits whole = container(OptionalLong.of(64), OptionalLong.empty()).killedAsAWhole(true);
    assertThat(ContainerConfigs.resources(whole, VERSION_2).getUnifiedMap())
        .isEqualTo(Map.of("memory.oom.group", "1"));
    assertThat(ContainerConfigs.resources(whole, VERSION_1).getUnifiedMap()).isEmpty();
  }

  @Test
  void ofHugePagesThatAContainerDoesNotAskForItHasNone() {
    Limits some =
        container(OptionalLong.of(64), OptionalLong.empty())
            .withHugePages(new TreeMap<>(Map.of("2MB", 6L << 20)));
    assertThat(ContainerConfigs.resources(some, VERSION_2).getHugepageLimitsList())
        .extracting(Cri.HugepageLimit::getPageSize, Cri.HugepageLimit::getLimit)
        .containsExactly(tuple("2MB", 6L << 20), tuple("1GB", 0L));
  }

  @Test
  void whatCgroupsCanDoIsSeenInTheirFiles(@TempDir Path sys) throws IOException {
    Files.createDirectories(sys.resolve("kernel/mm/hugepages/hugepages-1048576kB"));
    Files.createDirectories(sys.resolve("kernel/mm/hugepages/hugepages-2048kB"));
    Path groups = Files.createDirectories(sys.resolve("fs/cgroup"));
    assertThat(CgroupFeatures.of(sys))
        .isEqualTo(new CgroupFeatures(false, false, List.of("2MB", "1GB")));
    Files.createFile(groups.resolve("cgroup.controllers"));
    assertThat(CgroupFeatures.of(sys).limitsSwap()).isFalse();
    Files.createFile(
        Files.createDirectories(groups.resolve("system.slice")).resolve("memory.swap.max"));
    assertThat(CgroupFeatures.of(sys)).isEqualTo(VERSION_2);
  }
}
