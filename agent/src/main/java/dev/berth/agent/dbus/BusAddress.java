package dev.berth.agent.dbus;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.net.URLDecoder;
import java.util.ArrayList;
import java.util.List;

/** Where a bus is. */
final class BusAddress {
  private BusAddress() {}

  /**
   * The sockets of an address such as {@code unix:path=/run/dbus/system_bus_socket}, of which there
   * may be several with semicolons between them. A name in the kernel's own space begins with a
   * zero.
   */
  static List<String> sockets(String address) throws IOException {
    List<String> sockets = new ArrayList<>();
    for (String each : address.split(";", -1)) {
      if (each.startsWith("unix:")) {
        for (String pair : each.substring("unix:".length()).split(",", -1)) {
          if (pair.startsWith("path=")) {
            sockets.add(decoded(pair.substring("path=".length())));
          } else if (pair.startsWith("abstract=")) {
            sockets.add('\0' + decoded(pair.substring("abstract=".length())));
          }
        }
      }
    }
    if (sockets.isEmpty()) {
      throw new IOException(
          "\"%s\" is no address of a bus such as unix:path=/run/dbus/system_bus_socket"
              .formatted(address));
    }
    return sockets;
  }

  private static String decoded(String value) throws IOException {
    try {
      return URLDecoder.decode(value.replace("+", "%2B"), UTF_8);
    } catch (IllegalArgumentException e) {
      throw new IOException("\"%s\" is no part of an address of a bus".formatted(value), e);
    }
  }
}
