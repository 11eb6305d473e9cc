package dev.berth.policy.serviceaccount;

import dev.berth.model.meta.Metadata;
import dev.berth.model.tree.JsonObject;
import dev.berth.model.user.TokenSecret;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.time.format.DateTimeParseException;
import java.util.Optional;

/**
 * What becomes of tokens that were once made for accounts without anybody asking: one that was not
 * used for a year is marked invalid, and a year after that its secret is deleted. Secrets that
 * people made are left alone, and so are those that pods mount.
 *
 * @param trackedSince the day since which the use of tokens is written down
 * @param period how long a token may be unused
 */
public record LegacyTokenCleanup(LocalDate trackedSince, Duration period) {
  /** The ConfigMap of kube-system that tells the day, under this key. */
  public static final String TRACKING = "kube-apiserver-legacy-service-account-token-tracking";

  public static final String SINCE = "since";
  public static final Duration ONE_YEAR = Duration.ofDays(365);

  /** What is to be done about a secret. */
  public sealed interface Step {
    record Keep() implements Step {}

    /** Its token is not good any more, from this day on. */
    record Invalidate(String day) implements Step {}

    record Delete() implements Step {}
  }

  /** A day as labels have it; empty if the text is none. */
  public static Optional<LocalDate> day(String text) {
    try {
      return Optional.of(LocalDate.parse(text));
    } catch (DateTimeParseException _) {
      return Optional.empty();
    }
  }

  /** The day of an instant. */
  public static LocalDate day(Instant instant) {
    return instant.atZone(ZoneOffset.UTC).toLocalDate();
  }

  /**
   * Decides about a secret.
   *
   * @param account the account whose token it holds, if that is there
   * @param isMounted whether a pod has it
   */
  public Step decide(
      TokenSecret secret, Optional<JsonObject> account, boolean isMounted, Instant now) {
    Instant tracked = trackedSince.plusDays(1).atStartOfDay(ZoneOffset.UTC).toInstant();
    Instant oldest = now.minus(period);
    Metadata metadata = secret.metadata();
    Optional<String> lastUsed = metadata.label(TokenSecret.LAST_USED);
    boolean isKept =
        oldest.isBefore(tracked)
            || !secret.isOfType()
            || metadata.isBeingDeleted()
            || !metadata.creationTimestamp().orElse(now).isBefore(oldest)
            || lastUsed.filter(text -> isSince(text, day(oldest))).isPresent()
            || isMounted
            || account.filter(secret::isOf).filter(secret::isNamedBy).isEmpty();
    if (isKept) {
      return new Step.Keep();
    }
    Optional<LocalDate> invalid =
        metadata.label(TokenSecret.INVALID_SINCE).flatMap(LegacyTokenCleanup::day);
    if (invalid.isEmpty()) {
      return new Step.Invalidate(day(now).toString());
    }
    return invalid.get().isBefore(day(oldest)) ? new Step.Delete() : new Step.Keep();
  }

  /** Whether a day is not before another; so is one that cannot be read. */
  private static boolean isSince(String text, LocalDate day) {
    return day(text).map(used -> !used.isBefore(day)).orElse(true);
  }
}
