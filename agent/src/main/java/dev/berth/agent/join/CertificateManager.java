package dev.berth.agent.join;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.berth.client.Api;
import dev.berth.client.ApiResult;
import dev.berth.client.Resources;
import dev.berth.metrics.Counter;
import dev.berth.metrics.Metrics;
import dev.berth.model.certificates.CertificateRequestTree;
import dev.berth.model.meta.Conditions;
import dev.berth.model.meta.Metadata;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonObject;
import dev.berth.pki.NodeCredential;
import dev.berth.pki.NodeCredentialFile;
import dev.berth.pki.PkiException;
import dev.berth.pki.RequestedNames;
import dev.berth.pki.SigningRequestBuilder;
import dev.berth.policy.certificates.RotationDeadline;
import dev.berth.time.Loop;
import dev.berth.time.Time;
import java.security.KeyPair;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps one certificate of a node: asks the cluster for it, waits until it is approved and signed,
 * keeps it in a file, and asks for the next one in time ({@link RotationDeadline}), or at once when
 * the node has other names.
 *
 * <ul>
 *   <li>A request that nobody approved within 15 minutes is given up, and made again.
 *   <li>What fails is tried again after 2 s, then twice as long, to 32 s.
 *   <li>The certificate that is there is used until the next one is; nothing ends because of a
 *       failure here.
 * </ul>
 *
 * <p>Threads: one loop owns all state; {@link #current} may be read by any thread.
 */
public final class CertificateManager implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger("certificates");

  /** How often the clock and the node's names are looked at. */
  private static final Duration CHECK = Duration.ofSeconds(10);

  /** The same until the names are known: a node that has just begun waits for its certificate. */
  private static final Duration FIRST_CHECKS = Duration.ofMillis(100);

  private static final Duration FIRST_POLL = Duration.ofMillis(50);
  private static final Duration LONGEST_POLL = Duration.ofSeconds(5);
  private static final Duration PATIENCE = Duration.ofMinutes(15);
  private static final Duration FIRST_RETRY = Duration.ofSeconds(2);
  private static final Duration LONGEST_RETRY = Duration.ofSeconds(32);

  /**
   * What to make it of.
   *
   * @param api the server as the node sees it, or as a machine with a bootstrap token does
   * @param names what the certificate has to be for; empty while that is not known
   * @param file where it is kept
   * @param metrics show how long it is good for, and how often the next could not be had
   * @param obtained told of each new certificate, on the loop, after it was kept
   */
  public record Parts(
      Api api,
      Time time,
      Metrics metrics,
      CertificatePurpose purpose,
      Supplier<Optional<RequestedNames>> names,
      NodeCredentialFile file,
      Consumer<NodeCredential> obtained) {}

  private final Api api;
  private final Time time;
  private final Loop loop;
  private final CertificatePurpose purpose;
  private final Supplier<Optional<RequestedNames>> names;
  private final NodeCredentialFile file;
  private final Consumer<NodeCredential> obtained;
  private final RandomGenerator random;
  private final Counter renewalErrors;

  private volatile Optional<NodeCredential> current;
  private Instant deadline;
  private boolean isAsking;
  private Duration nextRetry = FIRST_RETRY;

  /** The monotonic time before which nothing is tried again; null if nothing failed. */
  private @Nullable Instant notBefore;

  /** A request that waits to be signed. */
  private record Pending(KeyPair key, String name, Instant since, Duration nextPoll) {}

  private CertificateManager(Parts parts) {
    api = parts.api();
    time = parts.time();
    purpose = parts.purpose();
    names = parts.names();
    file = parts.file();
    obtained = parts.obtained();
    random = time.random("certificates " + purpose.filePrefix());
    current = file.read().filter(found -> time.now().isBefore(found.notAfter()));
    deadline = current.map(this::deadline).orElse(Instant.MIN);
    renewalErrors =
        parts
            .metrics()
            .counters(purpose.errorMetric(), "How often a certificate could not be had.")
            .with();
    parts
        .metrics()
        .lookedUp(
            purpose.lifetimeMetric(),
            "Seconds until the certificate expires; negative if it has.",
            List.of(),
            action ->
                current.ifPresent(known ->
                    action.accept(
                        List.of(),
                        (double) Duration.between(time.now(), known.notAfter()).toSeconds())));
    loop = time.start("certificates");
  }

  /**
   * Begins to keep it.
   *
   * @throws PkiException if there is a file that cannot be used
   */
  public static CertificateManager start(Parts parts) {
    CertificateManager manager = new CertificateManager(parts);
    manager.loop.after(Duration.ZERO, manager::repeat);
    return manager;
  }

  /** The certificate to use now; empty before there is one. */
  public Optional<NodeCredential> current() {
    return current.filter(found -> time.now().isBefore(found.notAfter()));
  }

  /** When the next one will be asked for. */
  Instant deadline() {
    return deadline;
  }

  private Instant deadline(NodeCredential credential) {
    return RotationDeadline.of(credential.notBefore(), credential.notAfter(), random.nextDouble());
  }

  private void repeat() {
    Optional<RequestedNames> wanted = names.get();
    check(wanted);
    loop.after(wanted.isEmpty() ? FIRST_CHECKS : CHECK, this::repeat);
  }

  private void check() {
    check(names.get());
  }

  private void check(Optional<RequestedNames> wanted) {
    boolean waits = notBefore != null && time.monotonicNow().isBefore(notBefore);
    if (isAsking || waits || wanted.isEmpty()) {
      return;
    }
    boolean isGood =
        current.filter(found -> found.covers(wanted.get())).isPresent()
            && time.now().isBefore(deadline);
    if (!isGood) {
      ask(wanted.get());
    }
  }

  private void ask(RequestedNames wanted) {
    isAsking =
        loop.call(
            () -> {
              KeyPair key = SigningRequestBuilder.newKey();
              return new Asked(
                  key,
                  api.create(Resources.CERTIFICATE_SIGNING_REQUESTS, purpose.request(key, wanted)));
            },
            this::asked);
  }

  private record Asked(KeyPair key, ApiResult result) {}

  private void asked(Asked asked) {
    switch (asked.result()) {
      case ApiResult.Done(JsonObject request) -> {
        String name = Metadata.of(request).name();
        LOG.atInfo()
            .addKeyValue("request", name)
            .log("asked for a certificate: {}", purpose.filePrefix());
        poll(new Pending(asked.key(), name, time.monotonicNow(), FIRST_POLL));
      }
      case ApiResult.Failure failure -> failed("cannot ask for a certificate", failure.message());
    }
  }

  private void poll(Pending pending) {
    boolean sent =
        loop.call(
            () -> api.get(Resources.CERTIFICATE_SIGNING_REQUESTS, ObjectName.of(pending.name())),
            result -> polled(pending, result));
    if (!sent) {
      failed("cannot ask for a certificate", "too much else is under way");
    }
  }

  private void polled(Pending pending, ApiResult result) {
    if (result instanceof ApiResult.Done(JsonObject tree)) {
      CertificateRequestTree request = new CertificateRequestTree(tree);
      for (String refusal : new String[] {"Denied", "Failed"}) {
        if (request.has(refusal)) {
          failed("a certificate was refused", message(tree, refusal));
          return;
        }
      }
      if (request.isIssued()) {
        issued(pending, tree.object("status").text("certificate", ""));
        return;
      }
    } else if (result.isNotFound()) {
      failed("a request for a certificate is gone", pending.name());
      return;
    }
    if (time.since(pending.since()).compareTo(PATIENCE) >= 0) {
      failed("nobody approved a request for a certificate", pending.name());
      return;
    }
    Duration longer = pending.nextPoll().multipliedBy(2);
    Duration next = longer.compareTo(LONGEST_POLL) < 0 ? longer : LONGEST_POLL;
    loop.after(
        pending.nextPoll(),
        () -> poll(new Pending(pending.key(), pending.name(), pending.since(), next)));
  }

  private static String message(JsonObject request, String condition) {
    return Conditions.find(request.object("status").array("conditions"), condition)
        .map(found -> found.text("message", ""))
        .orElse("");
  }

  private void issued(Pending pending, String base64) {
    try {
      NodeCredential credential =
          NodeCredential.of(
              new String(Base64.getMimeDecoder().decode(base64), UTF_8), pending.key());
      file.write(credential, time.now());
      current = Optional.of(credential);
      deadline = deadline(credential);
      isAsking = false;
      nextRetry = FIRST_RETRY;
      notBefore = null;
      LOG.atInfo()
          .addKeyValue("expires", credential.notAfter())
          .log("got a certificate: {}", purpose.filePrefix());
      obtained.accept(credential);
    } catch (PkiException | IllegalArgumentException e) {
      failed("a certificate cannot be used", String.valueOf(e.getMessage()));
    }
  }

  private void failed(String what, String why) {
    isAsking = false;
    renewalErrors.increment();
    LOG.atWarn().addKeyValue("reason", why).log(what);
    notBefore = time.monotonicNow().plus(nextRetry);
    loop.after(nextRetry, this::check);
    Duration doubled = nextRetry.multipliedBy(2);
    nextRetry = doubled.compareTo(LONGEST_RETRY) < 0 ? doubled : LONGEST_RETRY;
  }

  @Override
  public void close() {
    loop.close();
  }
}
