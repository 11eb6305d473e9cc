package dev.berth.agent.dns;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.berth.policy.cidr.Cidr;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.List;

/** The name servers that the machine itself asks, read anew when its file has changed. */
final class UpstreamServers {
  private static final int MOST = 3;

  private final String file;
  private Known known = new Known(FileTime.fromMillis(-1), List.of());

  private record Known(FileTime changed, List<String> servers) {}

  /**
   * @param file such as {@code /etc/resolv.conf}; empty for none
   */
  UpstreamServers(String file) {
    this.file = file;
  }

  synchronized List<String> addresses() {
    if (file.isEmpty()) {
      return List.of();
    }
    try {
      Path path = Path.of(file);
      FileTime changed = Files.getLastModifiedTime(path);
      if (!changed.equals(known.changed())) {
        known = new Known(changed, parse(Files.readAllLines(path, UTF_8)));
      }
    } catch (IOException e) {
      // What was there last is the best guess while somebody replaces the file.
    }
    return known.servers();
  }

  static List<String> parse(List<String> lines) {
    List<String> servers = new ArrayList<>();
    for (String line : lines) {
      String[] words = line.strip().split("\\s+", -1);
      if (words.length > 1 && words[0].equals("nameserver")) {
        String address = words[1].replaceFirst("%.*", "");
        if (Cidr.parseAddress(address).isPresent() && servers.size() < MOST) {
          servers.add(address);
        }
      }
    }
    return servers;
  }
}
