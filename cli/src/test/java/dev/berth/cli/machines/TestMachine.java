package dev.berth.cli.machines;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.agent.Agent;
import dev.berth.cli.BerthProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.stream.Stream;

/**
 * A machine as far as its name, its id, its network, its mounts and {@code /var/lib} go. Processes
 * and cgroups are this machine's; Berth names its own after its directory.
 */
final class TestMachine implements AutoCloseable {
  private final String name;
  private final String address;
  private final Path folder;
  private final Holder holder;
  private final Deque<BerthOn> started = new ArrayDeque<>();

  /** The switch's end of its cable. */
  String device = "";

  TestMachine(String name, String address, Path folder) throws IOException {
    this.name = name;
    this.address = address;
    this.folder = Files.createDirectories(folder);
    Path id = Files.writeString(folder.resolve("machine-id"), machineId(name));
    Path groups = Files.createDirectories(folder.resolve("cgroup"));
    holder =
        new Holder(
            List.of("unshare", "--net", "--mount", "--uts", "--propagation=private"),
            """
            hostname %s
            ip link set lo up
            mount --rbind /sys/fs/cgroup %s
            mount -t sysfs sysfs /sys
            mount --rbind %s /sys/fs/cgroup
            umount -l %s
            mount --bind %s /etc/machine-id
            mount -t tmpfs none /var/lib
            """
                .formatted(name, groups, groups, groups, id));
  }

  private static String machineId(String name) {
    return "%032x%n".formatted(name.hashCode() & 0xffffffffL);
  }

  String name() {
    return name;
  }

  String address() {
    return address;
  }

  long process() {
    return holder.process();
  }

  Path data() {
    return folder.resolve("data");
  }

  String run(String... command) throws IOException {
    return holder.run(command);
  }

  List<String> enter(List<String> command) {
    return holder.enter(command);
  }

  /** Starts Berth, as a process of its own. */
  BerthOn berth(String... words) throws IOException {
    return start(BerthProcess.command(List.of(words)));
  }

  /** Starts what becomes Berth. */
  BerthOn start(List<String> command) throws IOException {
    BerthOn berth = new BerthOn(enter(command), folder.resolve("berth.log"));
    started.push(berth);
    return berth;
  }

  /** What Berth says that is run to its end, and how that was. */
  BerthOn.Answer answer(String... words) throws IOException {
    return BerthOn.answer(this, List.of(words));
  }

  /** A file as the machine sees it, its own mounts included. */
  Path seen(String file) {
    return Path.of("/proc/" + holder.process() + "/root" + file);
  }

  /** What is left of an agent on the machine. */
  List<String> leftovers() throws IOException {
    List<String> left = new ArrayList<>();
    for (String line : Files.readAllLines(Path.of("/proc/" + holder.process() + "/mountinfo"))) {
      if (line.contains(data().toString())) {
        left.add("mount " + line);
      }
    }
    for (String line : run("ip", "-br", "link").lines().toList()) {
      if (!line.startsWith("lo ") && !line.startsWith("eth0@")) {
        left.add("link " + line);
      }
    }
    run("nft", "list", "tables").lines().forEach(table -> left.add("nft " + table));
    for (String line : run("ip", "route").lines().toList()) {
      if (line.contains("metric")) {
        left.add("route " + line);
      }
    }
    ProcessHandle.allProcesses()
        .filter(each -> each.info().commandLine().orElse("").contains(data() + "/"))
        .forEach(each -> left.add("process " + each.info().commandLine().orElse("")));
    // A server's own files stay; they are beside its agent's.
    Path agent = Files.exists(data().resolve("berth.db")) ? data().resolve("node") : data();
    if (Files.exists(agent)) {
      try (Stream<Path> files = Files.list(agent)) {
        files.forEach(each -> left.add("file " + each));
      }
    }
    return left;
  }

  /** Removes everything, as a user does, and looks whether it is gone. */
  @Override
  public void close() throws IOException {
    try {
      started.forEach(BerthOn::close);
      if (Agent.wasIn(data()) || Agent.wasIn(data().resolve("node"))) {
        BerthOn.Answer reset = answer("reset", "--data", data().toString());
        assertThat(reset.code()).as(reset.text()).isZero();
        assertThat(leftovers()).isEmpty();
      }
    } finally {
      holder.close();
    }
  }

  /** How Berth is started on it. */
  List<String> command(List<String> words) {
    return enter(BerthProcess.command(words));
  }
}
