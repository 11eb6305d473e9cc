package dev.berth.apiserver;

import dev.berth.metrics.Metrics;
import dev.berth.pki.PkiException;
import dev.berth.time.Loop;
import dev.berth.time.Time;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps a running server's certificates up to date, looking at their files every few seconds; shows
 * when they end; and warns of what ends within a month, once a day. What the server renews by
 * itself is only warned of when that has failed.
 */
final class CertificateUpkeep implements AutoCloseable {
  static final Duration PERIOD = Duration.ofSeconds(10);
  static final Duration WARN_BEFORE = Duration.ofDays(30);

  private static final Duration BETWEEN_WARNINGS = Duration.ofDays(1);
  private static final Logger LOG = LoggerFactory.getLogger("certificates");

  private final ServerCertificates certificates;
  private final Runnable changed;
  private final Time time;
  private final Loop loop;

  /** When a warning about something may be repeated, on the monotonic clock. */
  private final Map<String, Instant> quietUntil = new HashMap<>();

  /**
   * @param changed told when there are others
   */
  CertificateUpkeep(ServerCertificates certificates, Metrics metrics, Time time, Runnable changed) {
    this.certificates = certificates;
    this.changed = changed;
    this.time = time;
    this.loop = time.start("certificates");
    metrics.lookedUp(
        "berth_certificate_expiration_timestamp_seconds",
        "When each certificate of the cluster's own expires, in seconds since 1970.",
        List.of("name"),
        each ->
            certificates
                .ends()
                .forEach((name, end) -> each.accept(List.of(name), (double) end.getEpochSecond())));
  }

  void start() {
    loop.after(Duration.ZERO, this::warn);
    loop.after(PERIOD, this::look);
  }

  private void look() {
    Instant now = time.now();
    try {
      if (certificates.refresh(now)) {
        LOG.info("the cluster's certificates have changed: new connections use them");
        changed.run();
      }
      quietUntil.remove("");
    } catch (PkiException e) {
      if (isTimeToWarn("")) {
        LOG.atWarn()
            .addKeyValue("reason", e.getMessage())
            .log("cannot read the cluster's certificates, and goes on with the last ones");
      }
    }
    warn();
    loop.after(PERIOD, this::look);
  }

  private void warn() {
    Instant now = time.now();
    certificates.ends().forEach((name, end) -> warnIfNear(name, end, now));
  }

  private void warnIfNear(String name, Instant end, Instant now) {
    if (now.plus(WARN_BEFORE).isAfter(end) && isTimeToWarn(name)) {
      LOG.atWarn()
          .addKeyValue("certificate", name)
          .addKeyValue("expires", end)
          .log("a certificate of the cluster is about to expire: see \"berth certs\"");
    }
  }

  private boolean isTimeToWarn(String what) {
    Instant now = time.monotonicNow();
    Instant next = quietUntil.get(what);
    if (next != null && now.isBefore(next)) {
      return false;
    }
    quietUntil.put(what, now.plus(BETWEEN_WARNINGS));
    return true;
  }

  @Override
  public void close() {
    loop.close();
  }
}
