package dev.berth.pki;

import java.io.IOException;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;

/** The names and addresses under which clients reach the server. */
public final class ServerNames {
  private static final List<String> ALWAYS =
      List.of(
          "kubernetes",
          "kubernetes.default",
          "kubernetes.default.svc",
          "kubernetes.default.svc.cluster.local",
          "localhost",
          "127.0.0.1",
          "::1",
          // The first address of the service range, where pods look for the API.
          "10.96.0.1");

  private static final Path HOST_NAME = Path.of("/proc/sys/kernel/hostname");

  private final SubjectNames names;

  private ServerNames(SubjectNames names) {
    this.names = names;
  }

  /** The fixed names, and these: host names or IP addresses. */
  public static ServerNames of(Collection<String> more) {
    SortedSet<String> dns = new TreeSet<>();
    SortedSet<String> addresses = new TreeSet<>();
    for (Collection<String> names : List.of(ALWAYS, more)) {
      for (String name : names) {
        if (name.contains(":") || name.matches("[0-9.]+")) {
          addresses.add(SubjectNames.canonical(name));
        } else if (isHostName(name)) {
          dns.add(name);
        } else {
          throw new IllegalArgumentException(
              "\"%s\" is neither a host name nor an IP address.".formatted(name));
        }
      }
    }
    return new ServerNames(new SubjectNames(dns, addresses));
  }

  private static boolean isHostName(String name) {
    return name.length() <= 253
        && name.matches("(\\*\\.)?[A-Za-z0-9_]([A-Za-z0-9._-]*[A-Za-z0-9])?");
  }

  /** The host name of this machine and its addresses, without those of a single link. */
  public static List<String> ofThisMachine() {
    SortedSet<String> names = new TreeSet<>();
    try {
      // Asking the resolver for our own name can take seconds where it is not set up.
      String hostName = Files.readString(HOST_NAME).trim();
      if (isHostName(hostName)) {
        names.add(hostName);
      }
    } catch (IOException _) {
      // Not a Linux, or one without /proc: its addresses must do.
    }
    try {
      for (NetworkInterface card : NetworkInterface.networkInterfaces().toList()) {
        for (InetAddress address : card.inetAddresses().toList()) {
          if (!address.isLinkLocalAddress()) {
            names.add(SubjectNames.withoutScope(address));
          }
        }
      }
    } catch (SocketException | UnknownHostException _) {
      // A machine without a network is reached as localhost.
    }
    return List.copyOf(names);
  }

  SubjectNames names() {
    return names;
  }
}
