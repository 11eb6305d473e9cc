package dev.berth.agent.cgroup;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.agent.runtime.Limits;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalLong;
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
          OptionalLong.of(50_000),
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
    script.append("echo up; (trap '' TERM; setsid sleep 1000) & exec sleep 1000");
    Process process = new ProcessBuilder("sh", "-c", script.toString()).start();
    assertThat(process.inputReader().readLine()).isEqualTo("up");
    return process;
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
    live.limit(GROUP, Limits.NONE);
    assertThat(read("memory/" + GROUP + "/memory.limit_in_bytes")).hasSizeGreaterThan(15);
    assertThat(read("pids/" + GROUP + "/pids.max")).isEqualTo("max");
    assertThat(read("cpu/" + GROUP + "/cpu.cfs_quota_us")).isEqualTo("-1");
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
  void limitsOfVersion2AreWritten(@TempDir Path sys) throws IOException {
    Path root = Files.createDirectories(sys.resolve("fs/cgroup"));
    Path group = Files.createDirectories(root.resolve("kubepods/pod1"));
    for (Path each : new Path[] {root, root.resolve("kubepods")}) {
      Files.writeString(each.resolve("cgroup.controllers"), "cpuset cpu io memory pids\n");
      Files.writeString(each.resolve("cgroup.subtree_control"), "cpu memory\n");
    }
    for (String file :
        new String[] {
          "cpu.weight",
          "cpu.max",
          "memory.max",
          "memory.swap.max",
          "pids.max",
          "cpuset.cpus",
          "cpuset.mems",
          "cgroup.kill"
        }) {
      Files.writeString(group.resolve(file), "");
    }
    Files.writeString(group.resolve("memory.current"), "1000\n");
    Files.writeString(group.resolve("memory.stat"), "anon 300\ninactive_file 400\n");
    Files.writeString(group.resolve("cpu.stat"), "usage_usec 25\nuser_usec 5\n");
    Files.writeString(group.resolve("memory.events"), "oom 2\noom_kill 1\n");

    Cgroups fake = Cgroups.of(sys);
    fake.create("kubepods/pod1");
    fake.limit("kubepods/pod1", SOME);
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
    assertThat(fake.outOfMemoryKills("kubepods/pod1")).isEqualTo(1);
    fake.kill("kubepods/pod1");
    assertThat(group.resolve("cgroup.kill")).hasContent("1");
    assertThat(fake.joinFiles("kubepods/pod1")).containsExactly(group.resolve("cgroup.procs"));
  }
}
