package dev.berth.agent.join;

import dev.berth.pki.NodeCredential;
import dev.berth.pki.NodeCredentialFile;
import dev.berth.time.Time;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * Whether others can trust what serves a node's logs and commands. Until then the node should not
 * be used; but a cluster that signs no certificates makes it wait only for a while.
 *
 * <p>For any thread.
 */
public final class ServingTrust {
  private static final Duration PATIENCE = Duration.ofSeconds(5);

  private final Time time;
  private final Instant began;
  private final Optional<NodeCredential> kept;
  private volatile boolean isTrusted;

  private ServingTrust(Time time, Optional<NodeCredential> kept, boolean isTrusted) {
    this.time = time;
    this.began = time.monotonicNow();
    this.kept = kept;
    this.isTrusted = isTrusted;
  }

  /** Of a node that serves with a certificate which it was given, or never asks for one. */
  public static ServingTrust given(Time time) {
    return new ServingTrust(time, Optional.empty(), true);
  }

  /** Of a node that asks the cluster for one, unless an earlier start has kept one. */
  public static ServingTrust signedByCluster(Time time, NodeCredentialFile file) {
    Optional<NodeCredential> kept =
        file.read().filter(found -> time.now().isBefore(found.notAfter()));
    return new ServingTrust(time, kept, kept.isPresent());
  }

  /** What to serve with from the start; empty if there is nothing that others would trust. */
  public Optional<NodeCredential> kept() {
    return kept;
  }

  /** Told when the cluster has signed a certificate, and it is served with. */
  public void signed() {
    isTrusted = true;
  }

  /** Why the node should not be used yet. */
  public Optional<String> problem() {
    boolean waits = !isTrusted && time.since(began).compareTo(PATIENCE) < 0;
    return waits ? Optional.of("no certificate to serve with yet") : Optional.empty();
  }
}
