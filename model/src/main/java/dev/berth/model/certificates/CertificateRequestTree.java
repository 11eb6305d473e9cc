package dev.berth.model.certificates;

import dev.berth.model.meta.Conditions;
import dev.berth.model.meta.Metadata;
import dev.berth.model.meta.Times;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** A CertificateSigningRequest, read on demand. */
public record CertificateRequestTree(JsonObject tree) {

  /**
   * A condition of it.
   *
   * @param since when it was last set, if it says so
   */
  public record Condition(String type, Optional<Instant> since) {}

  public Metadata metadata() {
    return Metadata.of(tree);
  }

  public String signerName() {
    return spec().text("signerName", "");
  }

  /** Who asks. */
  public String username() {
    return spec().text("username", "");
  }

  public List<String> groups() {
    return spec().array("groups").texts();
  }

  public Set<String> usages() {
    return Set.copyOf(spec().array("usages").texts());
  }

  /** For how long they want the certificate, if they say so. */
  public Optional<Duration> expiration() {
    return spec().integer("expirationSeconds").stream().mapToObj(Duration::ofSeconds).findFirst();
  }

  /** Whether it has a certificate. */
  public boolean isIssued() {
    return !tree.object("status").text("certificate", "").isEmpty();
  }

  public boolean has(String condition) {
    return Conditions.find(conditionsArray(), condition).isPresent();
  }

  public List<Condition> conditions() {
    return conditionsArray().objects().stream()
        .map(condition ->
            new Condition(condition.text("type", ""), time(condition.text("lastUpdateTime", ""))))
        .toList();
  }

  private static Optional<Instant> time(String text) {
    try {
      return text.isEmpty() ? Optional.empty() : Optional.of(Times.parse(text));
    } catch (IllegalArgumentException _) {
      return Optional.empty();
    }
  }

  /** The same with a condition that is true since now. */
  public JsonObject with(String condition, String reason, String message, Instant now) {
    JsonObject added =
        Conditions.condition(condition, Conditions.TRUE, reason, message)
            .with("lastUpdateTime", Times.format(now));
    return tree.with(
        "status",
        tree.object("status").with("conditions", Conditions.set(conditionsArray(), added, now)));
  }

  private JsonObject spec() {
    return tree.object("spec");
  }

  private JsonArray conditionsArray() {
    return tree.object("status").array("conditions");
  }
}
