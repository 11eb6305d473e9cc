package dev.berth.policy.cronjob;

import dev.berth.model.tree.JsonObject;

/**
 * A job, as a cron job's status speaks of it.
 *
 * @param tree as it was read
 */
public record JobReference(JsonObject tree) {
  public String name() {
    return tree.text("name", "");
  }

  public String uid() {
    return tree.text("uid", "");
  }
}
