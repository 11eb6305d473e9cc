package dev.berth.grpc.etcd;

import dev.berth.store.etcd.EtcdException;
import dev.berth.store.etcd.EtcdException.Kind;
import io.grpc.Status;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What a status of gRPC says about a request to etcd. */
final class EtcdStatus {
  private static final String COMPACTED = "compacted";
  private static final String LEASE = "lease not found";

  /** What libraries say in words of their own, and what that means. */
  private static final Map<String, String> MEANINGS =
      Map.of(
          "unable to find valid certification path",
          "nobody who is trusted has signed its certificate",
          "Path does not chain with any of the trust anchors",
          "nobody who is trusted has signed its certificate",
          "No subject alternative",
          "its certificate is not for this address",
          "certificate_required",
          "it answers only those who show a certificate that it trusts",
          "bad_certificate",
          "it does not trust the certificate that is shown to it",
          "unknown_ca",
          "it does not trust the certificate that is shown to it",
          "Network closed for unknown reason",
          "it ended the connection, as members do that want https:// or another certificate",
          "Connection closed while performing TLS negotiation",
          "it does not speak TLS, as members do that want http://");

  private EtcdStatus() {}

  static EtcdException of(Throwable failure) {
    Status status = Status.fromThrowable(failure);
    return new EtcdException(kind(status), explained(message(status)), failure);
  }

  private static String explained(String said) {
    return MEANINGS.entrySet().stream()
        .filter(meaning -> said.contains(meaning.getKey()))
        .map(meaning -> "%s (\"%s\")".formatted(meaning.getValue(), said))
        .findFirst()
        .orElse(said);
  }

  private static Kind kind(Status status) {
    return switch (status.getCode()) {
      case OUT_OF_RANGE ->
          String.valueOf(status.getDescription()).contains(COMPACTED)
              ? Kind.COMPACTED
              : Kind.REFUSED;
      case NOT_FOUND ->
          String.valueOf(status.getDescription()).contains(LEASE) ? Kind.LEASE_GONE : Kind.REFUSED;
      // Also a leader that changed and a request that timed out within etcd.
      case UNAVAILABLE, DEADLINE_EXCEEDED, UNKNOWN, INTERNAL, CANCELLED, ABORTED -> Kind.NO_ANSWER;
      default -> Kind.REFUSED;
    };
  }

  private static String message(Status status) {
    if (status.getCode() == Status.Code.DEADLINE_EXCEEDED && status.getCause() == null) {
      return "no answer in time";
    }
    String said = firstLine(status.getDescription());
    String why = firstLine(innermost(status.getCause()));
    if (said == null) {
      return why == null ? status.getCode().toString() : why;
    }
    return why == null || said.contains(why) ? said : why;
  }

  /** Netty goes on with what a connection is made of. */
  private static @Nullable String firstLine(@Nullable String text) {
    return text == null ? null : text.lines().findFirst().orElse("");
  }

  private static @Nullable String innermost(@Nullable Throwable cause) {
    Throwable innermost = cause;
    while (innermost != null && innermost.getCause() != null) {
      innermost = innermost.getCause();
    }
    return innermost == null ? null : innermost.getMessage();
  }
}
