package dev.berth.admission.webhook;

import dev.berth.admission.match.Authorizers;
import dev.berth.admission.match.MatchConditions;
import dev.berth.admission.match.MatchedRequest;
import dev.berth.admission.match.NamespaceLabels;
import dev.berth.admission.match.RequestFacts;
import dev.berth.admission.match.RequestMatch;
import dev.berth.admission.match.RequestVariables;
import dev.berth.metrics.Metrics;
import dev.berth.model.tree.JsonObject;
import dev.berth.registry.Identities;
import dev.berth.registry.Registry;
import dev.berth.registry.admission.AdmissionNotices;
import dev.berth.registry.admission.AdmissionRequest;
import dev.berth.registry.status.Failures;
import dev.berth.registry.webhook.WebhookClient;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What both kinds of webhooks have in common: who is asked, how, and what a failure means. */
final class WebhookCalls {
  private static final Logger LOG = LoggerFactory.getLogger("admission-webhooks");

  private final Registry registry;
  private final WebhookConfigurations configurations;
  private final Review review;
  private final NamespaceLabels namespaces;
  private final Authorizers authorizers;
  private final WebhookMetrics metrics;
  private final Identities identities;

  WebhookCalls(
      Registry registry,
      WebhookClient client,
      NamespaceLabels namespaces,
      Authorizers authorizers,
      Metrics metrics,
      boolean mutating) {
    String kind = mutating ? "mutating" : "validating";
    this.registry = registry;
    this.configurations = new WebhookConfigurations(registry, kind + "webhookconfigurations");
    this.review = new Review(client, mutating);
    this.namespaces = namespaces;
    this.authorizers = authorizers;
    this.metrics = new WebhookMetrics(metrics, mutating ? "admit" : "validating");
    this.identities = new Identities(registry.time().random(kind + "-webhooks"));
  }

  /** The webhooks that may have to be asked; none about webhooks and policies themselves. */
  List<Webhook> webhooks(AdmissionRequest request) {
    return RequestMatch.isExempt(request) ? List.of() : configurations.webhooks();
  }

  /** The request as a webhook sees it; empty if it is not concerned. */
  Optional<MatchedRequest> match(Webhook webhook, AdmissionRequest request) {
    return webhook
        .match()
        .match(request, registry.catalog(), namespaces)
        .filter(matched -> webhook.conditions().isEmpty() || meetsConditions(webhook, matched));
  }

  private boolean meetsConditions(Webhook webhook, MatchedRequest matched) {
    AdmissionRequest request = matched.request();
    RequestFacts facts = RequestFacts.of(request, registry, authorizers);
    return switch (webhook
        .conditions()
        .evaluate(new RequestVariables(matched, facts, JsonObject.EMPTY))) {
      case MatchConditions.Result.Matches _ -> true;
      case MatchConditions.Result.Mismatch _ -> false;
      case MatchConditions.Result.Failed(String why) -> {
        if (!webhook.failsOpen()) {
          throw Failures.forbidden(request.resource().groupResource(), request.name().name(), why);
        }
        yield false;
      }
    };
  }

  Answer ask(Webhook webhook, MatchedRequest request, AdmissionNotices notices) {
    if (request.request().dryRun() && !webhook.mayDryRun()) {
      throw Failures.badRequest(
          "admission webhook \"%s\" does not support dry run".formatted(webhook.name()));
    }
    Instant begun = registry.time().monotonicNow();
    Answer answer = review.ask(webhook, request, identities.uid(), notices);
    metrics.observe(
        webhook, request.request().operation().name(), answer, registry.time().since(begun));
    return answer;
  }

  /**
   * A webhook that could not be asked: either the request fails, or it goes on without.
   *
   * @param annotation the key under which the audit log is told of that
   */
  static void failed(
      Webhook webhook, Answer.Failed failure, AdmissionNotices notices, String annotation) {
    if (!webhook.failsOpen()) {
      throw Failures.internal(failure.message());
    }
    LOG.atWarn()
        .addKeyValue("webhook", webhook.name())
        .addKeyValue("reason", failure.message())
        .log("a webhook could not be asked, and the request went on without it");
    notices.annotate("failed-open." + annotation, webhook.name());
  }
}
