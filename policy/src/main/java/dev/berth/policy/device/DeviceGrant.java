package dev.berth.policy.device;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What a container is given so that it can use its devices, as a plugin answers.
 *
 * @param annotations for the runtime
 * @param cdiDevices names of devices that the runtime is to look up by the Container Device
 *     Interface
 */
public record DeviceGrant(
    SortedMap<String, String> environment,
    List<Mount> mounts,
    List<Node> nodes,
    SortedMap<String, String> annotations,
    List<String> cdiDevices) {
  public static final DeviceGrant NOTHING =
      new DeviceGrant(new TreeMap<>(), List.of(), List.of(), new TreeMap<>(), List.of());

  /** A file or directory of the machine. */
  public record Mount(String containerPath, String hostPath, boolean isReadOnly) {}

  /**
   * A device file of the machine.
   *
   * @param permissions some of {@code r}, {@code w} and {@code m}
   */
  public record Node(String containerPath, String hostPath, String permissions) {}

  public DeviceGrant {
    environment = Collections.unmodifiableSortedMap(new TreeMap<>(environment));
    mounts = List.copyOf(mounts);
    nodes = List.copyOf(nodes);
    annotations = Collections.unmodifiableSortedMap(new TreeMap<>(annotations));
    cdiDevices = List.copyOf(cdiDevices);
  }

  /** Why it cannot be given to any container: a plugin may answer anything. Empty if it can. */
  public Optional<String> problem() {
    for (Map.Entry<String, String> variable : environment.entrySet()) {
      String name = variable.getKey();
      if (name.isEmpty() || name.indexOf('=') >= 0 || isCut(name) || isCut(variable.getValue())) {
        return Optional.of("invalid environment variable name or value: \"%s\"".formatted(name));
      }
    }
    List<String> paths = new ArrayList<>();
    mounts.forEach(mount -> paths.addAll(List.of(mount.containerPath, mount.hostPath)));
    nodes.forEach(node -> paths.addAll(List.of(node.containerPath, node.hostPath)));
    return paths.stream()
        .filter(path -> !path.startsWith("/") || isCut(path))
        .findFirst()
        .map("invalid path, must be an absolute path: \"%s\""::formatted);
  }

  /** Whether the kernel would see no more of a text than a part. */
  private static boolean isCut(String text) {
    return text.indexOf('\0') >= 0;
  }

  /** What a container gets for all its resources: of two for one name or place, the first. */
  public static DeviceGrant all(Collection<DeviceGrant> grants) {
    Map<String, String> environment = new TreeMap<>();
    Map<String, Mount> mounts = new LinkedHashMap<>();
    Map<String, Node> nodes = new LinkedHashMap<>();
    Map<String, String> annotations = new TreeMap<>();
    Set<String> cdiDevices = new LinkedHashSet<>();
    for (DeviceGrant grant : grants) {
      grant.environment.forEach(environment::putIfAbsent);
      grant.mounts.forEach(mount -> mounts.putIfAbsent(mount.containerPath, mount));
      grant.nodes.forEach(node -> nodes.putIfAbsent(node.containerPath, node));
      grant.annotations.forEach(annotations::putIfAbsent);
      cdiDevices.addAll(grant.cdiDevices);
    }
    return new DeviceGrant(
        new TreeMap<>(environment),
        new ArrayList<>(mounts.values()),
        new ArrayList<>(nodes.values()),
        new TreeMap<>(annotations),
        new ArrayList<>(cdiDevices));
  }
}
