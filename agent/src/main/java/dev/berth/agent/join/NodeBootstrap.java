package dev.berth.agent.join;

import dev.berth.client.http.HttpApi;
import dev.berth.client.kubeconfig.Connection;
import dev.berth.client.kubeconfig.Connection.Identity;
import dev.berth.metrics.Metrics;
import dev.berth.pki.NodeCredential;
import dev.berth.pki.RequestedNames;
import dev.berth.time.Time;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Gets a node its first certificate, by a connection that may ask for one. */
public final class NodeBootstrap {
  private NodeBootstrap() {}

  /** What a node is known by to the API server, which needs no addresses. */
  public static RequestedNames clientNames(String node) {
    return CertificatePurpose.names(node, List.of(), List.of());
  }

  /**
   * The connection of a node: with the certificate that it has, or else with one that it asks for.
   * Blocks until it was approved and signed.
   *
   * @param bootstrap as whom to ask
   * @param patience how long to wait
   * @throws JoinException if nobody signed one in time
   */
  public static Connection connect(
      String node, NodeFiles files, Connection bootstrap, Duration patience, Time time)
      throws InterruptedException {
    Optional<NodeCredential> kept =
        files
            .credential(CertificatePurpose.CLIENT)
            .read()
            .filter(found -> time.now().isBefore(found.notAfter()))
            .filter(found -> found.covers(clientNames(node)));
    NodeCredential credential =
        kept.isPresent() ? kept.get() : ask(node, files, bootstrap, patience, time);
    return with(bootstrap, credential);
  }

  /** A connection with another certificate. */
  public static Connection with(Connection connection, NodeCredential credential) {
    return connection.as(new Identity.Certificate(credential.chain(), credential.key()));
  }

  private static NodeCredential ask(
      String node, NodeFiles files, Connection bootstrap, Duration patience, Time time)
      throws InterruptedException {
    CompletableFuture<NodeCredential> first = new CompletableFuture<>();
    RequestedNames names = clientNames(node);
    try (HttpApi api = new HttpApi(bootstrap, time, "node");
        CertificateManager _ =
            CertificateManager.start(
                new CertificateManager.Parts(
                    api,
                    time,
                    new Metrics(),
                    CertificatePurpose.CLIENT,
                    () -> Optional.of(names),
                    files.credential(CertificatePurpose.CLIENT),
                    first::complete))) {
      return first.get(patience.toMillis(), TimeUnit.MILLISECONDS);
    } catch (ExecutionException e) {
      throw new IllegalStateException(e);
    } catch (TimeoutException e) {
      throw new JoinException(
          "Nobody approved the request of the node \"%s\" for a certificate within %d s: look at it with"
                  .formatted(node, patience.toSeconds())
              + " \"kubectl get csr\", and at this machine's log.",
          e);
    }
  }
}
