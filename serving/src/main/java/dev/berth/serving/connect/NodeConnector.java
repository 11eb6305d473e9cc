package dev.berth.serving.connect;

import dev.berth.http.outgoing.Destination;
import dev.berth.model.tree.JsonObject;
import dev.berth.registry.status.Status;
import dev.berth.registry.status.StatusException;
import java.net.InetAddress;

/** How the kubelets of nodes are reached. For any thread; nothing blocks. */
public interface NodeConnector {

  /** Where there are none, as in a cluster within one process. */
  NodeConnector NONE =
      new NodeConnector() {
        @Override
        public Destination kubelet(JsonObject node, boolean verifies) {
          throw new StatusException(
              new Status(501, "NotImplemented", "this server does not connect to nodes", null));
        }

        @Override
        public boolean mayProxyTo(InetAddress address) {
          return false;
        }
      };

  /**
   * The kubelet of a node.
   *
   * @param verifies whether its certificate has to be one of the cluster's
   * @throws StatusException if it has none
   */
  Destination kubelet(JsonObject node, boolean verifies);

  /**
   * Whether clients may be connected with an address that a node or a pod claims to have: those of
   * this machine itself would lead behind its own firewall.
   */
  boolean mayProxyTo(InetAddress address);
}
