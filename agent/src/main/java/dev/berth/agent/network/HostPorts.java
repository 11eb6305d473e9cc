package dev.berth.agent.network;

import dev.berth.agent.runtime.SandboxSpec.HostPort;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Ports of the machine that lead to pods, forwarded by the agent itself. They rest while there is
 * no agent; the next one opens them again.
 */
public final class HostPorts implements AutoCloseable {
  private final Map<String, List<AutoCloseable>> byPod = new HashMap<>();

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
        opened.add(open(port, addresses.getFirst()));
      }
    } catch (IOException e) {
      closeAll(opened);
      throw e;
    }
    byPod.put(podUid, opened);
  }

  private static AutoCloseable open(HostPort port, String address) throws IOException {
    try {
      return switch (port.protocol()) {
        case "TCP" -> new TcpForwarder(port, address);
        case "UDP" -> new UdpForwarder(port, address);
        default -> throw new IOException("host ports are not supported for " + port.protocol());
      };
    } catch (IOException e) {
      throw new IOException(
          "host port %d/%s cannot be opened: %s"
              .formatted(port.hostPort(), port.protocol(), e.getMessage()),
          e);
    }
  }

  public synchronized void close(String podUid) {
    List<AutoCloseable> opened = byPod.remove(podUid);
    if (opened != null) {
      closeAll(opened);
    }
  }

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
