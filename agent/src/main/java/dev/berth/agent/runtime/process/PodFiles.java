package dev.berth.agent.runtime.process;

import dev.berth.agent.runtime.SandboxSpec;
import dev.berth.agent.runtime.SandboxSpec.Dns;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** The files of /etc that each pod has its own of. */
final class PodFiles {
  private PodFiles() {}

  static void write(Path etc, SandboxSpec spec, List<String> addresses) throws IOException {
    Files.createDirectories(etc);
    Files.writeString(etc.resolve("hostname"), spec.hostname() + "\n");
    Files.writeString(etc.resolve("hosts"), hosts(spec, addresses));
    Files.writeString(etc.resolve("resolv.conf"), resolver(spec.dns()));
  }

  /** As the kubelet writes it; with the machine's network, the machine's own. */
  private static String hosts(SandboxSpec spec, List<String> addresses) throws IOException {
    if (spec.hostNetwork()) {
      return "# Kubernetes-managed hosts file (host network).\n" + ofMachine("/etc/hosts");
    }
    StringBuilder text =
        new StringBuilder(
            """
            # Kubernetes-managed hosts file.
            127.0.0.1\tlocalhost
            ::1\tlocalhost ip6-localhost ip6-loopback
            fe00::0\tip6-localnet
            fe00::0\tip6-mcastprefix
            fe00::1\tip6-allnodes
            fe00::2\tip6-allrouters
            """);
    for (String address : addresses) {
      text.append(address).append('\t').append(spec.hostname()).append('\n');
    }
    return text.toString();
  }

  private static String resolver(Dns dns) throws IOException {
    if (dns.servers().isEmpty() && dns.searches().isEmpty() && dns.options().isEmpty()) {
      return ofMachine("/etc/resolv.conf");
    }
    StringBuilder text = new StringBuilder();
    if (!dns.searches().isEmpty()) {
      text.append("search ").append(String.join(" ", dns.searches())).append('\n');
    }
    dns.servers().forEach(server -> text.append("nameserver ").append(server).append('\n'));
    if (!dns.options().isEmpty()) {
      text.append("options ").append(String.join(" ", dns.options())).append('\n');
    }
    return text.toString();
  }

  private static String ofMachine(String file) throws IOException {
    Path path = Path.of(file);
    return Files.isReadable(path) ? Files.readString(path) : "";
  }
}
