package dev.berth.agent.network;

import dev.berth.agent.nativecalls.NativeFailure;
import dev.berth.agent.nativecalls.Netlink;
import dev.berth.policy.cidr.Cidr;
import dev.berth.policy.cidr.Cidr.Family;
import dev.berth.policy.route.RoutePlan.Route;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The routes of one agent in the kernel's main table. They are known by their metric, which is made
 * from the agent's name: so an agent that was killed finds its own again, and nobody else's. The
 * metric is high: a route to the same range that somebody else has made goes first.
 */
public final class RouteTable {
  private static final int AF_INET = 2;
  private static final int AF_INET6 = 10;
  private static final int NEW_ROUTE = 24;
  private static final int DELETE_ROUTE = 25;
  private static final int RTA_DESTINATION = 1;
  private static final int RTA_GATEWAY = 5;
  private static final int RTA_PRIORITY = 6;
  private static final int MAIN_TABLE = 254;
  private static final int STATIC = 4;
  private static final int UNICAST = 1;
  private static final int HIGH = 1 << 30;
  private static final int FIELDS = 10;

  private final int metric;
  private final Path proc;

  /**
   * @param agent the name that no other agent on this machine has
   */
  public RouteTable(String agent, Path proc) {
    this.metric = HIGH | (agent.hashCode() & (HIGH - 1));
    this.proc = proc;
  }

  /** Those of this agent that there are. */
  public List<Route> routes() throws IOException {
    List<Route> routes = new ArrayList<>();
    Path ipv4 = proc.resolve("net/route");
    if (Files.exists(ipv4)) {
      Files.readAllLines(ipv4).stream()
          .skip(1)
          .forEach(line -> readIpv4(line).ifPresent(routes::add));
    }
    Path ipv6 = proc.resolve("net/ipv6_route");
    if (Files.exists(ipv6)) {
      Files.readAllLines(ipv6).forEach(line -> readIpv6(line).ifPresent(routes::add));
    }
    return routes;
  }

  /** Device, destination, gateway, flags, two counters, metric, mask; addresses last byte first. */
  private Optional<Route> readIpv4(String line) {
    String[] fields = line.strip().split("\\s+", -1);
    if (fields.length < 8 || Integer.parseInt(fields[6]) != metric) {
      return Optional.empty();
    }
    int length = Integer.bitCount(Integer.parseUnsignedInt(fields[7], 16));
    return Optional.of(
        new Route(
            new Cidr(Family.IPV4, ipv4(fields[1]), 0, length),
            new Cidr(Family.IPV4, ipv4(fields[2]), 0, Family.IPV4.bits()).address()));
  }

  private static long ipv4(String text) {
    return (long) Integer.reverseBytes(Integer.parseUnsignedInt(text, 16)) << Integer.SIZE;
  }

  /** Destination, length, source, length, gateway, metric, …, in hexadecimal. */
  private Optional<Route> readIpv6(String line) {
    String[] fields = line.strip().split("\\s+", -1);
    if (fields.length < FIELDS || Integer.parseUnsignedInt(fields[5], 16) != metric) {
      return Optional.empty();
    }
    return Optional.of(
        new Route(
            ipv6(fields[0], Integer.parseInt(fields[1], 16)),
            ipv6(fields[4], Family.IPV6.bits()).address()));
  }

  private static Cidr ipv6(String text, int length) {
    return new Cidr(
        Family.IPV6,
        Long.parseUnsignedLong(text.substring(0, 16), 16),
        Long.parseUnsignedLong(text.substring(16), 16),
        length);
  }

  public void add(Route route) throws IOException {
    change(NEW_ROUTE, LinkMessage.CREATE_OR_REPLACE, "adding the route " + route, route);
  }

  /** Removes one, if it is there. */
  public void remove(Route route) throws IOException {
    try {
      change(DELETE_ROUTE, 0, "removing the route " + route, route);
    } catch (NativeFailure e) {
      if (e.errno() != NativeFailure.ESRCH) {
        throw e;
      }
    }
  }

  private void change(int type, int flags, String what, Route route) throws NativeFailure {
    Cidr range = route.range();
    byte[] message =
        new LinkMessage(type, flags)
            .raw(range.family() == Family.IPV6 ? AF_INET6 : AF_INET, range.length(), 0, 0)
            .raw(MAIN_TABLE, STATIC, 0, UNICAST)
            .number(0)
            .attribute(RTA_DESTINATION, InetAddress.ofLiteral(range.address()).getAddress())
            .attribute(RTA_GATEWAY, InetAddress.ofLiteral(route.gateway()).getAddress())
            .attribute(RTA_PRIORITY, metric)
            .toBytes();
    try (Netlink kernel = new Netlink()) {
      kernel.request(what, message);
    }
  }
}
