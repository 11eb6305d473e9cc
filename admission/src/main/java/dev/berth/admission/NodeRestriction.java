package dev.berth.admission;

import dev.berth.model.meta.Metadata;
import dev.berth.model.meta.OwnerReference;
import dev.berth.model.meta.WellKnownAnnotations;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonObject;
import dev.berth.model.user.NodeUsers;
import dev.berth.pki.SigningRequest;
import dev.berth.policy.node.ProtectedLabels;
import dev.berth.registry.Registry;
import dev.berth.registry.admission.AdmissionPlugin;
import dev.berth.registry.admission.AdmissionRequest;
import dev.berth.registry.admission.AdmissionRequest.Operation;
import dev.berth.registry.status.Failures;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * A node writes nothing but itself and its pods. It sees what the node authorizer cannot: the
 * objects.
 *
 * <ol>
 *   <li>Pods: it creates mirror pods of its own that use nothing, and deletes, evicts and reports
 *       on pods that are bound to it.
 *   <li>Its Node: not its taints, once it is registered, nor its owners, nor protected labels.
 *   <li>Of a claim, only sizes and conditions in its status.
 *   <li>Tokens: only for pods that are bound to it, and for audiences that they name.
 *   <li>Its Lease, its CSINode, and ResourceSlices that name it.
 *   <li>Certificates for nodes: only in its own name.
 * </ol>
 */
public final class NodeRestriction implements AdmissionPlugin {
  private static final String LEASES = "kube-node-lease";
  private static final Set<String> NODE_SIGNERS =
      Set.of("kubernetes.io/kubelet-serving", "kubernetes.io/kube-apiserver-client-kubelet");

  private final ClusterReader cluster;
  private final NodeTokenRestriction tokens;

  public NodeRestriction(Registry registry, AudienceAuthorizer audiences) {
    this.cluster = new ClusterReader(registry);
    this.tokens = new NodeTokenRestriction(cluster, audiences);
  }

  /**
   * Looks before objects are validated, as upstream, so that a node hears first what is not its.
   */
  @Override
  public JsonObject mutate(AdmissionRequest request) {
    check(request);
    return request.object();
  }

  @Override
  public void intercept(AdmissionRequest request) {
    if (request.deletes()) {
      check(request);
    }
  }

  private void check(AdmissionRequest request) {
    Optional<String> known = NodeUsers.nodeName(request.user());
    if (known.isEmpty()) {
      return;
    }
    String node = known.get();
    require(
        !node.isEmpty(),
        request,
        "could not determine node from user \"%s\"".formatted(request.user().name()));
    switch (request.resource().groupResource().toString()) {
      case "pods" -> checkPods(node, request);
      case "nodes" -> checkNode(node, request);
      case "persistentvolumeclaims" -> checkClaim(node, request);
      case "serviceaccounts" -> {
        if (request.creates() && request.subresource().equals("token")) {
          tokens.check(node, request);
        }
      }
      case "leases.coordination.k8s.io" -> {
        require(
            request.name().namespace().equals(LEASES),
            request,
            "can only access leases in the \"%s\" system namespace".formatted(LEASES));
        checkOwn(node, request, "node lease");
      }
      case "csinodes.storage.k8s.io" -> checkOwn(node, request, "CSINode");
      case "resourceslices.resource.k8s.io" -> checkResourceSlice(node, request);
      case "certificatesigningrequests.certificates.k8s.io" -> checkCertificate(node, request);
      default -> {}
    }
  }

  private static void require(boolean met, AdmissionRequest request, String otherwise) {
    if (!met) {
      throw ClusterReader.forbidden(request, otherwise);
    }
  }

  private void checkPods(String node, AdmissionRequest request) {
    switch (request.subresource()) {
      case "" -> {
        switch (request.operation()) {
          case CREATE -> checkMirrorPod(node, request);
          case DELETE ->
              require(
                  nodeOf(request.old()).equals(node),
                  request,
                  "node \"%s\" can only delete pods with spec.nodeName set to itself"
                      .formatted(node));
          case UPDATE ->
              throw ClusterReader.forbidden(
                  request,
                  "unexpected operation \"UPDATE\", node \"%s\" can only create and delete mirror pods"
                      .formatted(node));
          case CONNECT -> {}
        }
      }
      case "status" -> checkPodStatus(node, request);
      case "eviction" -> {
        expect(request, Operation.CREATE);
        JsonObject pod =
            cluster
                .find(request.resource(), request.name())
                .orElseThrow(() ->
                    Failures.notFound(request.resource().groupResource(), request.name().name()));
        require(
            nodeOf(pod).equals(node),
            request,
            "node %s can only evict pods with spec.nodeName set to itself".formatted(node));
      }
      default ->
          throw ClusterReader.forbidden(
              request,
              "unexpected pod subresource \"%s\", only 'status' and 'eviction' are allowed"
                  .formatted(request.subresource()));
    }
  }

  private static void expect(AdmissionRequest request, Operation operation) {
    require(
        request.operation() == operation,
        request,
        "unexpected operation \"%s\"".formatted(request.operation()));
  }

  private static String nodeOf(JsonObject pod) {
    return pod.object("spec").text("nodeName", "");
  }

  private void checkMirrorPod(String node, AdmissionRequest request) {
    JsonObject pod = request.object();
    Metadata metadata = Metadata.of(pod);
    require(
        metadata.annotations().has(WellKnownAnnotations.CONFIG_MIRROR),
        request,
        "pod does not have \"%s\" annotation, node \"%s\" can only create mirror pods"
            .formatted(WellKnownAnnotations.CONFIG_MIRROR, node));
    String only = "node \"%s\" can only create pods with ".formatted(node);
    require(nodeOf(pod).equals(node), request, only + "spec.nodeName set to itself");
    List<OwnerReference> owners = metadata.ownerReferences();
    require(owners.size() <= 1, request, only + "a single owner reference set to itself");
    require(!owners.isEmpty(), request, only + "an owner reference set to itself");
    OwnerReference owner = owners.getFirst();
    require(
        owner.apiVersion().equals("v1") && owner.kind().equals("Node") && owner.name().equals(node),
        request,
        only + "an owner reference set to itself");
    require(owner.controller(), request, only + "a controller owner reference set to itself");
    require(
        !owner.blocksOwnerDeletion(),
        request,
        "node \"%s\" must not set blockOwnerDeletion on an owner reference".formatted(node));
    String uid =
        cluster
            .find(cluster.core("nodes"), ObjectName.of(node))
            .map(found -> Metadata.of(found).uid())
            .orElseThrow(() -> Failures.notFound(cluster.core("nodes").groupResource(), node));
    require(
        owner.uid().equals(uid),
        request,
        "node %s UID mismatch: expected %s got %s".formatted(node, owner.uid(), uid));
    MirrorPodReferences.problem(node, pod)
        .ifPresent(problem -> {
          throw ClusterReader.forbidden(request, problem);
        });
  }

  private static void checkPodStatus(String node, AdmissionRequest request) {
    expect(request, Operation.UPDATE);
    JsonObject old = request.old();
    JsonObject changed = request.object();
    require(
        nodeOf(old).equals(node),
        request,
        "node \"%s\" can only update pod status for pods with spec.nodeName set to itself"
            .formatted(node));
    require(
        Metadata.of(old).labels().equals(Metadata.of(changed).labels()),
        request,
        "node \"%s\" cannot update labels through pod status".formatted(node));
    require(
        status(old)
            .array("resourceClaimStatuses")
            .equals(status(changed).array("resourceClaimStatuses")),
        request,
        "node \"%s\" cannot update resource claim statues".formatted(node));
    require(
        status(old)
            .object("extendedResourceClaimStatus")
            .equals(status(changed).object("extendedResourceClaimStatus")),
        request,
        "node \"%s\" cannot update extended resource claim status".formatted(node));
  }

  private static JsonObject status(JsonObject object) {
    return object.object("status");
  }

  private static void checkNode(String node, AdmissionRequest request) {
    String name = request.name().name();
    require(
        name.equals(node),
        request,
        "node \"%s\" is not allowed to modify node \"%s\"".formatted(node, name));
    if (request.deletes()) {
      return;
    }
    JsonObject spec = request.object().object("spec");
    JsonObject oldSpec = request.old().object("spec");
    Metadata metadata = Metadata.of(request.object());
    Metadata old = Metadata.of(request.old());
    String labels =
        String.join(
            ", ", ProtectedLabels.touched(old.labels().toStrings(), metadata.labels().toStrings()));
    String notAllowed = "node \"%s\" is not allowed to ".formatted(node);
    boolean setsSource = spec.has("configSource");
    if (request.creates()) {
      require(!setsSource, request, notAllowed + "create pods with a non-nil configSource");
      require(labels.isEmpty(), request, notAllowed + "set the following labels: " + labels);
      return;
    }
    require(
        !setsSource || spec.object("configSource").equals(oldSpec.object("configSource")),
        request,
        notAllowed + "update configSource to a new non-nil configSource");
    require(
        spec.array("taints").equals(oldSpec.array("taints")),
        request,
        notAllowed + "modify taints");
    require(
        metadata.ownerReferences().equals(old.ownerReferences()),
        request,
        notAllowed + "modify ownerReferences");
    require(labels.isEmpty(), request, "is not allowed to modify labels: " + labels);
  }

  private static void checkClaim(String node, AdmissionRequest request) {
    require(request.subresource().equals("status"), request, "may only update PVC status");
    expect(request, Operation.UPDATE);
    JsonObject old = withoutOwnFields(request.old());
    JsonObject changed = withoutOwnFields(request.object());
    require(
        old.equals(changed),
        request,
        "node \"%s\" is not allowed to update fields other than status.quantity and status.conditions: %s"
            .formatted(node, ChangedFields.between(old, changed)));
  }

  /** A claim without what a node may write there, and what changes with every write. */
  private static JsonObject withoutOwnFields(JsonObject claim) {
    JsonObject status =
        status(claim)
            .without("capacity")
            .without("conditions")
            .without("allocatedResources")
            .without("allocatedResourceStatuses");
    return Metadata.update(
            claim, metadata -> metadata.without("resourceVersion").without("managedFields"))
        .with("status", status);
  }

  private static void checkOwn(String node, AdmissionRequest request, String what) {
    require(
        request.name().name().equals(node),
        request,
        "can only access %s with the same name as the requesting node".formatted(what));
  }

  private static void checkResourceSlice(String node, AdmissionRequest request) {
    if (request.operation() != Operation.UPDATE) {
      JsonObject slice = request.creates() ? request.object() : request.old();
      require(
          slice.object("spec").text("nodeName", "").equals(node),
          request,
          "can only %s ResourceSlice with the same NodeName as the requesting node"
              .formatted(request.operation().name().toLowerCase(Locale.ROOT)));
    }
  }

  private static void checkCertificate(String node, AdmissionRequest request) {
    JsonObject spec = request.object().object("spec");
    if (!request.creates() || !NODE_SIGNERS.contains(spec.text("signerName", ""))) {
      return;
    }
    byte[] pem = Base64.getDecoder().decode(spec.text("request", ""));
    String subject = new SigningRequest(pem, List.of(), Duration.ofDays(1)).commonName().orElse("");
    String own = NodeUsers.userName(node);
    require(subject.equals(own), request, "can only create a node CSR with CN=%s".formatted(own));
  }
}
