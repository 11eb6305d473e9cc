package dev.berth.agent.podspec;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.berth.model.tree.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** The /etc/hosts of a pod's containers: its own name, and the aliases of its specification. */
final class HostsFile {
  static final String PLACE = "/etc/hosts";

  private static final String HEADER = "# Kubernetes-managed hosts file";

  private HostsFile() {}

  /**
   * Its content.
   *
   * @param machines the machine's own, for pods with its network
   */
  static String content(
      JsonObject pod, PodHostname hostname, List<String> addresses, String machines) {
    JsonObject spec = pod.object("spec");
    StringBuilder text = new StringBuilder();
    if (spec.flag("hostNetwork", false)) {
      text.append(HEADER).append(" (host network).\n").append(machines);
    } else {
      text.append(HEADER)
          .append(".\n127.0.0.1\tlocalhost\n")
          .append("::1\tlocalhost ip6-localhost ip6-loopback\n")
          .append("fe00::0\tip6-localnet\nfe00::0\tip6-mcastprefix\n")
          .append("fe00::1\tip6-allnodes\nfe00::2\tip6-allrouters\n");
      for (String address : addresses) {
        text.append(address).append('\t');
        if (!hostname.domain().isEmpty()) {
          text.append(hostname.name()).append('.').append(hostname.domain()).append('\t');
        }
        text.append(hostname.name()).append('\n');
      }
    }
    List<JsonObject> aliases = spec.array("hostAliases").objects();
    if (!aliases.isEmpty()) {
      text.append("\n# Entries added by HostAliases.\n");
      for (JsonObject alias : aliases) {
        text.append(alias.text("ip", ""))
            .append('\t')
            .append(String.join("\t", alias.array("hostnames").texts()))
            .append('\n');
      }
    }
    return text.toString();
  }

  /** Writes it where it is: it is mounted into containers that run. */
  static void write(Path file, String content) throws IOException {
    Files.createDirectories(file.toAbsolutePath().getParent());
    if (!Files.exists(file) || !Files.readString(file, UTF_8).equals(content)) {
      Files.writeString(file, content, UTF_8);
    }
  }
}
