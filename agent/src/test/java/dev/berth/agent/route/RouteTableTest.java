package dev.berth.agent.route;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.agent.nativecalls.Namespaces;
import dev.berth.agent.network.RouteTable;
import dev.berth.policy.cidr.Cidr;
import dev.berth.policy.route.RoutePlan.Route;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The kernel's own table, in a network namespace of a thread. */
class RouteTableTest {
  private static Route route(String range, String gateway) {
    return new Route(Cidr.parse(range).orElseThrow(), gateway);
  }

  @Test
  void findsItsOwnRoutesAgainAndNobodyElses() throws IOException {
    Namespaces.inThread(
        "routes",
        () -> {
          Namespaces.unshare(Namespaces.NETWORK);
          run("ip link set lo up");
          run("ip link add d0 type veth peer name d1");
          run("ip link set d1 up");
          run("ip addr add 192.168.7.1/24 dev d0");
          run("ip addr add fd00:7::1/64 dev d0 nodad");
          run("ip link set d0 up");
          Path proc = Path.of("/proc/thread-self");
          RouteTable table = new RouteTable("berth-1", proc);
          RouteTable other = new RouteTable("berth-2", proc);
          List<Route> routes =
              List.of(route("10.244.1.0/24", "192.168.7.2"), route("fd00:1::/64", "fd00:7::2"));
          for (Route each : routes) {
            table.add(each);
            table.add(each);
          }
          other.add(route("10.244.2.0/24", "192.168.7.3"));
          assertThat(table.routes()).containsExactlyInAnyOrderElementsOf(routes);
          assertThat(new RouteTable("berth-1", proc).routes()).hasSize(2);
          assertThatThrownBy(() -> table.add(route("10.244.3.0/24", "10.99.99.99")))
              .hasMessageContaining("10.244.3.0/24 via 10.99.99.99: network is unreachable");
          for (Route each : routes) {
            table.remove(each);
            table.remove(each);
          }
          assertThat(table.routes()).isEmpty();
          assertThat(other.routes()).hasSize(1);
          return true;
        });
  }

  private static void run(String command) throws IOException {
    Process process = new ProcessBuilder(command.split(" ", -1)).inheritIO().start();
    assertThat(process.onExit().join().exitValue()).as(command).isZero();
  }
}
