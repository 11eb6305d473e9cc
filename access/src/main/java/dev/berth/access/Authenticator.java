package dev.berth.access;

import dev.berth.http.Exchange;
import dev.berth.model.user.User;

/** Finds out who sends a request. Several are asked in turn until one knows. */
@FunctionalInterface
public interface Authenticator {

  Answer authenticate(Exchange exchange);

  /** What was found out. */
  sealed interface Answer {
    record Known(User user) implements Answer {}

    /** There is no proof of the kind that is looked at. */
    record NoProof() implements Answer {}

    /** There is such proof, and it proves nothing. */
    record Rejected(String why) implements Answer {}
  }
}
