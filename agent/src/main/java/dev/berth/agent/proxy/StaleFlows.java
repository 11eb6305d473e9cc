package dev.berth.agent.proxy;

import dev.berth.agent.nativecalls.ConnectionTracking;
import dev.berth.agent.nativecalls.ConnectionTracking.Flow;
import dev.berth.agent.proxy.ServiceProxy.UdpService;
import dev.berth.policy.cidr.Cidr;
import java.io.IOException;
import java.util.Collection;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes the kernel forget where it sends UDP packets to: a flow goes on to an endpoint that is gone
 * for as long as a client keeps sending, since nobody tells it to stop. TCP connections end by
 * themselves.
 */
public final class StaleFlows {
  private static final Logger LOG = LoggerFactory.getLogger("service-proxy");

  private StaleFlows() {}

  /**
   * Removes those to services' endpoints that do not serve any more. It blocks. How many there
   * were.
   */
  public static int remove(Collection<UdpService> services) {
    int removed = 0;
    try (ConnectionTracking tracking = new ConnectionTracking()) {
      for (Flow flow : tracking.udpFlows()) {
        if (isStale(flow, services) && tracking.remove(flow)) {
          removed++;
        }
      }
    } catch (IOException e) {
      LOG.atDebug().setCause(e).log("cannot look for packets' old ways");
    }
    return removed;
  }

  /**
   * Whether a flow was sent to a service and goes to none of its endpoints, though there are some.
   */
  static boolean isStale(Flow flow, Collection<UdpService> services) {
    String destination = address(flow.destination());
    String answering = address(flow.answering()) + " " + flow.answeringPort();
    return services.stream()
        .filter(each ->
            (each.port() == flow.destinationPort() && each.addresses().contains(destination))
                || (each.nodePort() != 0 && each.nodePort() == flow.destinationPort()))
        .anyMatch(each -> !each.endpoints().isEmpty() && !each.endpoints().contains(answering));
  }

  /** As everybody writes it: those of IPv6 can be written in many ways. */
  static String address(String text) {
    return Cidr.parseAddress(text).map(Cidr::address).orElse(text);
  }
}
