package dev.berth.admission.webhook;

import dev.berth.admission.match.Authorizers;
import dev.berth.admission.match.MatchedRequest;
import dev.berth.admission.match.NamespaceLabels;
import dev.berth.admission.match.Rounds;
import dev.berth.kinds.resource.Conforming;
import dev.berth.kinds.resource.Resource;
import dev.berth.metrics.Metrics;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonException;
import dev.berth.model.tree.JsonObject;
import dev.berth.registry.Registry;
import dev.berth.registry.admission.AdmissionPlugin;
import dev.berth.registry.admission.AdmissionRequest;
import dev.berth.registry.patch.JsonPatch;
import dev.berth.registry.patch.PatchException;
import dev.berth.registry.status.Failures;
import dev.berth.registry.status.StatusException;
import dev.berth.registry.webhook.WebhookClient;
import java.util.List;
import java.util.Optional;

/**
 * Asks webhooks what to change in an object, one after the other by the names of their
 * configurations.
 *
 * <ol>
 *   <li>Each sees what those before it have made of the object. A patch is applied at once; what it
 *       leaves out gets its defaults, what the kind does not know is dropped.
 *   <li>When a webhook has changed something, all plugins are asked once more. In this second round
 *       a webhook is asked again only if it wants to be (<code>reinvocationPolicy: IfNeeded</code>
 *       ), was asked before, and the object has changed since.
 *   <li>Deletions and connections are shown to them, too, and cannot be changed.
 * </ol>
 */
public final class MutatingAdmissionWebhook implements AdmissionPlugin {
  private static final String MUTATION = "mutation.webhook.admission.k8s.io/";
  private static final String PATCH = "patch.webhook.admission.k8s.io/";

  private final WebhookCalls calls;

  public MutatingAdmissionWebhook(
      Registry registry,
      WebhookClient client,
      NamespaceLabels namespaces,
      Authorizers authorizers,
      Metrics metrics) {
    this.calls = new WebhookCalls(registry, client, namespaces, authorizers, metrics, true);
  }

  @Override
  public void intercept(AdmissionRequest request) {
    mutate(request);
  }

  @Override
  public JsonObject mutate(AdmissionRequest request) {
    List<Webhook> webhooks = calls.webhooks(request);
    if (webhooks.isEmpty()) {
      return request.object();
    }
    int round = request.reinvocation().isSecondRound() ? 1 : 0;
    Rounds rounds = Rounds.begin(request, this);
    AdmissionRequest current = request;
    for (int i = 0; i < webhooks.size(); i++) {
      Webhook webhook = webhooks.get(i);
      Optional<MatchedRequest> matched = calls.match(webhook, current);
      if (matched.isEmpty() || !rounds.includes(request, webhook.id())) {
        continue;
      }
      JsonObject changed = ask(webhook, matched.get(), "round_%d_index_%d".formatted(round, i));
      rounds.asked(request, webhook.id(), !changed.equals(current.object()), webhook.isReinvoked());
      current = current.with(changed);
    }
    rounds.end(current.object());
    return current.object();
  }

  private JsonObject ask(Webhook webhook, MatchedRequest matched, String place) {
    AdmissionRequest request = matched.request();
    return switch (calls.ask(webhook, matched, request.notices())) {
      case Answer.Rejected(var status) -> throw new StatusException(status);
      case Answer.Failed failure -> {
        WebhookCalls.failed(webhook, failure, request.notices(), MUTATION + place);
        yield request.object();
      }
      case Answer.Allowed(JsonArray patch) -> {
        JsonObject object = patch.isEmpty() ? request.object() : patched(webhook, matched, patch);
        boolean mutated = !object.equals(request.object());
        request
            .notices()
            .annotate(MUTATION + place, record(webhook).with("mutated", mutated).toString());
        if (!patch.isEmpty()) {
          request
              .notices()
              .annotateContent(
                  PATCH + place,
                  record(webhook).with("patch", patch).with("patchType", "JSONPatch").toString());
        }
        yield object;
      }
    };
  }

  private static JsonObject record(Webhook webhook) {
    return JsonObject.of("configuration", webhook.configuration()).with("webhook", webhook.name());
  }

  private static JsonObject patched(Webhook webhook, MatchedRequest matched, JsonArray patch) {
    AdmissionRequest request = matched.request();
    if (request.object().isEmpty() || request.operation() == AdmissionRequest.Operation.CONNECT) {
      throw Failures.internal(
          ("admission webhook \"%s\" attempted to modify the object, which is not supported for this"
                  + " operation")
              .formatted(webhook.name()));
    }
    Resource shown = matched.resource();
    JsonObject before = matched.object();
    try {
      JsonObject after = JsonPatch.parse(patch).apply(before);
      JsonObject shaped = Conforming.shape(after, before, shown).object();
      return matched.inRequestsForm(shown.rules().defaults(shaped));
    } catch (PatchException | JsonException e) {
      throw Failures.internal(String.valueOf(e.getMessage()));
    }
  }
}
