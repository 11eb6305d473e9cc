package dev.berth.serving.rest;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.berth.kinds.resource.GoDecoding;
import dev.berth.model.resource.GroupVersionKind;
import dev.berth.model.schema.Schemas;
import dev.berth.model.tree.GoJsonSyntax;
import dev.berth.model.tree.JsonNull;
import dev.berth.model.tree.JsonObject;
import dev.berth.registry.status.Failures;
import dev.berth.registry.status.StatusException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Optional;
import java.util.Set;

/**
 * Refuses bodies that cannot be read, in Kubernetes' words, which are Go's. Kubernetes reads the
 * kind first; a body that does not say it is shown, by its first bytes.
 */
final class DecodeFailures {
  /** How much of a body is shown to whoever sent something unreadable. */
  private static final int SUMMARY = 30;

  private static final String NO_KIND = "couldn't get version/kind; json parse error: ";
  private static final String KIND_STRUCT =
      "struct { APIVersion string \"json:\\\"apiVersion,omitempty\\\"\";"
          + " Kind string \"json:\\\"kind,omitempty\\\"\" }";

  /** Their servers know other kinds than the rest, by another name. */
  private static final Set<String> OTHER_SCHEMES =
      Set.of("apiextensions.k8s.io", "apiregistration.k8s.io");

  private DecodeFailures() {}

  /** An object that says what it is, and is not that. */
  static StatusException unreadable(GroupVersionKind kind, String why) {
    return unreadable(kind.kind(), kind.version(), kind, why);
  }

  private static StatusException unreadable(
      String own, String version, GroupVersionKind kind, String why) {
    return Failures.badRequest(
        "%s in version \"%s\" cannot be handled as a %s: %s"
            .formatted(own, version, kind.kind(), why));
  }

  /** Bytes that do not say what they are. */
  static StatusException unrecognized(GroupVersionKind kind, String why, byte[] bytes) {
    return Failures.badRequest(
        "the object provided is unrecognized (must be of type %s): %s (%s)"
            .formatted(kind.kind(), why, summary(bytes)));
  }

  private static String summary(byte[] bytes) {
    if (bytes.length == 0) {
      return "<empty>";
    }
    byte[] shown = Arrays.copyOf(bytes, Math.min(bytes.length, SUMMARY));
    return (bytes[0] == '{' ? new String(shown, UTF_8) : HexFormat.of().formatHex(shown))
        + (bytes.length > SUMMARY ? " ..." : "");
  }

  /** JSON that is none, or none that is read here, for a reason of ours. */
  static StatusException noJson(GroupVersionKind kind, String ours, byte[] bytes) {
    return GoJsonSyntax.problem(bytes)
        .map(why -> unrecognized(kind, NO_KIND + why, bytes))
        .orElseGet(() -> unreadable(kind, ours));
  }

  /** A value that is no object. */
  static StatusException noObject(GroupVersionKind kind, Object value, byte[] bytes) {
    return unrecognized(kind, NO_KIND + GoDecoding.notOf(value, KIND_STRUCT), bytes);
  }

  /** What keeps an object from saying its kind; empty if nothing does. */
  static Optional<String> untypedProblem(JsonObject object) {
    for (int i = 0; i < object.size(); i++) {
      String name = object.name(i);
      Object value = object.value(i);
      if ((name.equals("kind") || name.equals("apiVersion"))
          && !(value instanceof String || value instanceof JsonNull)) {
        return Optional.of(
            NO_KIND
                + "json: cannot unmarshal %s into Go struct field .%s of type string"
                    .formatted(GoDecoding.word(value), name));
      }
    }
    String version = text(object, "apiVersion");
    return version.chars().filter(c -> c == '/').count() > 1
        ? Optional.of("unexpected GroupVersion string: " + version)
        : Optional.empty();
  }

  /** Refuses an object of another kind or version than the path means; what it leaves out is it. */
  static void checkKind(JsonObject object, GroupVersionKind kind) {
    checkKind(text(object, "kind"), text(object, "apiVersion"), kind);
  }

  private static String text(JsonObject object, String name) {
    return object.get(name) instanceof String text ? text : "";
  }

  static void checkKind(String own, String version, GroupVersionKind kind) {
    GroupVersionKind sent = sent(own, version, kind);
    otherKind(sent, kind)
        .ifPresent(why -> {
          throw unreadable(sent.kind(), sent.version(), kind, why);
        });
    if (!sent.apiVersion().equals(kind.apiVersion())) {
      throw Failures.badRequest(
          "the API version in the data (%s) does not match the expected API version (%s)"
              .formatted(sent.apiVersion(), kind.apiVersion()));
    }
  }

  private static GroupVersionKind sent(String own, String version, GroupVersionKind kind) {
    // Evictions have the same fields in the version in which older clients send them.
    boolean eviction = kind.kind().equals("Eviction") && version.equals("policy/v1beta1");
    int slash = version.indexOf('/');
    return new GroupVersionKind(
        version.isEmpty() || eviction ? kind.group() : slash < 0 ? "" : version.substring(0, slash),
        version.isEmpty() || eviction ? kind.version() : version.substring(slash + 1),
        own.isEmpty() ? kind.kind() : own);
  }

  /** Refuses options of another kind; those of deletions are of every group and version. */
  static void checkOptions(JsonObject options, GroupVersionKind kind) {
    String own = text(options, "kind");
    if (own.isEmpty() || own.equals(kind.kind())) {
      return;
    }
    String version = text(options, "apiVersion");
    throw Failures.badRequest(
        "no kind \"%s\" is registered for version \"%s\" in scheme \"%s\""
            .formatted(
                own,
                version.isEmpty() ? "meta.k8s.io/v1" : version,
                "k8s.io/apimachinery/pkg/apis/meta/internalversion/scheme/register.go:27"));
  }

  /** What is wrong with the kind that a patch gave an object; empty if nothing is. */
  static Optional<String> otherKind(JsonObject patched, GroupVersionKind kind) {
    return otherKind(sent(text(patched, "kind"), text(patched, "apiVersion"), kind), kind);
  }

  private static Optional<String> otherKind(GroupVersionKind sent, GroupVersionKind kind) {
    if (sent.equals(kind)) {
      return Optional.empty();
    }
    boolean builtIn =
        Schemas.builtIn().kind(kind).isPresent() && !OTHER_SCHEMES.contains(kind.group());
    if (builtIn && Schemas.builtIn().kind(sent).isEmpty()) {
      return Optional.of(
          "no kind \"%s\" is registered for version \"%s\" in scheme \"pkg/api/legacyscheme/scheme.go:30\""
              .formatted(sent.kind(), sent.apiVersion()));
    }
    if (sent.kind().equals(kind.kind())) {
      return Optional.empty();
    }
    return Optional.of(
        builtIn
            ? "converting (%s.%s) to (%s.%s): unknown conversion"
                .formatted(sent.version(), sent.kind(), goPackage(kind), kind.kind())
            : "the kind does not match the resource");
  }

  /** The package of Kubernetes' own types of a group. */
  private static String goPackage(GroupVersionKind kind) {
    String group = kind.group();
    int dot = group.indexOf('.');
    return group.isEmpty() ? "core" : dot < 0 ? group : group.substring(0, dot);
  }
}
