package dev.berth.agent.machine;

import java.net.Inet4Address;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/**
 * The addresses by which others reach this machine: of each family, the first of the interface that
 * has the default route. Loopback, link-local and multicast addresses are none of them.
 */
public final class NetworkAddresses {
  /** The destination and the mask of the default route, as {@code /proc/net/route} writes them. */
  private static final String ALL_OF_V4 = "00000000";

  private static final String ALL_OF_V6 = "0".repeat(32);
  private static final String LOOPBACK = "127.0.0.1";
  private static final int UP = 1;
  private static final int HEXADECIMAL = 16;

  private final Path proc;
  private final Supplier<Map<String, List<InetAddress>>> interfaces;

  /**
   * @param interfaces the addresses of each interface, by its name
   */
  public NetworkAddresses(Path proc, Supplier<Map<String, List<InetAddress>>> interfaces) {
    this.proc = proc;
    this.interfaces = interfaces;
  }

  public static NetworkAddresses ofThisMachine() {
    return new NetworkAddresses(MachineRoots.REAL.proc(), NetworkAddresses::ofInterfaces);
  }

  /**
   * IPv4 first, where there are both. Without a default route, whatever address there is; loopback
   * only if there is no other, since nobody else reaches that.
   */
  public List<String> reachable() {
    Map<String, List<InetAddress>> all = interfaces.get();
    List<String> found = new ArrayList<>();
    first(all, defaultRouteV4(), Inet4Address.class).ifPresent(found::add);
    first(all, defaultRouteV6(), Inet6Address.class).ifPresent(found::add);
    if (found.isEmpty()) {
      any(all, Inet4Address.class).ifPresent(found::add);
      any(all, Inet6Address.class).ifPresent(found::add);
    }
    return found.isEmpty() ? List.of(LOOPBACK) : found;
  }

  /** Every address that this machine has, in the form that {@link #canonical} gives them. */
  public Set<String> all() {
    Set<String> all = new HashSet<>();
    interfaces.get().values().forEach(list -> list.forEach(each -> all.add(text(each))));
    return all;
  }

  /** An address in its usual form; empty if the text is none. No name is looked up. */
  public static Optional<String> canonical(String address) {
    try {
      // Java also takes shorter forms, such as 10.1, which nobody means here.
      boolean isShort = address.indexOf(':') < 0 && address.split("\\.", -1).length != 4;
      return isShort ? Optional.empty() : Optional.of(text(InetAddress.ofLiteral(address)));
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  private static Optional<String> any(
      Map<String, List<InetAddress>> all, Class<? extends InetAddress> family) {
    return all.keySet().stream()
        .sorted()
        .flatMap(device -> first(all, Optional.of(device), family).stream())
        .findFirst();
  }

  private static Optional<String> first(
      Map<String, List<InetAddress>> all,
      Optional<String> device,
      Class<? extends InetAddress> family) {
    return device.flatMap(name ->
        all.getOrDefault(name, List.of()).stream()
            .filter(family::isInstance)
            .filter(NetworkAddresses::isReachable)
            .map(NetworkAddresses::text)
            .findFirst());
  }

  private static boolean isReachable(InetAddress address) {
    return !address.isLoopbackAddress()
        && !address.isLinkLocalAddress()
        && !address.isMulticastAddress()
        && !address.isAnyLocalAddress();
  }

  /** Without the interface that Java appends, and with the longest run of zeros left out. */
  private static String text(InetAddress address) {
    String text = address.getHostAddress();
    int scope = text.indexOf('%');
    String plain = scope < 0 ? text : text.substring(0, scope);
    return address instanceof Inet6Address ? shortened(plain) : plain;
  }

  private static String shortened(String address) {
    String[] groups = address.split(":", -1);
    int best = -1;
    int longest = 1;
    for (int i = 0; i < groups.length; i++) {
      int end = i;
      while (end < groups.length && groups[end].equals("0")) {
        end++;
      }
      if (end - i > longest) {
        best = i;
        longest = end - i;
      }
    }
    if (best < 0) {
      return address;
    }
    List<String> all = List.of(groups);
    return String.join(":", all.subList(0, best))
        + "::"
        + String.join(":", all.subList(best + longest, groups.length));
  }

  private Optional<String> defaultRouteV4() {
    Optional<String> best = Optional.empty();
    long least = Long.MAX_VALUE;
    for (String line : MachineRoots.lines(proc.resolve("net/route"))) {
      String[] fields = line.strip().split("\\s+", -1);
      if (fields.length >= 8 && fields[1].equals(ALL_OF_V4) && fields[7].equals(ALL_OF_V4)) {
        long metric = MachineRoots.number(fields[6]).orElse(0);
        boolean isUp = (Long.parseLong(fields[3], HEXADECIMAL) & UP) != 0;
        if (isUp && metric < least) {
          best = Optional.of(fields[0]);
          least = metric;
        }
      }
    }
    return best;
  }

  private Optional<String> defaultRouteV6() {
    Optional<String> best = Optional.empty();
    long least = Long.MAX_VALUE;
    for (String line : MachineRoots.lines(proc.resolve("net/ipv6_route"))) {
      String[] fields = line.strip().split("\\s+", -1);
      boolean isDefault =
          fields.length >= 10
              && fields[0].equals(ALL_OF_V6)
              && fields[1].equals("00")
              && !fields[9].equals("lo");
      if (isDefault) {
        long metric = Long.parseLong(fields[5], HEXADECIMAL);
        boolean isUp = (Long.parseLong(fields[8], HEXADECIMAL) & UP) != 0;
        if (isUp && metric < least) {
          best = Optional.of(fields[9]);
          least = metric;
        }
      }
    }
    return best;
  }

  private static Map<String, List<InetAddress>> ofInterfaces() {
    Map<String, List<InetAddress>> all = new LinkedHashMap<>();
    try {
      for (NetworkInterface each : Collections.list(NetworkInterface.getNetworkInterfaces())) {
        all.put(each.getName(), Collections.list(each.getInetAddresses()));
      }
    } catch (SocketException e) {
      return Map.of();
    }
    return all;
  }
}
