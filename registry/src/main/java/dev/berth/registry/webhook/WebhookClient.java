package dev.berth.registry.webhook;

import dev.berth.model.tree.JsonObject;
import java.time.Duration;

/** Sends reviews to webhooks. For any thread; blocks until there is an answer, or none in time. */
public interface WebhookClient {

  /** Where nobody outside the process can be asked, as in a simulation. */
  WebhookClient NONE =
      (_, _, _) -> {
        throw new WebhookException("this server makes no connections to webhooks");
      };

  /**
   * Asks a webhook.
   *
   * @throws WebhookException if there was no answer in time, or none that is JSON
   */
  JsonObject call(WebhookAddress webhook, JsonObject review, Duration within)
      throws WebhookException;
}
