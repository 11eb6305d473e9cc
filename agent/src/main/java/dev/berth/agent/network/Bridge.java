package dev.berth.agent.network;

import dev.berth.agent.nativecalls.Descriptors;
import dev.berth.agent.nativecalls.Namespaces;
import dev.berth.agent.runtime.PodUsage.Interface;
import dev.berth.agent.runtime.PodUsage.Traffic;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The bridge that connects the pods of this machine with each other and with the machine, and the
 * devices of pods.
 */
public final class Bridge {
  private static final Logger LOG = LoggerFactory.getLogger("pod-network");

  /** What a pod's device is called in the pod. */
  private static final String POD_DEVICE = "eth0";

  /** What the machine's ends of pods' devices are called. */
  private static final Pattern POD_ENDS = Pattern.compile("bv[0-9a-f]{12}");

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

  /** Whether a device of the machine is its end of a pod's. */
  public static boolean isOfPod(String device) {
    return POD_ENDS.matcher(device).matches();
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
    int descriptor = Descriptors.open(namespace, Descriptors.O_RDONLY);
    try (NetworkDevices devices = new NetworkDevices()) {
      devices.addPair(deviceOf(podHash), devices.index(name), POD_DEVICE, descriptor);
    } finally {
      Descriptors.close(descriptor);
    }
    reachItself(deviceOf(podHash));
    Namespaces.inThread(
        "pod-network",
        () -> {
          Namespaces.enter(namespace, Namespaces.NETWORK);
          setUpPod(cidrs, addresses);
          return true;
        });
  }

  /**
   * Lets a pod reach itself through a service, also where the kernel changes addresses within the
   * bridge: that sends nothing back to where it came from otherwise.
   */
  private void reachItself(String device) {
    Path file = sys.resolve("class/net").resolve(device).resolve("brport/hairpin_mode");
    try {
      Files.writeString(file, "1", StandardOpenOption.WRITE);
    } catch (IOException e) {
      LOG.atDebug().setCause(e).log("a pod may not reach itself through a service");
    }
  }

  /** In the network namespace of the pod. */
  private static void setUpPod(List<String> cidrs, List<String> addresses) throws IOException {
    try (NetworkDevices devices = new NetworkDevices()) {
      int device = devices.index(POD_DEVICE);
      devices.setUp(NetworkDevices.LOOPBACK);
      devices.setUp(device);
      for (int i = 0; i < cidrs.size(); i++) {
        PodRange range = PodRange.parse(cidrs.get(i));
        // Alone in its range: what it sends to its neighbours passes the node as well, whose rules
        // for services change the addresses of answers.
        devices.addAddress(
            device, PodRange.numbers(addresses.get(i)), range.cidr().family().bits());
        devices.addDefaultRoute(device, PodRange.numbers(range.gateway()));
      }
    }
  }

  /** Removes a pod's device, if it is still there. */
  public void disconnect(String podHash) throws IOException {
    try (NetworkDevices devices = new NetworkDevices()) {
      devices.delete(deviceOf(podHash));
    }
  }

  /** What went through a pod's device; what the machine's end sent, the pod received. */
  public Interface traffic(String podHash) {
    Path statistics = sys.resolve("class/net").resolve(deviceOf(podHash)).resolve("statistics");
    return new Interface(POD_DEVICE, traffic(statistics, "tx"), traffic(statistics, "rx"));
  }

  private static Traffic traffic(Path statistics, String way) {
    return new Traffic(
        number(statistics.resolve(way + "_bytes")),
        number(statistics.resolve(way + "_packets")),
        number(statistics.resolve(way + "_errors")),
        number(statistics.resolve(way + "_dropped")));
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
    try (NetworkDevices devices = new NetworkDevices()) {
      devices.delete(name);
    }
    Masquerade.remove(name);
    HostPortRules.remove(name);
  }

  /**
   * Makes the bridge, with the gateways of ranges, unless it is there; says so if somebody else on
   * this machine has addresses of these ranges.
   */
  public synchronized void serve(List<String> cidrs) throws IOException {
    if (served.containsAll(cidrs)) {
      return;
    }
    RangeConflict.find(cidrs, name, proc).ifPresent(LOG::warn);
    try (NetworkDevices devices = new NetworkDevices()) {
      if (!Files.exists(sys.resolve("class/net").resolve(name))) {
        devices.addBridge(name);
      }
      int bridge = devices.index(name);
      devices.setUp(bridge);
      for (String text : cidrs) {
        PodRange range = PodRange.parse(text);
        devices.addAddress(bridge, PodRange.numbers(range.gateway()), range.cidr().length());
      }
    }
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
}
