package dev.berth.agent.server;

import dev.berth.agent.runtime.ContainerRuntime;
import dev.berth.agent.runtime.PodId;
import dev.berth.http.Exchange;
import dev.berth.http.Upgrades;
import dev.berth.http.spdy.SpdyConnection;
import dev.berth.http.websocket.WebSocketHandshake;
import dev.berth.http.websocket.WebSocketTunnel;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Connects clients from afar with ports of pods. */
final class PortForwards {
  private static final Logger LOG = LoggerFactory.getLogger(PortForwards.class);
  private static final List<String> PROTOCOLS = List.of("portforward.k8s.io");

  /** SPDY within a WebSocket. */
  private static final String TUNNEL = "SPDY/3.1+portforward.k8s.io";

  private static final int BAD_REQUEST = 400;

  private final ContainerRuntime runtime;
  private final FoundPods pods;
  private final Sessions sessions;

  PortForwards(ContainerRuntime runtime, FoundPods pods, Sessions sessions) {
    this.runtime = runtime;
    this.pods = pods;
    this.sessions = sessions;
  }

  void serve(Exchange exchange, PodPath path) throws Refusal {
    PodId pod = FoundPods.id(pods.pod(path, "pod does not exist"));
    if (!Upgrades.isRequested(exchange)) {
      throw new Refusal(BAD_REQUEST, "Upgrade request required");
    }
    try (Sessions.Place _ = sessions.begin();
        SpdyConnection connection = accept(exchange)) {
      new ForwardedPorts(runtime, pod).run(connection);
    } catch (IOException e) {
      LOG.debug("the client of a port of {} has gone: {}", pod, e.getMessage());
    }
  }

  private static SpdyConnection accept(Exchange exchange) throws Refusal {
    if (!WebSocketHandshake.isRequested(exchange)) {
      return SpdyUpgrade.accept(exchange, PROTOCOLS).connection();
    }
    List<String> offered = WebSocketHandshake.offered(exchange);
    Optional<String> problem = WebSocketHandshake.problem(exchange);
    if (problem.isPresent() || !offered.contains(TUNNEL)) {
      throw new Refusal(
          BAD_REQUEST, problem.orElse("none of the protocols %s is supported".formatted(offered)));
    }
    return new SpdyConnection(new WebSocketTunnel(WebSocketHandshake.accept(exchange, TUNNEL)));
  }
}
