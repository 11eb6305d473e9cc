package dev.berth.agent.network;

import dev.berth.agent.runtime.SandboxSpec.HostPort;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ports of the machine that lead to pods. The kernel forwards them ({@link HostPortRules}). The
 * agent's own sockets keep others from taking them, and forward what the kernel does not: what
 * comes over loopback, and everything where there is no {@code nft}. They rest while there is no
 * agent; the next one opens them again.
 */
public final class HostPorts implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger("pod-network");

  private final Map<String, List<AutoCloseable>> byPod = new HashMap<>();
  private final @Nullable HostPortRules rules;

  /** Whether rules are written; not while it is being told of the pods that there were. */
  private boolean isReady;

  /**
   * @param bridge of the node's pods
   */
  public HostPorts(String bridge) {
    rules = Nft.findQuietly().map(nft -> new HostPortRules(nft, bridge)).orElse(null);
  }

  /** Has been told of all pods that were there before. */
  public synchronized void ready() {
    isReady = true;
    if (rules != null) {
      write(rules).ifPresent(HostPorts::warn);
    }
  }

  /**
   * Opens the ports of a pod, unless they are.
   *
   * @param addresses the pod's
   */
  public synchronized void open(String podUid, List<HostPort> ports, List<String> addresses)
      throws IOException {
    if (ports.isEmpty() || addresses.isEmpty() || byPod.containsKey(podUid)) {
      return;
    }
    List<AutoCloseable> opened = new ArrayList<>();
    try {
      for (HostPort port : ports) {
        open(port, addresses.getFirst()).ifPresent(opened::add);
      }
      lead(podUid, ports, addresses);
    } catch (IOException e) {
      closeAll(opened);
      throw e;
    }
    byPod.put(podUid, opened);
  }

  private Optional<AutoCloseable> open(HostPort port, String address) throws IOException {
    try {
      return switch (port.protocol()) {
        case "TCP" -> Optional.of(new TcpForwarder(port, address));
        case "UDP" -> Optional.of(new UdpForwarder(port, address));
        default -> {
          if (rules == null) {
            throw new IOException(
                port.protocol() + " needs nft, which is not installed (Debian: nftables)");
          }
          if (rules.isTaken(port)) {
            throw new IOException("another pod has it");
          }
          yield Optional.empty();
        }
      };
    } catch (IOException e) {
      throw new IOException(
          "host port %d/%s cannot be opened: %s"
              .formatted(port.hostPort(), port.protocol(), e.getMessage()),
          e);
    }
  }

  /** Without rules, sockets of the agent do for all but SCTP. */
  private void lead(String podUid, List<HostPort> ports, List<String> addresses)
      throws IOException {
    if (rules == null) {
      return;
    }
    rules.note(podUid, ports, addresses);
    Optional<String> why = isReady ? write(rules) : Optional.empty();
    if (why.isPresent() && ports.stream().anyMatch(port -> port.protocol().equals("SCTP"))) {
      rules.forget(podUid);
      throw new IOException(why.get());
    }
    why.ifPresent(HostPorts::warn);
  }

  private static Optional<String> write(HostPortRules rules) {
    try {
      rules.write();
      return Optional.empty();
    } catch (IOException e) {
      return Optional.of("rules for host ports cannot be changed: " + e.getMessage());
    }
  }

  private static void warn(String why) {
    LOG.warn("{}; the agent forwards them, and pods see its address", why);
  }

  public synchronized void close(String podUid) {
    List<AutoCloseable> opened = byPod.remove(podUid);
    if (opened != null) {
      closeAll(opened);
    }
    if (rules != null && rules.forget(podUid) && isReady) {
      write(rules).ifPresent(HostPorts::warn);
    }
  }

  /** Closes the agent's sockets; the kernel goes on. */
  @Override
  public synchronized void close() {
    byPod.values().forEach(HostPorts::closeAll);
    byPod.clear();
  }

  private static void closeAll(List<AutoCloseable> opened) {
    for (AutoCloseable each : opened) {
      try {
        each.close();
      } catch (Exception e) {
        throw new IllegalStateException("a port cannot be closed", e);
      }
    }
  }
}
