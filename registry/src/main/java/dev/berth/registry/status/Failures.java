package dev.berth.registry.status;

import dev.berth.model.leader.LeaderTerm;
import dev.berth.model.resource.FieldError;
import dev.berth.model.resource.GroupKind;
import dev.berth.model.resource.GroupResource;
import dev.berth.model.tree.JsonWriter;
import dev.berth.registry.status.Status.Cause;
import dev.berth.registry.status.Status.Details;
import java.util.List;
import java.util.Optional;

/** The failures that Kubernetes has, with its codes, reasons and messages. */
public final class Failures {
  private static final String MODIFIED =
      "the object has been modified; please apply your changes to the latest version and try again";

  private Failures() {}

  public static StatusException notFound(GroupResource resource, String name) {
    return about(404, "NotFound", resource, name, resource + " \"" + name + "\" not found");
  }

  /** There is no such resource, or no such path. */
  public static StatusException noSuchResource() {
    return new StatusException(
        new Status(
            404, "NotFound", "the server could not find the requested resource", Details.EMPTY));
  }

  public static StatusException alreadyExists(GroupResource resource, String name) {
    return about(
        409, "AlreadyExists", resource, name, resource + " \"" + name + "\" already exists");
  }

  /** An object of the name is being deleted. */
  public static StatusException stillExists(GroupResource resource, String name) {
    return about(
        409,
        "AlreadyExists",
        resource,
        name,
        "object is being deleted: " + resource + " \"" + name + "\" already exists");
  }

  /** The name was made up by the server, again and again, and is always taken. */
  public static StatusException generatedNameExists(GroupResource resource, String name) {
    return about(
        409,
        "AlreadyExists",
        resource,
        name,
        resource
            + " \""
            + name
            + "\" already exists, the server was not able to generate a unique name for the"
            + " object");
  }

  public static StatusException modified(GroupResource resource, String name) {
    return conflict(resource, name, MODIFIED);
  }

  public static StatusException conflict(GroupResource resource, String name, String why) {
    return about(
        409,
        "Conflict",
        resource,
        name,
        "Operation cannot be fulfilled on " + resource + " \"" + name + "\": " + why);
  }

  /** Fields that others own would have changed. */
  public static StatusException applyConflict(String message, List<Cause> causes) {
    return new StatusException(
        new Status(409, "Conflict", message, new Details("", "", "", "", causes, 0)));
  }

  /**
   * Whoever sent the request led once, and does no more.
   *
   * @param now what the lease says; empty if there is none
   */
  public static StatusException termIsOver(LeaderTerm term, Optional<LeaderTerm> now) {
    String leader =
        now.map(of ->
                of.holder().isEmpty()
                    ? "nobody holds it"
                    : "\"%s\" holds it since transition %d"
                        .formatted(of.holder(), of.transitions()))
            .orElse("there is no such lease");
    return new StatusException(
        new Status(
            412,
            LeaderTerm.OVER,
            "\"%s\" does not hold the lease %s since transition %d: %s"
                .formatted(term.holder(), term.lease(), term.transitions(), leader),
            Details.of(term.lease().name(), "coordination.k8s.io", "leases")));
  }

  public static StatusException invalid(GroupKind kind, String name, List<FieldError> errors) {
    List<Cause> causes = errors.stream().limit(FieldError.MOST_SHOWN).map(Cause::of).toList();
    return new StatusException(
        new Status(
            422,
            "Invalid",
            kind + " " + JsonWriter.toText(name) + " is invalid: " + FieldError.join(errors),
            new Details(name, kind.group(), kind.kind(), "", causes, 0)));
  }

  public static StatusException badRequest(String message) {
    return new StatusException(new Status(400, "BadRequest", message, null));
  }

  /** A name may be empty where a whole collection was asked for. */
  public static StatusException forbidden(GroupResource resource, String name, String why) {
    String what = name.isEmpty() ? resource.toString() : resource + " \"" + name + "\"";
    return about(403, "Forbidden", resource, name, what + " is forbidden: " + why);
  }

  public static StatusException forbiddenPath(String why) {
    return new StatusException(new Status(403, "Forbidden", "forbidden: " + why, Details.EMPTY));
  }

  public static StatusException unauthorized() {
    return new StatusException(new Status(401, "Unauthorized", "Unauthorized", null));
  }

  public static StatusException expired(String message) {
    return new StatusException(new Status(410, "Expired", message, null));
  }

  public static StatusException tooOld(long asked, long oldest) {
    return expired("too old resource version: " + asked + " (" + oldest + ")");
  }

  /** The client has seen a revision that this server has not: it may have it soon. */
  public static StatusException tooLargeResourceVersion(long asked, long current) {
    String message = "Too large resource version: " + asked + ", current: " + current;
    Cause cause = new Cause("ResourceVersionTooLarge", "Too large resource version", "");
    return new StatusException(
        new Status(
            504, "Timeout", "Timeout: " + message, new Details("", "", "", "", List.of(cause), 1)));
  }

  public static StatusException methodNotSupported(GroupResource resource, String verb) {
    return new StatusException(
        new Status(
            405,
            "MethodNotAllowed",
            verb + " is not supported on resources of kind \"" + resource + "\"",
            Details.of("", resource.group(), resource.resource())));
  }

  public static StatusException methodNotAllowed() {
    return new StatusException(
        new Status(
            405,
            "MethodNotAllowed",
            "the server does not allow this method on the requested resource",
            Details.EMPTY));
  }

  public static StatusException unsupportedMediaType(List<String> accepted) {
    return new StatusException(
        new Status(
            415,
            "UnsupportedMediaType",
            "the body of the request was in an unknown format - accepted media types include: "
                + String.join(", ", accepted),
            null));
  }

  public static StatusException notAcceptable(List<String> offered) {
    return new StatusException(
        new Status(
            406,
            "NotAcceptable",
            "only the following media types are accepted: " + String.join(", ", offered),
            null));
  }

  /** None of the media types that a client takes is served at all. */
  public static StatusException noRepresentation(List<String> offered) {
    return new StatusException(
        new Status(
            406,
            "NotAcceptable",
            "406: Not Acceptable\n\nAvailable representations: " + String.join(", ", offered),
            Details.EMPTY));
  }

  /** The client asks for a list where there is none, or the other way round. */
  public static StatusException notAcceptable(String message) {
    return new StatusException(new Status(406, "NotAcceptable", message, Details.EMPTY));
  }

  /** A patch of a type that is none. */
  public static StatusException unsupportedPatchType() {
    return new StatusException(
        new Status(415, "UnsupportedMediaType", "415: Unsupported Media Type", Details.EMPTY));
  }

  /** A patch that does not fit the object; Kubernetes does not say why. */
  public static StatusException unprocessable() {
    return new StatusException(
        new Status(
            422,
            "Invalid",
            "the server rejected our request due to an error in our request",
            Details.EMPTY));
  }

  public static StatusException requestTooLarge(int limit) {
    return new StatusException(
        new Status(
            413,
            "RequestEntityTooLarge",
            "Request entity too large: limit is " + limit,
            Details.EMPTY));
  }

  /**
   * The object itself is too large to be stored. Kubernetes answers 500 with the words of etcd,
   * {@code etcdserver: request is too large}; it is the client that can do something about it.
   */
  public static StatusException objectTooLarge(long bytes, int limit) {
    return new StatusException(
        new Status(
            413,
            "RequestEntityTooLarge",
            "Request entity too large: the object has at least %d bytes, limit is %d"
                .formatted(bytes, limit),
            Details.EMPTY));
  }

  /** Nobody waits any longer for an answer; what was asked for may be done yet. */
  public static StatusException requestTimeout() {
    return new StatusException(
        new Status(
            504,
            "Timeout",
            "Timeout: request did not complete within requested timeout - context deadline"
                + " exceeded",
            Details.EMPTY));
  }

  /** Something is broken in the server; the message is for its operator too. */
  public static StatusException internal(String message) {
    return new StatusException(
        new Status(
            500,
            "InternalError",
            "Internal error occurred: " + message,
            new Details("", "", "", "", List.of(new Cause("", message, "")), 0)));
  }

  /** What upstream fails with outside of its own errors: the message alone, without a reason. */
  public static StatusException unknown(String message) {
    return new StatusException(new Status(500, "", message, Details.EMPTY));
  }

  private static StatusException about(
      int code, String reason, GroupResource resource, String name, String message) {
    return new StatusException(
        new Status(code, reason, message, Details.of(name, resource.group(), resource.resource())));
  }
}
