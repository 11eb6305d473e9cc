package dev.berth.admission.webhook;

import dev.berth.metrics.Counter;
import dev.berth.metrics.Family;
import dev.berth.metrics.Histogram;
import dev.berth.metrics.Metrics;
import java.time.Duration;
import java.util.List;

/** How long webhooks take, and what they answer, under upstream's names. */
final class WebhookMetrics {
  private static final List<Double> SECONDS = List.of(0.005, 0.025, 0.1, 0.5, 1.0, 2.5, 10.0, 25.0);
  private static final int HIGHEST_CODE = 600;
  private static final int OK = 200;

  private final String type;
  private final Family<Histogram> durations;
  private final Family<Counter> requests;
  private final Family<Counter> rejections;
  private final Family<Counter> failedOpen;

  /**
   * @param type {@code admit} or {@code validating}
   */
  WebhookMetrics(Metrics metrics, String type) {
    this.type = type;
    this.durations =
        metrics.histograms(
            "apiserver_admission_webhook_admission_duration_seconds",
            "Admission webhook latency histogram in seconds, identified by name and broken out for"
                + " each operation and API resource and type (validate or admit).",
            SECONDS,
            "name",
            "type",
            "operation",
            "rejected");
    this.requests =
        metrics.counters(
            "apiserver_admission_webhook_request_total",
            "Admission webhook request total, identified by name and broken out for each admission"
                + " type (validating or admit) and operation.",
            "name",
            "type",
            "operation",
            "code",
            "rejected");
    this.rejections =
        metrics.counters(
            "apiserver_admission_webhook_rejection_count",
            "Admission webhook rejection count, identified by name and broken out for each admission"
                + " type (validating or admit) and operation.",
            "name",
            "type",
            "operation",
            "error_type",
            "rejection_code");
    this.failedOpen =
        metrics.counters(
            "apiserver_admission_webhook_fail_open_count",
            "Admission webhook fail open count, identified by name and broken out for each admission"
                + " type (validating or admit).",
            "name",
            "type");
  }

  void observe(Webhook webhook, String operation, Answer answer, Duration took) {
    switch (answer) {
      case Answer.Allowed _ -> count(webhook, operation, OK, false, took);
      case Answer.Rejected(var status) -> {
        count(webhook, operation, status.code(), true, took);
        rejected(webhook, operation, "no_error", status.code());
      }
      case Answer.Failed(var _, int code) -> {
        count(webhook, operation, code, !webhook.failsOpen(), took);
        if (webhook.failsOpen()) {
          failedOpen.with(webhook.name(), type).increment();
        } else {
          rejected(webhook, operation, "calling_webhook_error", code);
        }
      }
    }
  }

  private void count(
      Webhook webhook, String operation, int code, boolean isRejected, Duration took) {
    String rejected = Boolean.toString(isRejected);
    requests.with(webhook.name(), type, operation, bounded(code), rejected).increment();
    durations.with(webhook.name(), type, operation, rejected).observe(took);
  }

  private void rejected(Webhook webhook, String operation, String why, int code) {
    rejections.with(webhook.name(), type, operation, why, bounded(code)).increment();
  }

  private static String bounded(int code) {
    return Integer.toString(Math.min(code, HIGHEST_CODE));
  }
}
