package dev.berth.admission.webhook;

import dev.berth.admission.match.Authorizers;
import dev.berth.admission.match.MatchedRequest;
import dev.berth.admission.match.NamespaceLabels;
import dev.berth.metrics.Metrics;
import dev.berth.registry.Registry;
import dev.berth.registry.admission.AdmissionNotices;
import dev.berth.registry.admission.AdmissionPlugin;
import dev.berth.registry.admission.AdmissionRequest;
import dev.berth.registry.admission.AdmissionRequest.Operation;
import dev.berth.registry.status.StatusException;
import dev.berth.registry.webhook.WebhookClient;
import dev.berth.time.Time;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Asks webhooks whether a request may be, all that are concerned at once: none of them changes
 * anything. One that objects is enough; of several, the first by the order of configurations is
 * quoted.
 */
public final class ValidatingAdmissionWebhook implements AdmissionPlugin {
  private static final String ANNOTATION = "validating.webhook.admission.k8s.io/round_0_index_";

  private final WebhookCalls calls;
  private final Time time;

  public ValidatingAdmissionWebhook(
      Registry registry,
      WebhookClient client,
      NamespaceLabels namespaces,
      Authorizers authorizers,
      Metrics metrics) {
    this.calls = new WebhookCalls(registry, client, namespaces, authorizers, metrics, false);
    this.time = registry.time();
  }

  @Override
  public void intercept(AdmissionRequest request) {
    if (request.operation() == Operation.CONNECT) {
      validate(request);
    }
  }

  @Override
  public void validate(AdmissionRequest request) {
    List<Question> questions = new ArrayList<>();
    for (Webhook webhook : calls.webhooks(request)) {
      calls
          .match(webhook, request)
          .ifPresent(matched -> questions.add(new Question(webhook, matched, questions.size())));
    }
    if (questions.isEmpty()) {
      return;
    }
    time.together(questions);
    questions.forEach(question -> question.report(request.notices()));
  }

  /** One webhook's turn. What it says is kept until all have answered. */
  private final class Question implements Runnable, AdmissionNotices {
    private final Webhook webhook;
    private final MatchedRequest request;
    private final int index;
    private final List<Consumer<AdmissionNotices>> said = new ArrayList<>();
    private @Nullable StatusException refusal;

    Question(Webhook webhook, MatchedRequest request, int index) {
      this.webhook = webhook;
      this.request = request;
      this.index = index;
    }

    @Override
    public void run() {
      try {
        switch (calls.ask(webhook, request, this)) {
          case Answer.Allowed _ -> {}
          case Answer.Rejected(var status) -> throw new StatusException(status);
          case Answer.Failed failure ->
              WebhookCalls.failed(webhook, failure, this, ANNOTATION + index);
        }
      } catch (StatusException e) {
        refusal = e;
      }
    }

    void report(AdmissionNotices notices) {
      said.forEach(each -> each.accept(notices));
      if (refusal != null) {
        throw refusal;
      }
    }

    @Override
    public void warn(String text) {
      said.add(notices -> notices.warn(text));
    }

    @Override
    public void annotate(String key, String value) {
      said.add(notices -> notices.annotate(key, value));
    }

    @Override
    public void annotateContent(String key, String value) {
      said.add(notices -> notices.annotateContent(key, value));
    }
  }
}
