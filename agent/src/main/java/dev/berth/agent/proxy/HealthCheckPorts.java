package dev.berth.agent.proxy;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.berth.agent.proxy.ServiceProxy.HealthPort;
import dev.berth.model.resource.ObjectName;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Semaphore;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells load balancers whether this node has endpoints of a service: a port for each service, which
 * answers any path with 200 or 503, as kube-proxy does.
 */
public final class HealthCheckPorts implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger("service-proxy");
  private static final int BACKLOG = 16;
  private static final int MOST_REQUESTS = 64;
  private static final int PATIENCE_MILLIS = 5_000;
  private static final int MOST_LINES = 100;

  private final Map<ObjectName, Answering> answering = new HashMap<>();
  private final Set<String> warned = new HashSet<>();

  /** Serves these ports from now on, and no others. */
  public synchronized void serve(Map<ObjectName, HealthPort> wanted) {
    answering
        .entrySet()
        .removeIf(each -> {
          HealthPort now = wanted.get(each.getKey());
          boolean isGone = now == null || now.port() != each.getValue().port;
          if (isGone) {
            each.getValue().close();
          }
          return isGone;
        });
    wanted.forEach((name, port) -> {
      Answering known = answering.get(name);
      if (known != null) {
        known.localEndpoints = port.localEndpoints();
        return;
      }
      try {
        answering.put(name, new Answering(name, port));
      } catch (IOException e) {
        if (warned.add(name + " " + port.port())) {
          LOG.atWarn()
              .addKeyValue("service", name)
              .addKeyValue("port", port.port())
              .addKeyValue("reason", e.getMessage())
              .log("cannot open the health check port of a service");
        }
      }
    });
  }

  @Override
  public synchronized void close() {
    answering.values().forEach(Answering::close);
    answering.clear();
  }

  /** The port of one service. */
  private static final class Answering implements AutoCloseable {
    private final ObjectName service;
    private final int port;
    private final ServerSocket server = new ServerSocket();
    private final Semaphore free = new Semaphore(MOST_REQUESTS);
    private volatile int localEndpoints;

    Answering(ObjectName service, HealthPort wanted) throws IOException {
      this.service = service;
      port = wanted.port();
      localEndpoints = wanted.localEndpoints();
      server.setReuseAddress(true);
      try {
        server.bind(new InetSocketAddress(port), BACKLOG);
      } catch (IOException e) {
        server.close();
        throw e;
      }
      Thread.ofVirtual().name("health-check-" + port).start(this::accept);
    }

    private void accept() {
      while (!server.isClosed()) {
        try {
          Socket client = server.accept();
          if (!free.tryAcquire()) {
            client.close();
            continue;
          }
          Thread.ofVirtual()
              .start(() -> {
                try (client) {
                  answer(client);
                } catch (IOException e) {
                  // It left.
                } finally {
                  free.release();
                }
              });
        } catch (IOException e) {
          // Closed, or a client that left at once.
        }
      }
    }

    /** The request does not matter, but is read: who writes may not listen before. */
    private void answer(Socket client) throws IOException {
      client.setSoTimeout(PATIENCE_MILLIS);
      BufferedReader in = new BufferedReader(new InputStreamReader(client.getInputStream(), UTF_8));
      for (int i = 0; i < MOST_LINES; i++) {
        String line = in.readLine();
        if (line == null || line.isEmpty()) {
          break;
        }
      }
      int here = localEndpoints;
      String body =
          """
          {
          	"service": {
          		"namespace": "%s",
          		"name": "%s"
          	},
          	"localEndpoints": %d,
          	"serviceProxyHealthy": true
          }\
          """
              .formatted(service.namespace(), service.name(), here);
      String header =
          String.join(
              "\r\n",
              here > 0 ? "HTTP/1.1 200 OK" : "HTTP/1.1 503 Service Unavailable",
              "Content-Type: application/json",
              "X-Content-Type-Options: nosniff",
              "X-Load-Balancing-Endpoint-Weight: " + here,
              "Content-Length: " + body.getBytes(UTF_8).length,
              "Connection: close",
              "",
              "");
      client.getOutputStream().write((header + body).getBytes(UTF_8));
    }

    @Override
    public void close() {
      try {
        server.close();
      } catch (IOException e) {
        LOG.atDebug().setCause(e).log("a health check port could not be closed");
      }
    }
  }
}
