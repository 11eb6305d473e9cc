package dev.berth.client;

import dev.berth.model.tree.JsonObject;

/** The outcome of a request about one object. */
public sealed interface ApiResult {

  /**
   * It was done.
   *
   * @param object the object as it is now; a {@code Status} where there is none to show
   */
  record Done(JsonObject object) implements ApiResult {}

  /** The request failed, or whether it succeeded is not known. */
  sealed interface Failure extends ApiResult, ListResult {
    /** What happened, in a sentence for the operator. */
    String message();
  }

  /** The server refused the request, or failed to do it. */
  record Refused(ApiError error) implements Failure {
    @Override
    public String message() {
      return error.message();
    }
  }

  /** The server did not answer; what was asked for may have been done all the same. */
  record Unreachable(String message) implements Failure {}

  default boolean isDone() {
    return this instanceof Done;
  }

  /** It was done, or it is not known that it was not. */
  default boolean mayBeDone() {
    return !(this instanceof Refused(ApiError error)) || error.isServerError();
  }

  /** There is no such object (or no such resource). */
  default boolean isNotFound() {
    return this instanceof Refused(ApiError error) && error.isNotFound();
  }

  /** Somebody else changed the object, or it is not the one that was meant. */
  default boolean isConflict() {
    return this instanceof Refused(ApiError error) && error.isConflict();
  }

  default boolean isAlreadyExists() {
    return this instanceof Refused(ApiError error) && error.isAlreadyExists();
  }

  /** Nothing can be created in a namespace because it is being deleted. */
  default boolean isNamespaceGoing() {
    return this instanceof Refused(ApiError error) && error.isNamespaceGoing();
  }
}
