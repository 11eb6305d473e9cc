package dev.berth.registry.webhook;

import dev.berth.model.tree.JsonObject;
import java.time.Duration;

/** Sends reviews to webhooks. For any thread; blocks until there is an answer, or none in time. */
@FunctionalInterface
public interface WebhookClient {

  /** Where nobody outside the process can be asked, as in a simulation. */
  WebhookClient NONE =
      (_, _, _) -> {
        throw new WebhookException("this server makes no connections to webhooks");
      };

  /** The same on behalf of an admission plugin, which may have an identity of its own. */
  default WebhookClient as(String plugin) {
    return this;
  }

  /**
   * Asks a webhook.
   *
   * @throws WebhookException if there was no answer in time, or none that is JSON
   */
  JsonObject call(WebhookAddress webhook, JsonObject review, Duration within)
      throws WebhookException;
}
