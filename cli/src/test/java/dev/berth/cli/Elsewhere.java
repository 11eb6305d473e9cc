package dev.berth.cli;

import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.util.List;

/**
 * Two addresses for servers to advertise that are not this machine's: of a network for examples
 * (RFC 5737), and of another one where somebody has given the machine an address of the first.
 */
record Elsewhere(String one, String other) {
  private static final List<String> NETWORKS = List.of("192.0.2.", "198.51.100.", "203.0.113.");

  static Elsewhere find() throws SocketException {
    List<String> own =
        NetworkInterface.networkInterfaces()
            .flatMap(NetworkInterface::inetAddresses)
            .map(InetAddress::getHostAddress)
            .toList();
    String network =
        NETWORKS.stream()
            .filter(each -> own.stream().noneMatch(address -> address.startsWith(each)))
            .findFirst()
            .orElseThrow(() -> new AssertionError("this machine has addresses of " + NETWORKS));
    return new Elsewhere(network + 1, network + 2);
  }
}
