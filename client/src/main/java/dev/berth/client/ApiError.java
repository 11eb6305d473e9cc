package dev.berth.client;

import dev.berth.model.leader.LeaderTerm;
import dev.berth.model.tree.JsonException;
import dev.berth.model.tree.JsonObject;
import java.time.Duration;
import java.util.Optional;

/**
 * Why a server refused.
 *
 * @param code the HTTP status
 * @param reason the word to switch on, such as {@code NotFound}; empty if the server gave none
 * @param retryAfter how long the server asks to be left alone, if it does
 * @param status the whole {@code Status} object, as far as there was one
 */
public record ApiError(
    int code, String reason, String message, Optional<Duration> retryAfter, JsonObject status) {
  private static final int NOT_FOUND = 404;
  private static final int CONFLICT = 409;
  private static final int GONE = 410;
  private static final int TOO_MANY_REQUESTS = 429;
  private static final int SERVER_ERRORS = 500;

  /** Reads a {@code Status} that came with an HTTP status. */
  public static ApiError of(int code, JsonObject status) {
    try {
      long seconds = status.object("details").integer("retryAfterSeconds").orElse(0);
      return new ApiError(
          code,
          status.text("reason", ""),
          status.text("message", ""),
          seconds > 0 ? Optional.of(Duration.ofSeconds(seconds)) : Optional.empty(),
          status);
    } catch (JsonException e) {
      return of(code, "the server answered %d with a malformed Status".formatted(code));
    }
  }

  /** A refusal by something that speaks no Kubernetes, such as a proxy. */
  public static ApiError of(int code, String message) {
    return new ApiError(code, "", message, Optional.empty(), JsonObject.EMPTY);
  }

  public ApiError retryAfter(Duration delay) {
    return new ApiError(code, reason, message, Optional.of(delay), status);
  }

  public boolean isNotFound() {
    return code == NOT_FOUND;
  }

  public boolean isConflict() {
    return code == CONFLICT && !isAlreadyExists();
  }

  public boolean isAlreadyExists() {
    return code == CONFLICT && reason.equals("AlreadyExists");
  }

  /** A revision is no longer kept: read again from the start. */
  public boolean isExpired() {
    return code == GONE;
  }

  public boolean isTooManyRequests() {
    return code == TOO_MANY_REQUESTS;
  }

  /**
   * Something failed in the server, a disk say; what was asked for may have been done all the same.
   */
  public boolean isServerError() {
    return code >= SERVER_ERRORS;
  }

  /** Whoever asked leads no more. */
  public boolean isTermOver() {
    return reason.equals(LeaderTerm.OVER);
  }

  /** What a disruption budget says that does not allow an eviction; empty if none has spoken. */
  public Optional<String> budgetRefusal() {
    return status.object("details").array("causes").objects().stream()
        .filter(cause -> cause.text("reason", "").equals("DisruptionBudget"))
        .map(cause -> cause.text("message", ""))
        .findFirst();
  }

  /** Nothing can be created in a namespace because it is being deleted. */
  public boolean isNamespaceGoing() {
    return status.object("details").array("causes").objects().stream()
        .anyMatch(cause -> cause.text("reason", "").equals("NamespaceTerminating"));
  }

  @Override
  public String toString() {
    return code + (reason.isEmpty() ? "" : " " + reason) + ": " + message;
  }
}
