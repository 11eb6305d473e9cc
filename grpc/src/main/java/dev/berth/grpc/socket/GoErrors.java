package dev.berth.grpc.socket;

import io.grpc.Status;
import java.util.Objects;

/** Failures of calls in the words of gRPC's Go library, which Kubernetes' users know. */
public final class GoErrors {
  /** What the library says of any connection that fails: only the cause tells how. */
  private static final String NOT_TOLD = "io exception";

  private GoErrors() {}

  /** Such as {@code rpc error: code = Unavailable desc = …}. */
  public static String text(Throwable failure) {
    Status status = Status.fromThrowable(failure);
    return "rpc error: code = %s desc = %s".formatted(code(status.getCode()), description(status));
  }

  /** What went wrong alone, in the words of whoever was called. */
  public static String description(Throwable failure) {
    return description(Status.fromThrowable(failure));
  }

  private static String description(Status status) {
    if (status.getCode() == Status.Code.DEADLINE_EXCEEDED) {
      return "context deadline exceeded";
    }
    String description = Objects.requireNonNullElse(status.getDescription(), "");
    Throwable cause = status.getCause();
    boolean isTold = !description.isEmpty() && !description.equals(NOT_TOLD);
    if (isTold || cause == null || cause.getMessage() == null) {
      return description;
    }
    return cause.getMessage();
  }

  private static String code(Status.Code code) {
    return switch (code) {
      case OK -> "OK";
      case CANCELLED -> "Canceled";
      case UNKNOWN -> "Unknown";
      case INVALID_ARGUMENT -> "InvalidArgument";
      case DEADLINE_EXCEEDED -> "DeadlineExceeded";
      case NOT_FOUND -> "NotFound";
      case ALREADY_EXISTS -> "AlreadyExists";
      case PERMISSION_DENIED -> "PermissionDenied";
      case RESOURCE_EXHAUSTED -> "ResourceExhausted";
      case FAILED_PRECONDITION -> "FailedPrecondition";
      case ABORTED -> "Aborted";
      case OUT_OF_RANGE -> "OutOfRange";
      case UNIMPLEMENTED -> "Unimplemented";
      case INTERNAL -> "Internal";
      case UNAVAILABLE -> "Unavailable";
      case DATA_LOSS -> "DataLoss";
      case UNAUTHENTICATED -> "Unauthenticated";
    };
  }
}
