package dev.berth.policy.bootstrap;

import dev.berth.model.bootstrap.BootstrapToken;
import dev.berth.model.bootstrap.ClusterInfoTree;
import dev.berth.model.tree.JsonObject;
import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What {@code cluster-info} holds beside its kubeconfig, which everybody may read: for each
 * bootstrap token that may sign a signature, by which whoever has the token knows that it is
 * genuine.
 */
public final class ClusterInfo {
  private ClusterInfo() {}

  /** Signs a text with a token. */
  @FunctionalInterface
  public interface Signer {
    String sign(String content, String tokenId, String tokenSecret);
  }

  /** What it should be like; empty if it is, or if there is nothing to sign. */
  public static Optional<JsonObject> signed(
      ClusterInfoTree info, Collection<BootstrapToken> tokens, Signer signer, Instant now) {
    if (info.kubeconfig().isEmpty()) {
      return Optional.empty();
    }
    SortedMap<String, String> wanted = new TreeMap<>();
    for (BootstrapToken token : tokens) {
      if (token.signs(now)) {
        wanted.put(token.id(), signer.sign(info.kubeconfig().get(), token.id(), token.secret()));
      }
    }
    return wanted.equals(info.signatures())
        ? Optional.empty()
        : Optional.of(info.withSignatures(wanted));
  }

  /** When a signature must go because its token ends. */
  public static Optional<Instant> nextExpiration(Collection<BootstrapToken> tokens, Instant now) {
    return tokens.stream()
        .filter(token -> token.signs(now))
        .flatMap(token -> token.expiration().stream())
        .min(Comparator.naturalOrder());
  }
}
