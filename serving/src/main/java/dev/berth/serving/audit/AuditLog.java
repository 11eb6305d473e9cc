package dev.berth.serving.audit;

import dev.berth.model.tree.JsonWriter;
import dev.berth.serving.observe.Observed;
import dev.berth.serving.observe.RequestObserver;
import dev.berth.time.Time;

/** Records each request when it has ended, and a watch also when it has begun. */
public final class AuditLog implements RequestObserver {
  private final AuditWriter writer;
  private final Time time;

  public AuditLog(AuditWriter writer, Time time) {
    this.writer = writer;
    this.time = time;
  }

  @Override
  public void streaming(Observed request) {
    record(request, "ResponseStarted");
  }

  @Override
  public void ended(Observed request) {
    record(request, "ResponseComplete");
  }

  private void record(Observed request, String stage) {
    writer.add(JsonWriter.toBytes(AuditEvent.of(request, stage, time.now())));
  }
}
