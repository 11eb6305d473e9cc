package dev.berth.agent.network;

import dev.berth.policy.cidr.Cidr;
import java.io.IOException;
import java.net.InterfaceAddress;
import java.net.NetworkInterface;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Whether somebody else on this machine, such as the node of another cluster, has addresses that a
 * node would give to its pods. Two bridges with one range take each other's packets, without a word
 * from the kernel. A wider network around the range, such as the machine's own, is no conflict: the
 * narrower route counts.
 */
final class RangeConflict {
  private static final int DESTINATION = 1;
  private static final int MASK = 7;

  private RangeConflict() {}

  /**
   * A range that a device of this machine leads to.
   *
   * @param device its name
   */
  record Used(String device, Cidr range) {}

  /**
   * Looks for one.
   *
   * @param bridge the device that is to have the ranges
   * @param proc where the machine's /proc is
   * @return what is wrong, and what to do
   */
  static Optional<String> find(List<String> cidrs, String bridge, Path proc) throws IOException {
    List<Used> used = new ArrayList<>();
    for (NetworkInterface device : NetworkInterface.networkInterfaces().toList()) {
      for (InterfaceAddress address : device.getInterfaceAddresses()) {
        String text = address.getAddress().getHostAddress().replaceAll("%.*", "");
        Cidr.parse(text + "/" + address.getNetworkPrefixLength())
            .ifPresent(range -> used.add(new Used(device.getName(), range)));
      }
    }
    Path routes = proc.resolve("net/route");
    if (Files.exists(routes)) {
      used.addAll(routes(Files.readAllLines(routes)));
    }
    return decide(cidrs, bridge, used);
  }

  /** The kernel's table of IPv4 routes: numbers are in hexadecimal, their last byte first. */
  static List<Used> routes(List<String> lines) {
    List<Used> used = new ArrayList<>();
    for (String line : lines.subList(Math.min(1, lines.size()), lines.size())) {
      String[] fields = line.split("\\s+", -1);
      if (fields.length > MASK) {
        int address = Integer.reverseBytes(Integer.parseUnsignedInt(fields[DESTINATION], 16));
        int length = Integer.bitCount(Integer.parseUnsignedInt(fields[MASK], 16));
        used.add(
            new Used(
                fields[0], new Cidr(Cidr.Family.IPV4, (long) address << Integer.SIZE, 0, length)));
      }
    }
    return used;
  }

  static Optional<String> decide(List<String> cidrs, String bridge, List<Used> used) {
    for (String text : cidrs) {
      Cidr wanted = PodRange.parse(text).cidr();
      for (Used other : used) {
        if (!other.device.equals(bridge)
            && other.range.length() >= wanted.length()
            && other.range.overlaps(wanted)) {
          return Optional.of(
              ("pods may not be reached: their addresses, %s, are also in use by the device %s (%s),"
                      + " perhaps of another cluster's node on this machine; start one of the"
                      + " clusters with another --cluster-cidr, or remove the device if nobody uses"
                      + " it")
                  .formatted(text, other.device, other.range));
        }
      }
    }
    return Optional.empty();
  }
}
