package dev.berth.policy.bootstrap;

import dev.berth.model.tree.JsonObject;
import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.Objects;
import java.util.Optional;

/**
 * The ConfigMap {@code cluster-info} in {@code kube-public}: a kubeconfig that says where the
 * cluster is and whom to trust, which everybody may read, and for each bootstrap token that may
 * sign a signature of it, by which whoever has the token knows that it is genuine.
 */
public final class ClusterInfo {
  public static final String NAMESPACE = "kube-public";
  public static final String NAME = "cluster-info";

  /** The field with the kubeconfig. */
  public static final String KUBECONFIG = "kubeconfig";

  /** The beginning of the fields with signatures; the token's id follows. */
  public static final String SIGNATURE = "jws-kubeconfig-";

  private ClusterInfo() {}

  /** What it should be like; empty if it is, or if there is nothing to sign. */
  public static Optional<JsonObject> signed(
      JsonObject configMap, Collection<BootstrapToken> tokens, Instant now) {
    JsonObject data = configMap.object("data");
    String content = data.text(KUBECONFIG);
    if (content == null) {
      return Optional.empty();
    }
    JsonObject wanted = data;
    for (int i = 0; i < data.size(); i++) {
      String key = data.name(i);
      if (key.startsWith(SIGNATURE)
          && tokens.stream().noneMatch(token -> token.signs(now) && key.equals(key(token)))) {
        wanted = wanted.without(key);
      }
    }
    for (BootstrapToken token :
        tokens.stream().sorted(Comparator.comparing(BootstrapToken::id)).toList()) {
      if (token.signs(now)) {
        String signature = DetachedSignature.of(content, token.id(), token.secret());
        if (!Objects.equals(wanted.text(key(token)), signature)) {
          wanted = wanted.with(key(token), signature);
        }
      }
    }
    return wanted.equals(data) ? Optional.empty() : Optional.of(configMap.with("data", wanted));
  }

  private static String key(BootstrapToken token) {
    return SIGNATURE + token.id();
  }

  /** When a signature must go because its token ends. */
  public static Optional<Instant> nextExpiration(Collection<BootstrapToken> tokens, Instant now) {
    return tokens.stream()
        .filter(token -> token.signs(now))
        .flatMap(token -> token.expiration().stream())
        .min(Comparator.naturalOrder());
  }
}
