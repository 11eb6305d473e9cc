package dev.berth.serving.observe;

import dev.berth.http.Exchange;
import dev.berth.time.Time;
import java.util.List;
import java.util.Optional;

/** Whoever is told of each request, one after the other. */
public final class Observers {
  private static final String AUDIT_ID = "Audit-ID";
  private static final int LONGEST_ID = 64;

  private final Time time;
  private final List<RequestObserver> observers;
  private final AuditIds ids;

  public Observers(Time time, List<RequestObserver> observers) {
    this.time = time;
    this.observers = List.copyOf(observers);
    this.ids = new AuditIds(time.random("audit-ids"));
  }

  /** Begins to observe a request, whose answer will say under which number. */
  public Observed begin(Exchange exchange) {
    String id = sent(exchange).orElseGet(ids::next);
    exchange.answerWith(AUDIT_ID, id);
    return new Observed(exchange, id, time, observers);
  }

  /** A proxy in front of us may have given the request its number. */
  private static Optional<String> sent(Exchange exchange) {
    return exchange
        .header(AUDIT_ID)
        .filter(id -> id.length() <= LONGEST_ID && id.matches("[0-9A-Za-z._-]+"));
  }

  public void end(Observed request) {
    observers.forEach(observer -> observer.ended(request));
  }
}
