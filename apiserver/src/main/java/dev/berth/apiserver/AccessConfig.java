package dev.berth.apiserver;

import dev.berth.access.token.oidc.AuthenticationConfiguration;
import dev.berth.client.kubeconfig.Connection;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Who is let in, besides those with certificates.
 *
 * @param tokenFile static tokens; null if there are none
 * @param issuer what the tokens of service accounts say where they are from, and for whom they are
 *     good unless something else was asked for
 * @param authentication whose other tokens are good, and who needs none
 * @param webhook who is asked about tokens that nobody here knows
 */
public record AccessConfig(
    @Nullable Path tokenFile,
    String issuer,
    AuthenticationConfiguration authentication,
    Optional<TokenWebhook> webhook) {
  public static final AccessConfig DEFAULT =
      new AccessConfig(null, "https://kubernetes.default.svc.cluster.local");

  /** Without issuers and webhooks. */
  public AccessConfig(@Nullable Path tokenFile, String issuer) {
    this(tokenFile, issuer, AuthenticationConfiguration.NONE, Optional.empty());
  }

  /**
   * A server that answers TokenReviews.
   *
   * @param cacheTtl how long an answer holds
   */
  public record TokenWebhook(Connection connection, Duration cacheTtl) {}
}
