package dev.berth.admission;

import dev.berth.kinds.resource.Resource;
import dev.berth.model.meta.Metadata;
import dev.berth.model.meta.WellKnownAnnotations;
import dev.berth.model.reference.PodReferences;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonObject;
import dev.berth.registry.Registry;
import dev.berth.registry.WriteOptions;
import dev.berth.registry.admission.AdmissionPlugin;
import dev.berth.registry.admission.AdmissionRequest;
import dev.berth.registry.status.StatusException;
import java.util.Optional;

/**
 * Every pod runs as an account.
 *
 * <ol>
 *   <li>A pod that names none runs as {@code default}. The account must be there.
 *   <li>The account's pull secrets become the pod's, unless it has its own.
 *   <li>A token of the account is mounted, unless the pod, or else the account, does not want it.
 *   <li>A mirror pod is the shadow of one that runs already: it is not changed, and has no account,
 *       no secrets and no tokens.
 * </ol>
 *
 * <p>The account {@code default} comes with its namespace, and again when a pod needs it and it is
 * gone. Upstream leaves that to a controller, and lets a pod that comes first fail.
 */
public final class ServiceAccount implements AdmissionPlugin {
  private static final String DEFAULT = "default";
  private static final String NAME = "serviceAccountName";

  private final Registry registry;
  private final ClusterReader cluster;
  private final TokenVolume tokens;

  public ServiceAccount(Registry registry) {
    this.registry = registry;
    this.cluster = new ClusterReader(registry);
    this.tokens = new TokenVolume(registry.time().random("service-account-volumes"));
  }

  @Override
  public JsonObject mutate(AdmissionRequest request) {
    if (request.creates() && request.writesCore("namespaces")) {
      request.afterwards(written -> createDefault(written, request.name().name()));
    }
    if (!request.creates() || !request.writesCore("pods")) {
      return request.object();
    }
    JsonObject spec = request.object().object("spec");
    if (isMirror(request.object())) {
      checkMirror(request, spec);
      return request.object();
    }
    String name = spec.text(NAME, "");
    name = name.isEmpty() ? spec.text("serviceAccount", "") : name;
    name = name.isEmpty() ? DEFAULT : name;
    JsonObject account = account(request, name);
    // Older clients read the older of the two fields.
    spec = spec.with(NAME, name).with("serviceAccount", name);
    boolean mounts = account.flag("automountServiceAccountToken", true);
    if (spec.flag("automountServiceAccountToken", mounts)) {
      spec = tokens.mountIn(spec);
    }
    if (spec.array("imagePullSecrets").isEmpty() && !account.array("imagePullSecrets").isEmpty()) {
      spec = spec.with("imagePullSecrets", account.array("imagePullSecrets"));
    }
    return request.object().with("spec", spec);
  }

  @Override
  public void validate(AdmissionRequest request) {
    boolean adds = request.subresource().equals("ephemeralcontainers");
    boolean creates = request.creates() && request.writesCore("pods");
    if (!adds && !creates) {
      return;
    }
    JsonObject spec = request.object().object("spec");
    if (adds) {
      refuseIfPresent(
          request, mountable(request, spec).flatMap(secrets -> secrets.ephemeralProblem(spec)));
    } else if (isMirror(request.object())) {
      checkMirror(request, spec);
    } else {
      refuseIfPresent(request, mountable(request, spec).flatMap(secrets -> secrets.problem(spec)));
    }
  }

  private static void refuseIfPresent(AdmissionRequest request, Optional<String> problem) {
    if (problem.isPresent()) {
      throw ClusterReader.forbidden(request, problem.get());
    }
  }

  /** The secrets that a pod must keep to, if its account wants that. */
  private Optional<MountableSecrets> mountable(AdmissionRequest request, JsonObject spec) {
    String name = spec.text(NAME, "");
    if (name.isEmpty()) {
      throw ClusterReader.forbidden(
          request,
          "no service account specified for pod %s/%s"
              .formatted(request.name().namespace(), request.name().name()));
    }
    return MountableSecrets.enforcedBy(account(request, name));
  }

  private static boolean isMirror(JsonObject pod) {
    return Metadata.of(pod).annotations().has(WellKnownAnnotations.CONFIG_MIRROR);
  }

  private static void checkMirror(AdmissionRequest request, JsonObject spec) {
    if (!spec.text(NAME, "").isEmpty()) {
      throw ClusterReader.forbidden(request, "a mirror pod may not reference service accounts");
    }
    if (!PodReferences.of(request.object()).secrets().isEmpty()) {
      throw ClusterReader.forbidden(request, "a mirror pod may not reference secrets");
    }
    if (TokenVolume.isProjectedIn(spec)) {
      throw ClusterReader.forbidden(
          request, "a mirror pod may not use ServiceAccountToken volume projections");
    }
  }

  private JsonObject account(AdmissionRequest request, String name) {
    ObjectName account = new ObjectName(request.name().namespace(), name);
    Resource accounts = cluster.core("serviceaccounts");
    Optional<JsonObject> found = cluster.find(accounts, account);
    if (found.isEmpty() && name.equals(DEFAULT)) {
      createDefault(!request.dryRun(), account.namespace());
      found = request.dryRun() ? Optional.of(JsonObject.EMPTY) : cluster.find(accounts, account);
    }
    return found.orElseThrow(() ->
        ClusterReader.forbidden(
            request,
            "error looking up service account %s: serviceaccount \"%s\" not found"
                .formatted(account, name)));
  }

  /** Somebody else may be making it too, and the namespace may be on its way out. */
  private void createDefault(boolean wanted, String namespace) {
    if (!wanted) {
      return;
    }
    try {
      registry.create(
          cluster.core("serviceaccounts"),
          namespace,
          JsonObject.of("metadata", JsonObject.of("name", DEFAULT)),
          WriteOptions.DEFAULT);
    } catch (StatusException e) {
      int code = e.status().code();
      if (code != 409 && code != 403 && code != 404) {
        throw e;
      }
    }
  }
}
