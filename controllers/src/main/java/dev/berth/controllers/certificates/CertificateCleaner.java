package dev.berth.controllers.certificates;

import dev.berth.client.Api;
import dev.berth.client.ApiResult;
import dev.berth.client.BoundedRequests;
import dev.berth.client.DeleteOptions;
import dev.berth.client.Resources;
import dev.berth.client.informer.InformerSet;
import dev.berth.controllers.reconcile.Controller;
import dev.berth.controllers.reconcile.ControllerParts;
import dev.berth.model.certificates.CertificateRequestTree;
import dev.berth.model.meta.Metadata;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonObject;
import dev.berth.pki.Certificates;
import dev.berth.policy.certificates.RequestExpiry;
import dev.berth.time.Loop;
import dev.berth.time.Time;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Deletes certificate signing requests that nobody needs any more, as {@link RequestExpiry} says.
 * It looks at all of them when it starts and every hour; what could not be deleted is tried again
 * an hour later.
 */
public final class CertificateCleaner implements Controller {
  static final Duration PERIOD = Duration.ofHours(1);

  private static final Logger LOG = LoggerFactory.getLogger("csrcleaner");
  private static final int AT_ONCE = 5;

  private final Api api;
  private final Time time;
  private final Consumer<String> warnings;
  private final Loop loop;
  private final BoundedRequests deletions;
  private final InformerSet informers;
  private final Map<String, JsonObject> requests = new TreeMap<>();

  private CertificateCleaner(ControllerParts parts) {
    this.api = parts.api();
    this.time = parts.time();
    this.warnings = parts.warnings();
    this.loop = time.start("csrcleaner");
    this.deletions = new BoundedRequests(loop, AT_ONCE);
    this.informers =
        new InformerSet(parts.informers(), loop, this::sweep, warnings)
            .on(Resources.CERTIFICATE_SIGNING_REQUESTS, this::changed);
  }

  public static Controller start(ControllerParts parts) {
    CertificateCleaner cleaner = new CertificateCleaner(parts);
    cleaner.informers.start();
    return cleaner;
  }

  private void changed(@Nullable JsonObject before, @Nullable JsonObject after) {
    if (after != null) {
      requests.put(Metadata.of(after).name(), after);
    } else if (before != null) {
      requests.remove(Metadata.of(before).name());
    }
  }

  private void sweep() {
    Instant now = time.now();
    requests
        .values()
        .forEach(request ->
            RequestExpiry.reason(new CertificateRequestTree(request), certificateEnd(request), now)
                .ifPresent(reason -> delete(request, reason)));
    loop.after(PERIOD, this::sweep);
  }

  private static Optional<Instant> certificateEnd(JsonObject request) {
    return RequestReader.decoded(request.object("status").text("certificate", ""))
        .flatMap(Certificates::notAfter);
  }

  private void delete(JsonObject request, String reason) {
    ObjectName name = ObjectName.of(request);
    LOG.atInfo().addKeyValue("csr", name.name()).addKeyValue("reason", reason).log("deleting");
    DeleteOptions only = DeleteOptions.NONE.onlyUid(Metadata.of(request).uid());
    deletions.run(
        () -> api.delete(Resources.CERTIFICATE_SIGNING_REQUESTS, name, only),
        result -> {
          if (result instanceof ApiResult.Failure why && !why.isNotFound() && !why.isConflict()) {
            warnings.accept(
                "cannot delete certificate signing request %s, and tries again in an hour: %s"
                    .formatted(name.name(), why.message()));
          }
        });
  }

  @Override
  public void close() {
    informers.close();
    loop.close();
  }
}
