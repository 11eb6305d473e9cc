package dev.berth.apiserver;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Who is let in, besides those with certificates.
 *
 * @param tokenFile static tokens; null if there are none
 * @param issuer what the tokens of service accounts say where they are from, and for whom they are
 *     good unless something else was asked for
 */
public record AccessConfig(@Nullable Path tokenFile, String issuer) {
  public static final AccessConfig DEFAULT =
      new AccessConfig(null, "https://kubernetes.default.svc.cluster.local");
}
