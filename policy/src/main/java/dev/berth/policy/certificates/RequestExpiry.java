package dev.berth.policy.certificates;

import dev.berth.model.certificates.CertificateRequestTree;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * Which requests are deleted, since nobody needs them any more:
 *
 * <ol>
 *   <li>signed ones, an hour after their approval, or as soon as the certificate has expired;
 *   <li>denied ones and failed ones, an hour after that;
 *   <li>approved ones that nobody signs, a day after their approval;
 *   <li>those that nobody decides about, a day after their creation.
 * </ol>
 */
public final class RequestExpiry {
  private static final Duration APPROVED = Duration.ofHours(1);
  private static final Duration DENIED = Duration.ofHours(1);
  private static final Duration PENDING = Duration.ofHours(24);

  private RequestExpiry() {}

  /**
   * Why a request is to be deleted; empty if it stays.
   *
   * @param certificateEnd when the certificate expires, if there is one that can be read
   */
  public static Optional<String> reason(
      CertificateRequestTree request, Optional<Instant> certificateEnd, Instant now) {
    boolean isIssued = request.isIssued();
    if (request.conditions().isEmpty()) {
      return request
          .metadata()
          .creationTimestamp()
          .filter(created -> isOlder(created, PENDING, now))
          .map(_ -> "it is more than a day old and unhandled");
    }
    for (CertificateRequestTree.Condition condition : request.conditions()) {
      Optional<Instant> since = condition.since();
      Optional<String> reason =
          switch (condition.type()) {
            case CertificateRequest.APPROVED -> {
              if (isIssued && certificateEnd.filter(now::isAfter).isPresent()) {
                yield Optional.of("its certificate is expired");
              }
              yield isIssued
                  ? after(since, APPROVED, now, "it was signed more than an hour ago")
                  : after(since, PENDING, now, "it is approved but unsigned for more than a day");
            }
            case CertificateRequest.DENIED ->
                after(since, DENIED, now, "it was denied more than an hour ago");
            case CertificateRequest.FAILED ->
                after(since, DENIED, now, "it failed more than an hour ago");
            default -> Optional.empty();
          };
      if (reason.isPresent()) {
        return reason;
      }
    }
    return Optional.empty();
  }

  private static Optional<String> after(
      Optional<Instant> since, Duration life, Instant now, String reason) {
    return since.filter(at -> isOlder(at, life, now)).map(_ -> reason);
  }

  private static boolean isOlder(Instant at, Duration life, Instant now) {
    return now.isAfter(at.plus(life));
  }
}
