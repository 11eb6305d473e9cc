package dev.berth.agent.route;

import dev.berth.agent.network.RouteTable;
import dev.berth.policy.route.RoutePlan;
import dev.berth.policy.route.RoutePlan.Route;
import dev.berth.policy.route.RoutedNode;
import dev.berth.time.Loop;
import java.io.IOException;
import java.time.Duration;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the routes to other nodes' pods as they should be. Lives on a loop; the kernel is asked
 * beside it. What somebody removed, or what could not be made, is tried again every ten seconds.
 *
 * <p>The node's network counts as unavailable until there was a route to each ready node. From then
 * on it stays available: a node that nobody can reach is that node's problem, and no reason to keep
 * pods away from all others.
 */
public final class PodRoutes {
  private static final Logger LOG = LoggerFactory.getLogger("pod-routes");
  private static final Duration AGAIN = Duration.ofSeconds(10);

  private final Loop loop;
  private final RouteTable table;
  private final String ownName;
  private final Runnable available;
  private List<RoutedNode> nodes = List.of();
  private Set<Route> known = Set.of();
  private boolean isLeftToOthers;
  private boolean isUnderWay;
  private boolean isWanted;
  private final Set<String> warned = new HashSet<>();
  private Loop.@Nullable Timer again;

  private volatile boolean isAvailable;

  /**
   * @param available told once the network is
   */
  public PodRoutes(Loop loop, RouteTable table, String ownName, Runnable available) {
    this.loop = loop;
    this.table = table;
    this.ownName = ownName;
    this.available = available;
  }

  /** Whether all routes are, or were, in place. For any thread. */
  public boolean isAvailable() {
    return isAvailable;
  }

  /** Makes no routes, and says that they are there: whoever makes them knows better. */
  public void leaveToOthers() {
    isLeftToOthers = true;
    if (!isAvailable) {
      isAvailable = true;
      available.run();
    }
  }

  /** What is known of all nodes, this one included. */
  public void nodesAre(Collection<RoutedNode> are) {
    if (isLeftToOthers) {
      return;
    }
    nodes = List.copyOf(are);
    Set<Route> wanted = RoutePlan.wanted(ownName, nodes);
    if (!wanted.equals(known) || !isAvailable) {
      sync();
    }
  }

  private void sync() {
    if (isUnderWay) {
      isWanted = true;
      return;
    }
    if (again != null) {
      again.cancel();
    }
    isWanted = false;
    known = RoutePlan.wanted(ownName, nodes);
    Set<Route> wanted = known;
    isUnderWay = loop.call(() -> apply(wanted), this::applied);
    if (!isUnderWay) {
      again = loop.after(AGAIN, this::sync);
    }
  }

  /** Runs beside the loop; why routes could not be made. */
  private Map<Route, String> apply(Set<Route> wanted) {
    Map<Route, String> failed = new LinkedHashMap<>();
    try {
      RoutePlan plan = RoutePlan.of(wanted, table.routes());
      for (Route route : plan.remove()) {
        attempt(() -> table.remove(route)).ifPresent(LOG::warn);
        LOG.atInfo().addKeyValue("route", route).log("removed the route to a node's pods");
      }
      for (Route route : plan.add()) {
        Optional<String> why = attempt(() -> table.add(route));
        why.ifPresentOrElse(
            text -> failed.put(route, text),
            () -> LOG.atInfo().addKeyValue("route", route).log("added the route to a node's pods"));
      }
    } catch (IOException e) {
      wanted.forEach(route -> failed.put(route, String.valueOf(e.getMessage())));
    }
    return failed;
  }

  /** A change of the kernel's table. */
  private interface Change {
    void make() throws IOException;
  }

  private static Optional<String> attempt(Change change) {
    try {
      change.make();
      return Optional.empty();
    } catch (IOException e) {
      return Optional.of(String.valueOf(e.getMessage()));
    }
  }

  private void applied(Map<Route, String> failed) {
    isUnderWay = false;
    for (String why : failed.values()) {
      if (warned.add(why)) {
        LOG.warn("pods of another node cannot be reached: {}", why);
      }
    }
    boolean isReachable =
        nodes.stream()
            .filter(RoutedNode::ready)
            .flatMap(node -> node.podRanges().stream())
            .noneMatch(range -> failed.keySet().stream().anyMatch(r -> r.range().equals(range)));
    if (isReachable && !isAvailable) {
      isAvailable = true;
      available.run();
    }
    if (isWanted) {
      sync();
    } else {
      again = loop.after(AGAIN, this::sync);
    }
  }
}
