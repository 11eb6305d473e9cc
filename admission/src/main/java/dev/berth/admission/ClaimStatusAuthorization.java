package dev.berth.admission;

import dev.berth.admission.match.Authorizers;
import dev.berth.cel.library.AccessCheck;
import dev.berth.kinds.resource.Subresource;
import dev.berth.model.resource.FieldError;
import dev.berth.model.tree.JsonObject;
import dev.berth.model.user.ServiceAccountUsers;
import dev.berth.model.user.User;
import dev.berth.registry.admission.AdmissionPlugin;
import dev.berth.registry.admission.AdmissionRequest;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * Who may write which part of a claim's status:
 *
 * <ul>
 *   <li>what is allocated, and for whom: whoever may do the same to {@code resourceclaims/binding}
 *       in the whole cluster, as the scheduler may;
 *   <li>what a driver says of its devices: whoever may do the same to {@code resourceclaims/driver}
 *       of the driver's name, on any node or, for a service account whose token is bound to the
 *       node of the allocation, on that one.
 * </ul>
 *
 * Not a policy that could be turned off.
 */
final class ClaimStatusAuthorization implements AdmissionPlugin {
  private static final String GROUP = "resource.k8s.io";
  private static final String CLAIMS = "resourceclaims";
  private static final String ON_ITS_NODE = "associated-node:";
  private static final String ON_ANY_NODE = "arbitrary-node:";
  private static final String NODE_OF_TOKEN = "authentication.kubernetes.io/node-name";

  private final Authorizers authorizers;

  ClaimStatusAuthorization(Authorizers authorizers) {
    this.authorizers = authorizers;
  }

  @Override
  public List<FieldError> fieldErrors(AdmissionRequest request) {
    boolean writesStatus =
        request.subresource().equals(Subresource.STATUS)
            && request.resource().plural().equals(CLAIMS)
            && request.resource().kind().group().equals(GROUP);
    // Whoever may do everything is not asked for: the server itself writes where nobody else may.
    if (!writesStatus || request.user().groups().contains(User.MASTERS)) {
      return List.of();
    }
    JsonObject status = request.object().object("status");
    JsonObject old = request.old().object("status");
    List<FieldError> problems = new ArrayList<>();
    if (!isSame("allocation", status, old) || !isSame("reservedFor", status, old)) {
      bound(request).ifPresent(problems::add);
    }
    if (status.has("allocation")) {
      changedDrivers(status, old)
          .forEach(driver -> reported(request, status, driver).ifPresent(problems::add));
    }
    return problems;
  }

  private static boolean isSame(String field, JsonObject status, JsonObject old) {
    return Objects.equals(status.get(field), old.get(field));
  }

  private Optional<FieldError> bound(AdmissionRequest request) {
    String verb = request.updateVerb();
    return refusal(request, "binding", "", "", List.of(verb))
        .map(why ->
            FieldError.forbidden(
                "status.allocation",
                "changing status.allocation or status.reservedFor requires resource=\"resourceclaims/binding\", verb=\"%s\" permission: %s"
                    .formatted(verb, why)));
  }

  private Optional<FieldError> reported(
      AdmissionRequest request, JsonObject status, String driver) {
    List<String> verbs = new ArrayList<>();
    if (isOnNodeOf(status.object("allocation"), request.user())) {
      verbs.add(ON_ITS_NODE + request.updateVerb());
    }
    verbs.add(ON_ANY_NODE + request.updateVerb());
    return refusal(request, "driver", request.name().namespace(), driver, verbs)
        .map(why ->
            FieldError.forbidden(
                "status.devices",
                "changing status.devices requires resource=\"resourceclaims/driver\", verb=\"[%s]\" permission: %s"
                    .formatted(String.join(" ", verbs), why)));
  }

  /** Why none of these verbs is allowed, in the words for the first of them. */
  private Optional<String> refusal(
      AdmissionRequest request,
      String subresource,
      String namespace,
      String name,
      List<String> verbs) {
    AccessCheck may = authorizers.of(request.user());
    AccessCheck.ResourceCheck what =
        new AccessCheck.ResourceCheck(may, GROUP, CLAIMS, subresource, namespace, name, "", "");
    Optional<String> first = Optional.empty();
    for (String verb : verbs) {
      AccessCheck.Decision decision = may.decide(what, verb);
      if (decision.allowed()) {
        return Optional.empty();
      }
      if (first.isEmpty()) {
        first = Optional.of(words(request.user(), what, verb, decision));
      }
    }
    return first;
  }

  private static String words(
      User user, AccessCheck.ResourceCheck what, String verb, AccessCheck.Decision decision) {
    List<String> reasons = new ArrayList<>(List.of(decision.error(), decision.reason()));
    reasons.removeIf(String::isEmpty);
    String where =
        what.namespace().isEmpty()
            ? "at the cluster scope"
            : "in the namespace \"" + what.namespace() + "\"";
    String object = what.name().isEmpty() ? "" : " \"" + what.name() + "\"";
    String refused =
        "%s.%s%s is forbidden: User \"%s\" cannot %s resource \"%s/%s\" in API group \"%s\" %s"
            .formatted(
                CLAIMS, GROUP, object, user.name(), verb, CLAIMS, what.subresource(), GROUP, where);
    reasons.addFirst(refused);
    return String.join(": ", reasons);
  }

  /** The drivers of which an entry came, changed or went, in the order of their names. */
  private static Set<String> changedDrivers(JsonObject status, JsonObject old) {
    Map<List<String>, JsonObject> before = new HashMap<>();
    old.array("devices").objects().forEach(device -> before.put(key(device), device));
    Set<String> drivers = new TreeSet<>();
    for (JsonObject device : status.array("devices").objects()) {
      if (!device.equals(before.remove(key(device)))) {
        drivers.add(device.text("driver", ""));
      }
    }
    before.values().forEach(device -> drivers.add(device.text("driver", "")));
    return drivers;
  }

  private static List<String> key(JsonObject device) {
    return List.of(
        device.text("driver", ""),
        device.text("pool", ""),
        device.text("device", ""),
        device.text("shareID", ""));
  }

  /** Whether a user is a service account with a token of the one node that was allocated on. */
  private static boolean isOnNodeOf(JsonObject allocation, User user) {
    List<String> nodes = user.extra().getOrDefault(NODE_OF_TOKEN, List.of());
    return nodes.size() == 1
        && ServiceAccountUsers.account(user.name()).isPresent()
        && nodeOf(allocation).equals(Optional.of(nodes.getFirst()));
  }

  private static Optional<String> nodeOf(JsonObject allocation) {
    List<JsonObject> terms = allocation.object("nodeSelector").array("nodeSelectorTerms").objects();
    if (terms.size() != 1 || !terms.getFirst().array("matchExpressions").isEmpty()) {
      return Optional.empty();
    }
    List<JsonObject> fields = terms.getFirst().array("matchFields").objects();
    return fields.size() == 1
            && fields.getFirst().text("key", "").equals("metadata.name")
            && fields.getFirst().text("operator", "").equals("In")
            && fields.getFirst().array("values").size() == 1
        ? Optional.of(fields.getFirst().array("values").texts().getFirst())
        : Optional.empty();
  }
}
