package dev.berth.agent.network;

import dev.berth.agent.runtime.PodUsage.Traffic;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The bridge that connects the pods of this machine with each other and with the machine, and the
 * devices of pods. All of it is done by {@code ip}, several steps in one process.
 */
public final class Bridge {
  private static final Logger LOG = LoggerFactory.getLogger("pod-network");

  private final String name;
  private final Path sys;
  private final Path proc;

  /** The ranges whose gateway the bridge has. */
  private final Set<String> served = new HashSet<>();

  /**
   * @param name of the device
   */
  public Bridge(String name, Path sys, Path proc) {
    this.name = name;
    this.sys = sys;
    this.proc = proc;
  }

  /** The machine's end of a pod's device; names of devices have at most 15 characters. */
  private static String deviceOf(String podHash) {
    return "bv" + podHash.substring(0, 12);
  }

  /**
   * Connects a pod.
   *
   * @param podHash what tells the pod from others, in hexadecimal digits
   * @param namespace the file of its network
   * @param addresses one of each range
   */
  public void connect(String podHash, Path namespace, List<String> cidrs, List<String> addresses)
      throws IOException {
    serve(cidrs);
    String device = deviceOf(podHash);
    ip(
        List.of(),
        List.of(
            "link add %s type veth peer name eth0 netns %s".formatted(device, namespace),
            "link set %s master %s up".formatted(device, name)));
    List<String> lines = new ArrayList<>();
    lines.add("link set lo up");
    lines.add("link set eth0 up");
    for (int i = 0; i < cidrs.size(); i++) {
      Cidr cidr = Cidr.parse(cidrs.get(i));
      String noDetection = cidr.isIpv6() ? " nodad" : "";
      lines.add(
          "addr add %s/%d dev eth0%s".formatted(addresses.get(i), cidr.prefix(), noDetection));
      lines.add("route add default via %s dev eth0".formatted(cidr.gateway()));
    }
    ip(List.of("nsenter", "--net=" + namespace, "--"), lines);
  }

  /** Removes a pod's device, if it is still there. */
  public void disconnect(String podHash) throws IOException {
    String device = deviceOf(podHash);
    if (Files.exists(sys.resolve("class/net").resolve(device))) {
      try {
        ip(List.of(), List.of("link delete " + device));
      } catch (IOException e) {
        // It goes by itself with the pod's network, perhaps at this moment.
        if (Files.exists(sys.resolve("class/net").resolve(device))) {
          throw e;
        }
      }
    }
  }

  /** What went through a pod's device; what the machine's end sent, the pod received. */
  public Traffic traffic(String podHash) {
    Path statistics = sys.resolve("class/net").resolve(deviceOf(podHash)).resolve("statistics");
    return new Traffic(
        number(statistics.resolve("tx_bytes")), number(statistics.resolve("rx_bytes")));
  }

  private static long number(Path file) {
    try {
      return Long.parseLong(Files.readString(file).strip());
    } catch (IOException e) {
      return 0; // it has just gone
    }
  }

  /** Removes the bridge. */
  public synchronized void remove() throws IOException {
    served.clear();
    if (Files.exists(sys.resolve("class/net").resolve(name))) {
      ip(List.of(), List.of("link delete " + name));
    }
    Masquerade.remove(name);
  }

  private synchronized void serve(List<String> cidrs) throws IOException {
    if (served.containsAll(cidrs)) {
      return;
    }
    List<String> lines = new ArrayList<>();
    if (!Files.exists(sys.resolve("class/net").resolve(name))) {
      lines.add("link add %s type bridge".formatted(name));
    }
    lines.add("link set %s up".formatted(name));
    for (String text : cidrs) {
      Cidr cidr = Cidr.parse(text);
      lines.add(
          "addr replace %s/%d dev %s%s"
              .formatted(cidr.gateway(), cidr.prefix(), name, cidr.isIpv6() ? " nodad" : ""));
    }
    ip(List.of(), lines);
    allow("net/ipv4/ip_forward");
    allow("net/ipv6/conf/all/forwarding");
    Masquerade.install(cidrs, name);
    served.addAll(cidrs);
  }

  private void allow(String parameter) {
    Path file = proc.resolve("sys").resolve(parameter);
    try {
      if (Files.exists(file) && !Files.readString(file).strip().equals("1")) {
        Files.writeString(file, "1", StandardOpenOption.WRITE);
      }
    } catch (IOException e) {
      LOG.warn("pods cannot reach other machines: {} cannot be set: {}", file, e.getMessage());
    }
  }

  private static void ip(List<String> prefix, List<String> lines) throws IOException {
    List<String> command = new ArrayList<>(prefix);
    command.addAll(List.of("ip", "-batch", "-"));
    Commands.run(command, String.join("\n", lines) + "\n");
  }
}
