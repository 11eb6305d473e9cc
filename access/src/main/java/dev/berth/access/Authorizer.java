package dev.berth.access;

import dev.berth.model.user.User;

/** Decides what users may do. Several are asked in turn until one has an opinion. */
@FunctionalInterface
public interface Authorizer {

  Decision authorize(User user, Action action);

  /** What is decided. */
  sealed interface Decision {
    Decision NO_OPINION = new NoOpinion("");

    /** Why, for whoever reviews it; may be empty. */
    String reason();

    record Allowed(String reason) implements Decision {}

    /** Refused, whatever others would say. */
    record Denied(String reason) implements Decision {}

    record NoOpinion(String reason) implements Decision {}
  }
}
