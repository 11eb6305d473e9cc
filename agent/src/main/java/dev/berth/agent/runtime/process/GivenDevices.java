package dev.berth.agent.runtime.process;

import dev.berth.agent.runtime.ContainerSpec;
import dev.berth.agent.runtime.DeviceNode;
import dev.berth.agent.runtime.RuntimeFailure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** The devices that a container is given beside those that every container has. */
final class GivenDevices {
  private static final int FILE_TYPE = 0170000;
  private static final int CHARACTERS = 0020000;
  private static final int BLOCKS = 0060000;

  private GivenDevices() {}

  /** Fails for what cannot be given to a container. */
  static void check(ContainerSpec spec) throws RuntimeFailure {
    if (!spec.cdiDevices().isEmpty()) {
      throw new RuntimeFailure(
          "CreateContainerError",
          "CDI device %s: this runtime does not read specifications of CDI devices"
              .formatted(spec.cdiDevices().getFirst()));
    }
    for (DeviceNode device : spec.devices()) {
      try {
        number(Path.of(device.hostPath()));
      } catch (NoSuchFileException e) {
        throw failure(device, "no such file or directory");
      } catch (IOException e) {
        throw failure(device, String.valueOf(e.getMessage()));
      }
    }
  }

  private static RuntimeFailure failure(DeviceNode device, String problem) {
    return new RuntimeFailure(
        "CreateContainerError", "device %s: %s".formatted(device.hostPath(), problem));
  }

  /**
   * What may not be done with them, as cgroups say it: to read or to write what was not permitted,
   * unless it is a device that every container has. Files of devices may be made by all, and are of
   * no use but where a device was given.
   */
  static List<String> denied(List<DeviceNode> devices) throws IOException {
    Map<String, Set<String>> permitted = new TreeMap<>();
    for (DeviceNode device : devices) {
      permitted
          .computeIfAbsent(number(Path.of(device.hostPath())), _ -> new HashSet<>())
          .addAll(device.permissions().chars().mapToObj(Character::toString).toList());
    }
    for (String name : RootBuilder.DEVICES) {
      permitted.remove(number(Path.of("/dev", name)));
    }
    List<String> rules = new ArrayList<>();
    permitted.forEach((number, permissions) -> {
      String missing =
          (permissions.contains("r") ? "" : "r") + (permissions.contains("w") ? "" : "w");
      if (!missing.isEmpty()) {
        rules.add(number + " " + missing);
      }
    });
    return rules;
  }

  /** Such as {@code c 1:5}. */
  private static String number(Path file) throws IOException {
    int type = (int) Files.getAttribute(file, "unix:mode") & FILE_TYPE;
    if (type != CHARACTERS && type != BLOCKS) {
      throw new IOException("not a device node");
    }
    long device = ((Number) Files.getAttribute(file, "unix:rdev")).longValue();
    long major = ((device >> 8) & 0xfff) | ((device >> 32) & ~0xfffL);
    long minor = (device & 0xff) | ((device >> 12) & 0xffffff00L);
    return "%s %d:%d".formatted(type == BLOCKS ? "b" : "c", major, minor);
  }
}
