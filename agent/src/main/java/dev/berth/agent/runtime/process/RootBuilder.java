package dev.berth.agent.runtime.process;

import dev.berth.agent.nativecalls.Descriptors;
import dev.berth.agent.nativecalls.Mounts;
import dev.berth.agent.nativecalls.Namespaces;
import dev.berth.agent.nativecalls.NativeFailure;
import dev.berth.agent.runtime.DeviceNode;
import dev.berth.agent.runtime.Mount;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Puts the root of a container together, in a mount namespace of the calling thread, which has no
 * other root afterwards.
 *
 * <p>Devices work in /dev alone, where each is a mount of its own; all else is mounted without, so
 * that one that a container makes is of no use to it.
 */
final class RootBuilder {
  /** Where the tools are in an image's root. */
  static final String TOOLS = "/.berth";

  private static final String CGROUPS = "/sys/fs/cgroup";

  private static final List<String> EMPTY_DIRECTORIES =
      List.of(
          "dev",
          "etc",
          "home",
          "media",
          "mnt",
          "opt",
          "proc",
          "root",
          "run",
          "srv",
          "sys",
          "tmp",
          "var",
          "var/cache",
          "var/lib",
          "var/log",
          "var/tmp");

  /** How the terminals of a container are mounted. */
  static final String TERMINALS = "newinstance,ptmxmode=0666,mode=0620,gid=5";

  static final List<String> DEVICES = List.of("null", "zero", "full", "random", "urandom", "tty");

  private static final Map<String, String> DEVICE_LINKS =
      Map.of(
          "/dev/fd", "/proc/self/fd",
          "/dev/stdin", "/proc/self/fd/0",
          "/dev/stdout", "/proc/self/fd/1",
          "/dev/stderr", "/proc/self/fd/2",
          "/dev/ptmx", "pts/ptmx");

  private final RootPlan plan;
  private final HostRoot host;

  RootBuilder(RootPlan plan, HostRoot host) {
    this.plan = plan;
    this.host = host;
  }

  void build() throws IOException {
    Path etc = plan.image().isPresent() ? Path.of("/") : host.etc();
    List<Integer> volumes = copyVolumes();
    try {
      build(etc, volumes);
    } finally {
      volumes.forEach(Descriptors::close);
    }
  }

  /** While the thread still has the machine's mounts, of which they are peers then. */
  private List<Integer> copyVolumes() throws IOException {
    List<Integer> copies = new ArrayList<>();
    try {
      for (Mount mount : plan.mounts()) {
        copies.add(Mounts.copy(mount.hostPath(), true));
      }
      return copies;
    } catch (IOException e) {
      copies.forEach(Descriptors::close);
      throw e;
    }
  }

  private void build(Path etc, List<Integer> volumes) throws IOException {
    Namespaces.unshare(Namespaces.MOUNT);
    // Nothing that is mounted here is seen by the machine.
    Mounts.mount("none", "/", "none", Mounts.RECURSIVE | Mounts.SLAVE, "");
    if (plan.network().isPresent()) {
      Namespaces.enter(plan.network().get(), Namespaces.NETWORK);
    }
    if (plan.ipc().isPresent()) {
      Namespaces.enter(plan.ipc().get(), Namespaces.IPC);
    }
    if (plan.image().isPresent()) {
      mountImage(plan.image().get());
    } else {
      mountDirectory();
    }
    int root = Mounts.openRoot(plan.files().root().toString());
    try {
      fill(root, etc, volumes);
      Mounts.pivot(root);
    } finally {
      Descriptors.close(root);
    }
  }

  private long noDevices() {
    return plan.isPrivileged() ? 0 : Mounts.NO_DEVICES;
  }

  private void mountImage(Path image) throws IOException {
    Path upper = plan.files().written().resolve("upper");
    Path work = plan.files().written().resolve("work");
    Files.createDirectories(upper);
    Files.createDirectories(work);
    Files.setAttribute(upper, "unix:mode", 0755);
    Mounts.mount(
        "overlay",
        plan.files().root().toString(),
        "overlay",
        noDevices(),
        "lowerdir=%s,upperdir=%s,workdir=%s".formatted(image, upper, work));
  }

  private void mountDirectory() throws IOException {
    Path written = plan.files().written();
    for (String name : EMPTY_DIRECTORIES) {
      Files.createDirectories(written.resolve(name));
    }
    Files.setAttribute(written, "unix:mode", 0755);
    Files.setAttribute(written.resolve("root"), "unix:mode", 0700);
    Files.setAttribute(written.resolve("tmp"), "unix:mode", 01777);
    Files.setAttribute(written.resolve("var/tmp"), "unix:mode", 01777);
    for (Map.Entry<String, String> link : host.links().entrySet()) {
      Path place = written.resolve(link.getKey());
      if (!Files.isSymbolicLink(place)) {
        Files.createSymbolicLink(place, Path.of(link.getValue()));
      }
    }
    String root = plan.files().root().toString();
    Mounts.mount(written.toString(), root, "none", Mounts.BIND, "");
    Mounts.mount(
        "none",
        root,
        "none",
        Mounts.BIND | Mounts.REMOUNT | (plan.isPrivileged() ? 0 : Mounts.NO_DEVICES),
        "");
  }

  private void fill(int root, Path etc, List<Integer> volumes) throws IOException {
    if (plan.image().isEmpty()) {
      long attributes = Mounts.READ_ONLY | noDevices();
      for (Path directory : host.directories()) {
        String place = "/" + directory.getFileName();
        Mounts.make(root, place, true);
        Mounts.bindIn(root, place, directory.toString(), true, attributes);
      }
      Mounts.bindIn(root, "/etc", etc.toString(), false, attributes);
    }
    for (String name : List.of("/dev", "/proc", "/sys", "/etc", "/tmp")) {
      Mounts.make(root, name, true);
    }
    for (String name : HostRoot.OF_POD) {
      String place = "/etc/" + name;
      Mounts.make(root, place, false);
      Mounts.bindIn(root, place, plan.etc().resolve(name).toString(), false, noDevices());
    }
    mountDevices(root);
    mountGivenDevices(root);
    long ofKernel = Mounts.NO_SUID | Mounts.NO_DEVICES | Mounts.NO_EXEC;
    Mounts.mountIn(
        root, "/sys", "sysfs", ofKernel | (plan.isPrivileged() ? 0 : Mounts.READ_ONLY), "");
    mountCgroups(root, ofKernel);
    if (plan.hasHostProcesses()) {
      Mounts.mountIn(root, "/proc", "proc", ofKernel, "");
      if (!plan.isProcUnmasked()) {
        ProcMasks.apply(root);
      }
    }
    if (plan.tools().isPresent()) {
      Mounts.make(root, TOOLS, true);
      Mounts.bindIn(
          root, TOOLS, plan.tools().get().toString(), false, Mounts.READ_ONLY | Mounts.NO_DEVICES);
    }
    for (int i = 0; i < volumes.size(); i++) {
      mountVolume(root, plan.mounts().get(i), volumes.get(i));
    }
    Mounts.make(root, plan.workingDirectory(), true);
    if (plan.isReadOnly()) {
      Mounts.setAttributes(root, false, Mounts.READ_ONLY, 0);
    }
  }

  /**
   * Programs learn from their own group how much they may use, and change nothing there; who is
   * privileged sees all groups of the machine, as in other runtimes.
   */
  private void mountCgroups(int root, long ofKernel) throws NativeFailure {
    if (plan.isPrivileged()) {
      Mounts.bindIn(root, CGROUPS, CGROUPS, true, ofKernel);
      return;
    }
    long readOnly = ofKernel | Mounts.READ_ONLY;
    Path only = plan.cgroups().get("");
    if (only != null) {
      Mounts.bindIn(root, CGROUPS, only.toString(), false, readOnly);
      return;
    }
    Mounts.mountIn(root, CGROUPS, "tmpfs", ofKernel, "mode=755,size=64k");
    for (Map.Entry<String, Path> each : plan.cgroups().entrySet()) {
      String place = CGROUPS + "/" + each.getKey();
      Mounts.make(root, place, true);
      Mounts.bindIn(root, place, each.getValue().toString(), false, readOnly);
      if (each.getKey().contains(",")) {
        // A tree of several controllers also has the name of each.
        for (String controller : each.getKey().split(",", -1)) {
          Mounts.makeLink(root, CGROUPS + "/" + controller, each.getKey());
        }
      }
    }
    int mounted = Mounts.openIn(root, CGROUPS);
    try {
      Mounts.setAttributes(mounted, false, readOnly, 0);
    } finally {
      Descriptors.close(mounted);
    }
  }

  private void mountDevices(int root) throws NativeFailure {
    if (plan.isPrivileged()) {
      Mounts.bindIn(root, "/dev", "/dev", true, 0);
      return;
    }
    Mounts.mountIn(
        root, "/dev", "tmpfs", Mounts.NO_SUID | Mounts.NO_DEVICES, "mode=755,size=65536k");
    for (String device : DEVICES) {
      Mounts.make(root, "/dev/" + device, false);
      Mounts.bindIn(root, "/dev/" + device, "/dev/" + device, false, 0);
    }
    for (Map.Entry<String, String> link : DEVICE_LINKS.entrySet()) {
      Mounts.makeLink(root, link.getKey(), link.getValue());
    }
    long noPrograms = Mounts.NO_SUID | Mounts.NO_EXEC;
    Mounts.make(root, "/dev/pts", true);
    if (plan.hasTerminal()) {
      Mounts.bindIn(root, "/dev/pts", plan.files().terminals().toString(), false, noPrograms);
      Mounts.make(root, "/dev/console", false);
    } else {
      Mounts.mountIn(root, "/dev/pts", "devpts", noPrograms, TERMINALS);
    }
    Mounts.make(root, "/dev/mqueue", true);
    Mounts.mountIn(root, "/dev/mqueue", "mqueue", noPrograms | Mounts.NO_DEVICES, "");
    Mounts.make(root, "/dev/shm", true);
    Mounts.bindIn(
        root, "/dev/shm", plan.sharedMemory().toString(), false, noPrograms | Mounts.NO_DEVICES);
  }

  /** What a privileged container is given, it has anyway. */
  private void mountGivenDevices(int root) throws NativeFailure {
    if (!plan.isPrivileged()) {
      for (DeviceNode device : plan.devices()) {
        Mounts.make(root, device.containerPath(), false);
        Mounts.bindIn(root, device.containerPath(), device.hostPath(), false, 0);
      }
    }
  }

  /**
   * Volumes come with what is mounted in them. What the machine mounts in them later is seen with
   * HostToContainer, and with Bidirectional the machine sees what the container mounts, too.
   */
  private void mountVolume(int root, Mount mount, int tree) throws IOException {
    Mounts.make(root, mount.containerPath(), Files.isDirectory(Path.of(mount.hostPath())));
    long propagation =
        switch (mount.propagation()) {
          case "Bidirectional" -> 0;
          case "HostToContainer" -> Mounts.SLAVE;
          default -> Mounts.PRIVATE;
        };
    long readOnly = mount.isReadOnly() ? Mounts.READ_ONLY : 0;
    boolean isRecursive = mount.isRecursivelyReadOnly();
    Mounts.setAttributes(tree, true, noDevices() | (isRecursive ? readOnly : 0), propagation);
    Mounts.setAttributes(tree, false, readOnly, 0);
    Mounts.attach(tree, root, mount.containerPath());
  }
}
