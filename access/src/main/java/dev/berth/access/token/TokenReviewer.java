package dev.berth.access.token;

import dev.berth.model.tree.JsonObject;
import java.io.IOException;

/** Somebody else who knows tokens. Takes no longer than a few seconds. */
@FunctionalInterface
public interface TokenReviewer {

  /**
   * Answers a TokenReview of {@code authentication.k8s.io/v1}.
   *
   * @throws IOException if there is no answer; the message says why
   */
  JsonObject review(JsonObject review) throws IOException;
}
