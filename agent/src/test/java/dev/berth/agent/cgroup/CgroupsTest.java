package dev.berth.agent.cgroup;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.agent.runtime.CpuQuota;
import dev.berth.agent.runtime.GroupDetails;
import dev.berth.agent.runtime.GroupProcesses;
import dev.berth.agent.runtime.Limits;
import dev.berth.agent.runtime.PodGroups;
import dev.berth.agent.runtime.PodUsage.MemoryDetails;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Version 1 on the machine itself, version 2 on files that look like it. */
class CgroupsTest {
  private static final String PARENT = "berthcgroups" + ProcessHandle.current().pid();
  private static final String GROUP = PARENT + "/pod1/main";

  private static final Limits SOME =
      new Limits(
          512,
          Optional.of(CpuQuota.ofMillis(500, CpuQuota.USUAL_PERIOD)),
          OptionalLong.of(64 << 20),
          OptionalLong.of(0),
          OptionalLong.of(100),
          0,
          "0",
          "0",
          false);

  private final CgroupsV1 live = new CgroupsV1(Path.of("/sys/fs/cgroup"));

  @AfterEach
  void remove() throws IOException {
    live.kill(PARENT);
    live.remove(PARENT);
  }

  private static String read(String file) throws IOException {
    return Files.readString(Path.of("/sys/fs/cgroup", file)).strip();
  }

  private Process join(String group) throws IOException {
    StringBuilder script = new StringBuilder();
    for (Path file : live.joinFiles(group)) {
      script.append("echo 0 >").append(file).append(" || exit 1;");
    }
    script.append("(trap '' TERM; setsid sleep 1000) & echo up; exec sleep 1000");
    Process process = new ProcessBuilder("sh", "-c", script.toString()).start();
    assertThat(process.inputReader().readLine()).isEqualTo("up");
    return process;
  }

  /** In between, a group must not have more than the one above it, which the kernel refuses. */
  @Test
  void theSameTimeInAnotherPeriodIsWrittenBelowAGroupThatHasNoMore() throws IOException {
    Limits shorter =
        new Limits(
            512,
            Optional.of(CpuQuota.ofMillis(500, Duration.ofMillis(10))),
            OptionalLong.empty(),
            OptionalLong.empty(),
            OptionalLong.empty(),
            0,
            "",
            "",
            true);
    live.create(GROUP);
    live.limit(PARENT, SOME);
    live.limit(GROUP, SOME);
    live.limit(GROUP, shorter);
    assertThat(read("cpu/" + GROUP + "/cpu.cfs_period_us")).isEqualTo("10000");
    assertThat(read("cpu/" + GROUP + "/cpu.cfs_quota_us")).isEqualTo("5000");
    live.limit(GROUP, SOME);
    assertThat(read("cpu/" + GROUP + "/cpu.cfs_period_us")).isEqualTo("100000");
    assertThat(read("cpu/" + GROUP + "/cpu.cfs_quota_us")).isEqualTo("50000");
  }

  @Test
  void limitsOfVersion1AreWrittenAndRaisedAndLifted() throws IOException {
    live.create(GROUP);
    live.limit(GROUP, SOME);
    assertThat(read("memory/" + GROUP + "/memory.limit_in_bytes")).isEqualTo("" + (64 << 20));
    assertThat(read("pids/" + GROUP + "/pids.max")).isEqualTo("100");
    assertThat(read("cpu/" + GROUP + "/cpu.shares")).isEqualTo("512");
    assertThat(read("cpu/" + GROUP + "/cpu.cfs_quota_us")).isEqualTo("50000");
    assertThat(read("cpuset/" + GROUP + "/cpuset.cpus")).isEqualTo("0");
    assertThat(read("cpuset/" + GROUP + "/cpuset.mems")).isEqualTo("0");
    assertThat(read("memory/" + GROUP + "/memory.swappiness")).isEqualTo("0");
    assertThat(live.usage(GROUP).memory().limit()).hasValue(64 << 20);
    assertThat(live.usage(GROUP).memory().swapLimit()).hasValue(0);
    live.limit(GROUP, Limits.NONE);
    assertThat(read("memory/" + GROUP + "/memory.limit_in_bytes")).hasSizeGreaterThan(15);
    assertThat(read("pids/" + GROUP + "/pids.max")).isEqualTo("max");
    assertThat(read("cpuset/" + GROUP + "/cpuset.cpus"))
        .isEqualTo(read("cpuset/" + PARENT + "/cpuset.cpus"));
    assertThat(read("cpu/" + GROUP + "/cpu.cfs_quota_us")).isEqualTo("-1");
    assertThat(live.usage(GROUP).memory().limit()).isEmpty();
    assertThat(live.usage(GROUP).memory().swapLimit()).isEmpty();
  }

  @Test
  void aGroupIsFoundInAllTreesOfVersion1() throws IOException {
    live.create(GROUP);
    live.limit(GROUP, Limits.NONE);
    assertThat(live.directories(GROUP).keySet())
        .contains("cpu", "cpuacct", "cpuset", "memory", "pids")
        .allMatch(tree ->
            live.joinFiles(GROUP).contains(Path.of("/sys/fs/cgroup", tree, GROUP, "cgroup.procs")));
  }

  @Test
  void aTreeOfSeveralControllersIsOneDirectory(@TempDir Path root) throws IOException {
    Files.createDirectories(root.resolve("cpu,cpuacct/pod1"));
    Files.createSymbolicLink(root.resolve("cpu"), Path.of("cpu,cpuacct"));
    Files.createSymbolicLink(root.resolve("cpuacct"), Path.of("cpu,cpuacct"));
    Files.createDirectories(root.resolve("memory"));
    assertThat(new CgroupsV1(root).directories("pod1"))
        .containsExactly(Map.entry("cpu,cpuacct", root.resolve("cpu,cpuacct/pod1")));
  }

  @Test
  void hugePagesOfVersion1AreLimitedBySize(@TempDir Path root) throws IOException {
    Path group = Files.createDirectories(root.resolve("hugetlb/pod1"));
    for (String file :
        new String[] {
          "hugetlb.2MB.limit_in_bytes", "hugetlb.1GB.limit_in_bytes", "hugetlb.2MB.usage_in_bytes"
        }) {
      Files.writeString(group.resolve(file), "7");
    }
    new CgroupsV1(root).limit("pod1", SOME.withHugePages(new TreeMap<>(Map.of("2MB", 6L << 20))));
    assertThat(group.resolve("hugetlb.2MB.limit_in_bytes")).hasContent("" + (6 << 20));
    assertThat(group.resolve("hugetlb.1GB.limit_in_bytes"))
        .as("none was asked for")
        .hasContent("0");
    assertThat(group.resolve("hugetlb.2MB.usage_in_bytes")).hasContent("7");
  }

  @Test
  void aWholeTreeOfVersion1IsKilledAndRemoved() throws Exception {
    live.create(GROUP);
    Process process = join(GROUP);
    assertThat(live.processes(PARENT)).contains(process.pid());
    assertThat(live.usage(GROUP).processes()).isPositive();
    assertThat(live.usage(PARENT).memoryBytes()).isPositive();
    live.kill(PARENT);
    assertThat(process.waitFor()).isEqualTo(137);
    live.remove(PARENT);
    assertThat(Path.of("/sys/fs/cgroup/memory", PARENT)).doesNotExist();
    assertThat(live.processes(PARENT)).isEmpty();
  }

  @Test
  void freezingKillsATreeWhereVersion2IsNotThere() throws Exception {
    live.create(GROUP);
    Process process = join(GROUP);
    live.killFrozen(Path.of("/sys/fs/cgroup/freezer", GROUP));
    assertThat(process.waitFor()).isEqualTo(137);
    live.remove(PARENT);
    assertThat(Path.of("/sys/fs/cgroup/freezer", PARENT)).doesNotExist();
  }

  @Test
  void tellsOfAGroupInDetail() throws Exception {
    live.create(GROUP);
    live.limit(GROUP, SOME);
    Process process = join(GROUP);
    PodGroups.Group group = new GroupReader(live, Path.of("/proc")).read(GROUP);
    assertThat(group.details().cpu().shares()).isEqualTo(512);
    assertThat(group.details().cpu().quotaMicros()).hasValue(50_000);
    assertThat(group.details().memory().most()).isPositive();
    GroupProcesses processes = group.processes();
    assertThat(processes.processes()).isEqualTo(2);
    assertThat(processes.threads()).isEqualTo(2);
    assertThat(processes.threadLimit()).hasValue(100);
    assertThat(processes.descriptors()).isGreaterThanOrEqualTo(6);
    assertThat(processes.sockets()).isZero();
    live.kill(GROUP);
    process.waitFor();
    assertThat(new GroupReader(live, Path.of("/proc")).read(PARENT + "/gone").processes())
        .isEqualTo(new GroupProcesses(0, 0, OptionalLong.empty(), 0, 0, OptionalLong.empty()));
  }

  @Test
  void limitsOfVersion2AreWritten(@TempDir Path sys) throws IOException {
    Path root = Files.createDirectories(sys.resolve("fs/cgroup"));
    Path group = Files.createDirectories(root.resolve("kubepods/pod1"));
    for (Path each : new Path[] {root, root.resolve("kubepods")}) {
      Files.writeString(each.resolve("cgroup.controllers"), "cpuset cpu io memory hugetlb pids\n");
      Files.writeString(each.resolve("cgroup.subtree_control"), "cpu memory\n");
    }
    for (String file :
        new String[] {
          "cpu.weight",
          "cpu.max",
          "memory.max",
          "memory.swap.max",
          "memory.oom.group",
          "hugetlb.2MB.max",
          "hugetlb.2MB.rsvd.max",
          "hugetlb.1GB.max",
          "pids.max",
          "cpuset.cpus",
          "cpuset.mems",
          "cgroup.kill"
        }) {
      Files.writeString(group.resolve(file), "");
    }
    Files.writeString(group.resolve("memory.current"), "1000\n");
    Files.writeString(
        group.resolve("memory.stat"), "anon 300\ninactive_file 400\npgfault 80\npgmajfault 2\n");
    Files.writeString(
        group.resolve("cpu.pressure"), "some avg10=1.00 avg60=0.00 avg300=0.00 total=5\n");
    Files.writeString(group.resolve("cpu.stat"), "usage_usec 25\nuser_usec 5\n");
    Files.writeString(group.resolve("memory.events"), "oom 2\noom_kill 1\n");

    Cgroups fake = Cgroups.of(sys);
    fake.create("kubepods/pod1");
    fake.limit(
        "kubepods/pod1",
        SOME.withHugePages(new TreeMap<>(Map.of("2MB", 6L << 20))).killedAsAWhole(true));
    assertThat(group.resolve("memory.oom.group")).hasContent("1");
    assertThat(group.resolve("hugetlb.2MB.max")).hasContent("" + (6 << 20));
    assertThat(group.resolve("hugetlb.2MB.rsvd.max")).isEmptyFile();
    assertThat(group.resolve("hugetlb.1GB.max")).hasContent("0");
    assertThat(group.resolve("cpu.weight")).hasContent("20");
    assertThat(group.resolve("cpu.max")).hasContent("50000 100000");
    assertThat(group.resolve("memory.max")).hasContent("" + (64 << 20));
    assertThat(group.resolve("memory.swap.max")).hasContent("0");
    assertThat(group.resolve("pids.max")).hasContent("100");
    assertThat(group.resolve("cpuset.cpus")).hasContent("0");
    assertThat(group.resolve("cpuset.mems")).hasContent("0");
    assertThat(root.resolve("cgroup.subtree_control")).content().contains("+cpuset");
    assertThat(fake.usage("kubepods/pod1").workingSetBytes()).isEqualTo(600);
    assertThat(fake.usage("kubepods/pod1").rssBytes()).isEqualTo(300);
    assertThat(fake.usage("kubepods/pod1").cpuNanos()).isEqualTo(25_000);
    assertThat(fake.usage("kubepods/pod1").memory())
        .isEqualTo(new MemoryDetails(80, 2, OptionalLong.of(64 << 20), OptionalLong.of(0)));
    assertThat(fake.usage("kubepods/pod1").pressures().cpu().some().total()).isEqualTo(5);
    Files.writeString(
        group.resolve("cpu.stat"),
        "user_usec 5\nsystem_usec 6\nnr_periods 7\nnr_throttled 3\nthrottled_usec 9\n");
    Files.writeString(
        group.resolve("memory.stat"),
        "file 500\nfile_mapped 20\nactive_file 100\ninactive_file 400\n");
    Files.writeString(group.resolve("memory.peak"), "2000\n");
    Files.writeString(group.resolve("memory.events"), "max 4\noom_kill 1\n");
    Files.writeString(
        group.resolve("io.stat"),
        "8:0 rbytes=4096 wbytes=512 rios=2 wios=1 dbytes=0 dios=0\n254:1 rbytes=1 rios=1\n");
    assertThat(fake.details("kubepods/pod1"))
        .isEqualTo(
            new GroupDetails(
                new GroupDetails.Cpu(
                    5_000, 6_000, 7, 3, 9_000, 500, OptionalLong.of(50_000), 100_000),
                new GroupDetails.Memory(500, 20, 100, 400, 2000, 4),
                List.of(
                    new GroupDetails.Disk("8:0", 4096, 512, 2, 1),
                    new GroupDetails.Disk("254:1", 1, 0, 1, 0))));
    assertThat(fake.threadLimit("kubepods/pod1")).hasValue(100);
    Files.writeString(group.resolve("memory.max"), "max\n");
    assertThat(fake.usage("kubepods/pod1").memory().limit()).isEmpty();
    assertThat(fake.outOfMemoryKills("kubepods/pod1")).isEqualTo(1);
    fake.kill("kubepods/pod1");
    assertThat(group.resolve("cgroup.kill")).hasContent("1");
    assertThat(fake.joinFiles("kubepods/pod1")).containsExactly(group.resolve("cgroup.procs"));
    assertThat(fake.directories("kubepods/pod1")).containsExactly(Map.entry("", group));
  }
}
