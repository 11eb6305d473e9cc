package dev.berth.cli.machines;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/**
 * A network of machines on this one: a switch with an address that routes between them, and leads
 * nowhere else. It has no name that another run of the tests could have, too: everything belongs to
 * processes, and ends with them.
 */
final class TestLan implements AutoCloseable {
  private static final String GATEWAY = "10.199.0.1";

  private final Path folder;
  private final Holder lan;
  private final Deque<TestMachine> machines = new ArrayDeque<>();

  /**
   * @param folder where machines keep their files
   */
  TestLan(Path folder) throws IOException {
    this.folder = folder;
    lan =
        new Holder(
            List.of("unshare", "--net"),
            """
            ip link set lo up
            ip link add br0 type bridge
            ip addr add %s/24 dev br0
            ip link set br0 up
            echo 1 >/proc/sys/net/ipv4/ip_forward
            """
                .formatted(GATEWAY));
  }

  /** A machine that is connected. */
  TestMachine machine(String name) throws IOException {
    String device = "v" + machines.size();
    String address = "10.199.0." + (11 + machines.size());
    TestMachine machine = new TestMachine(name, address, folder.resolve(name));
    machines.push(machine);
    ip("link add %s type veth peer name eth0 netns %d".formatted(device, machine.process()));
    ip("link set %s master br0 up".formatted(device));
    machine.run("ip", "addr", "add", address + "/24", "dev", "eth0");
    machine.run("ip", "link", "set", "eth0", "up");
    machine.run("ip", "route", "add", "default", "via", GATEWAY);
    machine.device = device;
    return machine;
  }

  /** Takes a machine off the network, as a pulled cable does. */
  void cut(TestMachine machine) throws IOException {
    ip("link set %s down".formatted(machine.device));
  }

  void reconnect(TestMachine machine) throws IOException {
    ip("link set %s up".formatted(machine.device));
  }

  /** What somebody on the network who is no machine of the cluster gets from a command. */
  String outside(String... command) throws IOException {
    return lan.run(command);
  }

  private void ip(String words) throws IOException {
    lan.run(("ip " + words).split(" ", -1));
  }

  @Override
  public void close() throws IOException {
    for (TestMachine machine : machines) {
      machine.close();
    }
    lan.close();
  }
}
