package dev.berth.agent.server;

import dev.berth.agent.config.AgentSettings.SystemLogs;
import dev.berth.http.ServerTls;
import dev.berth.pki.ClientCertificates;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;

/**
 * How to serve the node's port.
 *
 * @param address where to listen; port 0 picks a free one
 * @param tls the serving certificate, which may be replaced later
 * @param clients verifies client certificates by the cluster's authority
 * @param memory of what the API server has said of others
 * @param enableDebuggingHandlers whether logs, commands and port forwarding are served at all
 * @param systemLogs which of the machine's logs are served beside them
 * @param logDirectory where these are, such as {@code /var/log}
 */
public record NodeServerConfig(
    InetSocketAddress address,
    ServerTls tls,
    ClientCertificates clients,
    Memory memory,
    boolean enableDebuggingHandlers,
    SystemLogs systemLogs,
    Path logDirectory) {

  /** For how long a token's user, a permission and a refusal count without asking again. */
  public record Memory(Duration tokens, Duration allowed, Duration denied) {}
}
