package dev.berth.customresources.conversion;

import dev.berth.customresources.definition.DefinitionView;
import dev.berth.model.tree.JsonObject;
import dev.berth.registry.Identities;
import dev.berth.registry.webhook.WebhookAddress;
import dev.berth.registry.webhook.WebhookClient;
import dev.berth.time.Time;
import java.util.function.Function;
import java.util.function.Supplier;

/** How the objects of a definition are converted: by its strategy. */
public final class Conversions {
  private Conversions() {}

  /**
   * How the objects of each definition are converted.
   *
   * @param client asks webhooks, once there is one
   */
  public static Function<DefinitionView, Conversion> through(
      Supplier<WebhookClient> client, Time time) {
    Identities identities = new Identities(time.random("conversion webhooks"));
    return definition -> {
      JsonObject conversion = definition.spec().object("conversion");
      if (!conversion.text("strategy", "").equals("Webhook")) {
        return Conversion.NONE;
      }
      JsonObject webhook = conversion.object("webhook");
      return new WebhookConversion(
          client,
          WebhookAddress.read(webhook.object("clientConfig")),
          webhook.array("conversionReviewVersions").texts(),
          identities::uid);
    };
  }
}
