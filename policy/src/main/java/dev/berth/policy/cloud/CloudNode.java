package dev.berth.policy.cloud;

import dev.berth.model.core.CloudNodeView;
import dev.berth.model.tree.JsonObject;
import java.time.Instant;
import java.util.Optional;

/**
 * A node, and what its cloud says.
 *
 * @param tree as it is stored
 * @param answer empty if the cloud was not asked
 * @param next when the cloud is to be asked again, if nothing happens
 */
public record CloudNode(
    JsonObject tree, CloudNodeView node, Optional<CloudAnswer> answer, Instant next) {
  public CloudNode(JsonObject tree, Optional<CloudAnswer> answer, Instant next) {
    this(tree, CloudNodeView.read(tree), answer, next);
  }
}
