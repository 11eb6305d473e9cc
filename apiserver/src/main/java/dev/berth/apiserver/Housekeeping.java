package dev.berth.apiserver;

import dev.berth.admission.AdmissionPlugins;
import dev.berth.admission.quota.QuotaController;
import dev.berth.admission.quota.QuotaStatus;
import dev.berth.registry.Registry;

/** What an API server does by itself, beside answering: each part is a loop of its own. */
record Housekeeping(QuotaController quotas, EventExpiry events) implements AutoCloseable {

  static Housekeeping start(Registry registry, AdmissionPlugins policies) {
    QuotaController quotas =
        new QuotaController(registry, new QuotaStatus(registry, policies.pending()));
    quotas.start();
    EventExpiry events = new EventExpiry(registry, EventExpiry.ONE_HOUR);
    events.start();
    return new Housekeeping(quotas, events);
  }

  @Override
  public void close() {
    quotas.close();
    events.close();
  }
}
