package dev.berth.serving.audit;

import dev.berth.model.tree.JsonWriter;
import dev.berth.serving.observe.Observed;
import dev.berth.serving.observe.RequestObserver;
import dev.berth.time.Time;

/** Records requests as a policy says. */
public final class AuditLog implements RequestObserver {
  private final AuditWriter writer;
  private final AuditPolicy policy;
  private final Time time;

  public AuditLog(AuditConfig config, Time time) {
    this.writer = config.writer();
    this.policy = config.policy();
    this.time = time;
  }

  @Override
  public void identified(Observed request) {
    AuditDecision decision = decide(request);
    if (decision.level().includes(AuditLevel.REQUEST_RESPONSE)) {
      request.bodies().keepAnswer();
    }
    if (decision.level().includes(AuditLevel.REQUEST)) {
      request.bodies().keepSent();
    }
    record(request, AuditStage.REQUEST_RECEIVED, decision);
  }

  @Override
  public void streaming(Observed request) {
    record(request, AuditStage.RESPONSE_STARTED, decide(request));
  }

  @Override
  public void ended(Observed request) {
    AuditStage stage = request.isBug() ? AuditStage.PANIC : AuditStage.RESPONSE_COMPLETE;
    record(request, stage, decide(request));
  }

  /** The same at each stage: it depends on nothing that is found out after the sender. */
  private AuditDecision decide(Observed request) {
    return policy.decide(request.user().orElse(null), AuditEvent.action(request));
  }

  private void record(Observed request, AuditStage stage, AuditDecision decision) {
    if (decision.records(stage)) {
      writer.add(JsonWriter.toBytes(AuditEvent.of(request, stage, decision, time.now())));
    }
  }
}
