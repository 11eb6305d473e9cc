package dev.berth.agent.cgroup;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.agent.runtime.Limits;
import dev.berth.agent.runtime.NodeAllocatable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Version 1 on the machine itself, version 2 on files that look like it. */
class PodClassesTest {
  private static final String ALL = "berthclasses" + ProcessHandle.current().pid();
  private static final NodeAllocatable ALLOCATABLE =
      new NodeAllocatable(1500, 1L << 30, OptionalLong.of(1000));

  private final CgroupsV1 live = new CgroupsV1(Path.of("/sys/fs/cgroup"));

  @AfterEach
  void remove() throws IOException {
    live.remove(ALL);
  }

  private static String read(String file) throws IOException {
    return Files.readString(Path.of("/sys/fs/cgroup", file)).strip();
  }

  private static Limits requesting(long shares) {
    return new Limits(
        shares,
        Optional.empty(),
        OptionalLong.empty(),
        OptionalLong.empty(),
        OptionalLong.empty(),
        0,
        "",
        "",
        true);
  }

  @Test
  void allPodsTogetherHaveWhatTheNodeHasForThem() throws IOException {
    new PodClasses(live, ALL).confine(ALLOCATABLE);
    assertThat(read("memory/" + ALL + "/memory.limit_in_bytes")).isEqualTo("" + (1L << 30));
    assertThat(read("pids/" + ALL + "/pids.max")).isEqualTo("1000");
    assertThat(read("cpu/" + ALL + "/cpu.shares")).isEqualTo("1536");
  }

  @Test
  void burstablePodsTogetherWeighWhatTheyRequest() throws IOException {
    PodClasses classes = new PodClasses(live, ALL);
    String burstable = "cpu/" + ALL + "/burstable/cpu.shares";
    classes.confine(ALLOCATABLE);
    assertThat(read(burstable)).isEqualTo("2");
    assertThat(read("cpu/" + ALL + "/besteffort/cpu.shares")).isEqualTo("2");

    classes.create(ALL + "/burstable/pod1", requesting(512));
    classes.create(ALL + "/burstable/pod2", requesting(1024));
    classes.create(ALL + "/pod3", requesting(2048));
    assertThat(read(burstable)).isEqualTo("1536");
    classes.limit(ALL + "/burstable/pod1", requesting(2048));
    assertThat(read(burstable)).isEqualTo("3072");
    classes.remove(ALL + "/burstable/pod2");
    assertThat(read(burstable)).isEqualTo("2048");
  }

  @Test
  void groupsOfAllPodsAreLeftToWhoeverHasPodsInThem() throws Exception {
    PodClasses classes = new PodClasses(live, ALL);
    classes.create(ALL + "/pod1", requesting(2));
    Process other = new ProcessBuilder("sleep", "1000").start();
    for (Path file : live.joinFiles(ALL + "/pod1")) {
      Files.writeString(file, "" + other.pid());
    }
    classes.removeUnused();
    assertThat(live.exists(ALL)).isTrue();

    live.kill(ALL);
    other.waitFor();
    classes.removeUnused();
    assertThat(live.exists(ALL)).isFalse();
  }

  @Test
  void classesOfVersion2WeighTheSame(@TempDir Path sys) throws IOException {
    Path root = sys.resolve("fs/cgroup");
    for (String group : List.of("", "kubepods", "kubepods/burstable", "kubepods/besteffort")) {
      Files.createDirectories(root.resolve(group));
      for (String file : List.of("cpu.weight", "memory.max", "pids.max")) {
        Files.writeString(root.resolve(group).resolve(file), "");
      }
    }
    for (String pod : List.of("pod1", "pod2")) {
      Path group = Files.createDirectory(root.resolve("kubepods/burstable").resolve(pod));
      Files.writeString(group.resolve("cpu.weight"), "20");
    }
    new PodClasses(new CgroupsV2(root), "kubepods").confine(ALLOCATABLE);
    assertThat(root.resolve("kubepods/memory.max")).hasContent("" + (1L << 30));
    assertThat(root.resolve("kubepods/pids.max")).hasContent("1000");
    assertThat(root.resolve("kubepods/cpu.weight")).hasContent("59");
    assertThat(root.resolve("kubepods/burstable/cpu.weight")).hasContent("39");
    assertThat(root.resolve("kubepods/besteffort/cpu.weight")).hasContent("1");
  }
}
