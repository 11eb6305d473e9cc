package dev.berth.apiserver;

import dev.berth.admission.policy.PolicyStatusController;
import dev.berth.component.Components;
import dev.berth.customresources.upkeep.DefinitionUpkeep;
import dev.berth.metrics.Metrics;
import dev.berth.registry.Registry;
import dev.berth.serving.audit.AuditWriter;
import dev.berth.store.Store;
import java.util.List;
import java.util.Optional;

/** What an API server does by itself, beside answering: each is a component of its own. */
final class Housekeeping {
  private Housekeeping() {}

  static void run(
      Components components,
      Store store,
      Registry registry,
      Optional<AuditWriter> audit,
      Metrics metrics) {
    components.run(
        "customresourcedefinitions",
        scope -> {
          DefinitionUpkeep definitions = new DefinitionUpkeep(registry, scope.time());
          definitions.start();
          return definitions;
        });
    components.run(
        "validatingadmissionpolicy-status-controller",
        scope -> {
          PolicyStatusController status = new PolicyStatusController(registry, scope.time());
          status.start();
          return status;
        });
    // A store that is shared deletes them by itself, however many servers there are.
    if (!store.isShared()) {
      components.run(
          "event-expiry",
          scope -> {
            EventExpiry events = new EventExpiry(registry, EventExpiry.ONE_HOUR, scope.time());
            events.start();
            return events;
          });
    }
    components.run(
        "history-compactor",
        scope -> {
          HistoryCompactor compactor = new HistoryCompactor(store, scope.time());
          compactor.start();
          return compactor;
        });
    audit.ifPresent(writer -> {
      metrics.totals(
          "apiserver_audit_error_total",
          "Audit events that were lost.",
          List.of("plugin"),
          each -> each.accept(List.of("log"), (double) writer.lost()));
      components.run(
          "audit-log",
          scope -> {
            writer.start(scope::fail);
            // It writes until its owner closes it: the last requests end after the components.
            return () -> {};
          });
    });
  }
}
