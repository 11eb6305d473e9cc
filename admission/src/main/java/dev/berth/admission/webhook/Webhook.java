package dev.berth.admission.webhook;

import dev.berth.admission.match.MatchConditions;
import dev.berth.admission.match.RequestMatch;
import dev.berth.model.tree.JsonObject;
import dev.berth.registry.webhook.WebhookAddress;
import java.time.Duration;
import java.util.List;

/**
 * A webhook of a configuration.
 *
 * @param id tells webhooks of one name apart
 * @param configuration the name of the object that it stands in
 * @param conditions that a request has to meet beside its match
 * @param failsOpen whether a request passes if the webhook cannot be asked
 * @param mayDryRun whether it can be asked about requests that change nothing
 * @param reviewVersions of AdmissionReview that it understands
 * @param isReinvoked whether it is asked again when somebody changed an object after it
 */
record Webhook(
    String id,
    String name,
    String configuration,
    WebhookAddress address,
    RequestMatch match,
    MatchConditions conditions,
    boolean failsOpen,
    boolean mayDryRun,
    Duration timeout,
    List<String> reviewVersions,
    boolean isReinvoked) {
  private static final long TIMEOUT_SECONDS = 10;

  static Webhook read(String configuration, int index, JsonObject tree) {
    String effects = tree.text("sideEffects", "");
    return new Webhook(
        configuration + "/" + tree.text("name", "") + "/" + index,
        tree.text("name", ""),
        configuration,
        WebhookAddress.read(tree.object("clientConfig")),
        RequestMatch.read(tree),
        MatchConditions.compile(tree.array("matchConditions"), false),
        tree.text("failurePolicy", "Fail").equals("Ignore"),
        effects.equals("None") || effects.equals("NoneOnDryRun"),
        Duration.ofSeconds(tree.integer("timeoutSeconds").orElse(TIMEOUT_SECONDS)),
        tree.array("admissionReviewVersions").texts(),
        tree.text("reinvocationPolicy", "Never").equals("IfNeeded"));
  }
}
