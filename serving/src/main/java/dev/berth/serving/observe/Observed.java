package dev.berth.serving.observe;

import dev.berth.access.Action;
import dev.berth.http.Duplex;
import dev.berth.http.Exchange;
import dev.berth.http.Headers;
import dev.berth.http.Response;
import dev.berth.http.ResponseStream;
import dev.berth.http.Streaming;
import dev.berth.model.user.User;
import dev.berth.serving.request.RequestKinds;
import dev.berth.time.Time;
import java.io.InputStream;
import java.net.SocketAddress;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * A request, and what is found out about it on its way: whoever answers it records that here, and
 * the response's code is noted as it passes. Used by the request's own thread.
 */
public final class Observed implements Exchange {
  private static final int WATCHING = 200;
  private static final int SWITCHING_PROTOCOLS = 101;
  private static final int BUG = 500;

  private final Exchange exchange;
  private final String auditId;
  private final Instant received;
  private final Instant receivedMonotonic;
  private final List<RequestObserver> observers;

  /** Two may answer: who was asked, and who waits no longer for that one. The first does. */
  private final AtomicBoolean unanswered = new AtomicBoolean(true);

  private volatile boolean expired;
  private Runnable onWatchInitialized = () -> {};
  private @Nullable User user;
  private @Nullable User impersonated;
  private String impersonationConstraint = "";
  private @Nullable Action action;
  private String version = "";
  private String name = "";
  private boolean allowed;
  private String reason = "";
  private final SequencedMap<String, String> annotations = new LinkedHashMap<>();
  private final ObservedBodies bodies = new ObservedBodies();
  private int status;
  private boolean bug;

  Observed(Exchange exchange, String auditId, Time time, List<RequestObserver> observers) {
    this.exchange = exchange;
    this.auditId = auditId;
    this.received = time.now();
    this.receivedMonotonic = time.monotonicNow();
    this.observers = observers;
  }

  /** Records who sends the request. */
  public void identified(User by) {
    user = by;
    observers.forEach(observer -> observer.identified(this));
  }

  /**
   * Says as whom it shall be handled, if that is somebody else.
   *
   * @param verb the one that allows it for this request only; empty if it is allowed for all
   */
  public void impersonating(User other, String verb) {
    impersonated = other;
    impersonationConstraint = verb;
  }

  /**
   * Says what the request wants.
   *
   * @param apiVersion the version without its group; empty for what is no resource
   */
  public void wants(Action what, String apiVersion) {
    action = what;
    version = apiVersion;
    observers.forEach(observer -> observer.understood(this));
  }

  /** Says that the user may do that, and why; empty if there is no more to say. */
  public void allowed(String why) {
    allowed = true;
    reason = why;
  }

  /** Says which object it was about, where the path did not. */
  public void concerns(String objectName) {
    name = objectName;
  }

  /** Says something that goes into the audit log; what was said first under a key stays. */
  public void annotate(String key, String value) {
    annotations.putIfAbsent(key, value);
  }

  /** Says how a request was answered, where no answer passes through here. */
  public void answered(int code) {
    status = code;
  }

  /** Runs something once a watch has sent all that there was when it began. */
  public void onWatchInitialized(Runnable listener) {
    onWatchInitialized = listener;
  }

  /** Says that a watch has begun, where nothing is streamed through here. */
  public void watching() {
    status = WATCHING;
    observers.forEach(observer -> observer.streaming(this));
  }

  /** A watch's stream that is not the answer's, but goes on after an upgrade. */
  public ResponseStream watchStream(ResponseStream upgraded) {
    return new InitializingStream(upgraded, onWatchInitialized);
  }

  /** Says how a request ended that the handler did not answer. */
  public void failed(int code) {
    if (status == 0) {
      status = code;
      bug = code == BUG;
    }
  }

  /** Whether there was no answer because of a bug. */
  public boolean isBug() {
    return bug;
  }

  /** What was sent and answered. */
  public ObservedBodies bodies() {
    return bodies;
  }

  public String auditId() {
    return auditId;
  }

  /** When that was on the monotonic clock, for whoever measures how long it took. */
  public Instant receivedMonotonic() {
    return receivedMonotonic;
  }

  public Instant received() {
    return received;
  }

  public Optional<User> user() {
    return Optional.ofNullable(user);
  }

  public Optional<User> impersonated() {
    return Optional.ofNullable(impersonated);
  }

  public String impersonationConstraint() {
    return impersonationConstraint;
  }

  public Optional<Action> action() {
    return Optional.ofNullable(action);
  }

  public String version() {
    return version;
  }

  /** The object's name, if it is known. */
  public String name() {
    return name.isEmpty() && action instanceof Action.OnResource on ? on.name() : name;
  }

  public boolean isAllowed() {
    return allowed;
  }

  public String reason() {
    return reason;
  }

  public SequencedMap<String, String> annotations() {
    return Collections.unmodifiableSequencedMap(annotations);
  }

  public boolean isWatch() {
    return action instanceof Action.OnResource on && on.verb().equals("watch");
  }

  /** Whether it lasts for as long as its client likes. */
  public boolean isLongRunning() {
    return isWatch() || (action != null && RequestKinds.isLongRunning(action));
  }

  /** The answer's code; 0 if there is none yet. */
  public int status() {
    return status;
  }

  @Override
  public String method() {
    return exchange.method();
  }

  @Override
  public String path() {
    return exchange.path();
  }

  @Override
  public Optional<String> query() {
    return exchange.query();
  }

  @Override
  public Optional<String> header(String field) {
    return exchange.header(field);
  }

  @Override
  public List<String> headers(String field) {
    return exchange.headers(field);
  }

  @Override
  public List<String> headerNames() {
    return exchange.headerNames();
  }

  @Override
  public List<X509Certificate> peerCertificates() {
    return exchange.peerCertificates();
  }

  @Override
  public SocketAddress remoteAddress() {
    return exchange.remoteAddress();
  }

  @Override
  public void markAuthenticated() {
    exchange.markAuthenticated();
  }

  @Override
  public boolean acceptsGzip() {
    return exchange.acceptsGzip();
  }

  @Override
  public byte[] body(int maxBytes) {
    return exchange.body(maxBytes);
  }

  @Override
  public InputStream bodyStream() {
    return exchange.bodyStream();
  }

  @Override
  public boolean isUpgradable() {
    return exchange.isUpgradable();
  }

  @Override
  public Duplex upgrade(Headers headers) {
    unanswered.set(false);
    status = SWITCHING_PROTOCOLS;
    observers.forEach(observer -> observer.streaming(this));
    return exchange.upgrade(headers);
  }

  @Override
  public void answerWith(String field, String value) {
    exchange.answerWith(field, value);
  }

  @Override
  public void respond(Response response) {
    if (unanswered.compareAndSet(true, false)) {
      status = response.status();
      bodies.responding(response);
      exchange.respond(uncached(response));
    }
  }

  /** What a server says is for whoever asked, and may be another thing the next time. */
  private static Response uncached(Response response) {
    return response.headers().first("Cache-Control").isPresent()
        ? response
        : new Response(
            response.status(),
            response.headers().with("Cache-Control", "no-cache, private"),
            response.body());
  }

  /** Answers instead of whoever takes too long, unless that one was faster after all. */
  public void expire(Response response) {
    if (unanswered.compareAndSet(true, false)) {
      expired = true;
      status = response.status();
      exchange.respond(response);
    }
  }

  /** Whether the request was answered because it took too long. */
  public boolean isExpired() {
    return expired;
  }

  @Override
  public ResponseStream stream(int code, Headers headers, Streaming streaming) {
    if (!unanswered.compareAndSet(true, false)) {
      return new UnreadStream();
    }
    status = code;
    ResponseStream stream = exchange.stream(code, headers, streaming);
    if (streaming == Streaming.WATCH) {
      observers.forEach(observer -> observer.streaming(this));
      return new InitializingStream(stream, onWatchInitialized);
    }
    return bodies.streaming(headers, stream);
  }
}
