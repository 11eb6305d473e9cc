package dev.berth.admission.policy;

import dev.berth.registry.admission.AdmissionRequest;
import dev.berth.registry.status.Failures;
import dev.berth.registry.status.Status;
import dev.berth.registry.status.StatusException;
import java.util.List;

/** The answer to a request that a policy refuses. */
final class PolicyRefusal {
  private PolicyRefusal() {}

  /** Says so like any other refusal of a request, with the reason that the policy gives. */
  static StatusException of(AdmissionRequest request, String message, String reason) {
    Status forbidden = forbidden(request, message);
    return new StatusException(
        new Status(
            code(reason), reason, forbidden.message(), details(forbidden, List.of(message))));
  }

  /** Says what several policies say, the first of them as the message. */
  static StatusException of(AdmissionRequest request, List<String> messages, String reason) {
    Status forbidden = forbidden(request, messages.getFirst());
    return new StatusException(
        new Status(forbidden.code(), reason, messages.getFirst(), details(forbidden, messages)));
  }

  private static Status forbidden(AdmissionRequest request, String message) {
    return Failures.forbidden(request.resource().groupResource(), request.name().name(), message)
        .status();
  }

  private static Status.Details details(Status status, List<String> messages) {
    Status.Details details = status.details() == null ? Status.Details.EMPTY : status.details();
    return new Status.Details(
        details.name(),
        details.group(),
        details.kind(),
        details.uid(),
        messages.stream().map(message -> new Status.Cause("", message, "")).toList(),
        0);
  }

  private static int code(String reason) {
    return switch (reason) {
      case "Forbidden" -> 403;
      case "Unauthorized" -> 401;
      case "RequestEntityTooLarge" -> 413;
      default -> 422;
    };
  }
}
