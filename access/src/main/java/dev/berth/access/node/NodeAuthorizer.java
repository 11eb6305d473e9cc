package dev.berth.access.node;

import dev.berth.access.Action;
import dev.berth.access.Authorizer;
import dev.berth.access.node.NodeGraph.Kind;
import dev.berth.access.rbac.BuiltInRole;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.user.NodeUsers;
import dev.berth.model.user.User;
import dev.berth.registry.Registry;
import java.util.Optional;
import java.util.Set;

/**
 * Decides what nodes may do, and has no opinion of anybody else.
 *
 * <ol>
 *   <li>Secrets, config maps, claims, volumes, attachments, resource claims and service accounts: a
 *       node reads, one by one, what its pods need. It gets tokens of its pods' accounts.
 *   <li>Pods: those of the node; a list must say so by {@code spec.nodeName}.
 *   <li>Its own Node, Lease and CSINode, and ResourceSlices that name it.
 *   <li>What a node writes is for the admission plugin NodeRestriction to look at, which sees the
 *       object.
 *   <li>All else: what the role {@code system:node} allows every node.
 * </ol>
 */
public final class NodeAuthorizer implements Authorizer, AutoCloseable {
  private static final Decision ALLOWED = new Decision.Allowed("");
  private static final Set<String> READ = Set.of("get", "list", "watch");
  private static final Set<String> CHANGE = Set.of("update", "patch");
  private static final Set<String> OWN_OBJECT =
      Set.of("get", "create", "update", "patch", "delete");
  private static final String LEASES = "kube-node-lease";

  private final NodeRelations relations;
  private final BuiltInRole role = BuiltInRole.named("system:node");

  /** A question of a node. */
  private record Question(String node, Action.OnResource action) {
    String verb() {
      return action.verb();
    }

    String subresource() {
      return action.subresource();
    }

    boolean isAboutObject() {
      return action.subresource().isEmpty();
    }

    ObjectName name() {
      return new ObjectName(action.namespace(), action.name());
    }

    /** Whether only objects are meant whose field names the node. */
    boolean selectsOwn(String field) {
      return action.selectors().fields().terms().stream()
          .anyMatch(
              term -> term.field().equals(field) && !term.negated() && term.value().equals(node));
    }
  }

  public NodeAuthorizer(Registry registry) {
    this.relations = new NodeRelations(registry);
  }

  @Override
  public Decision authorize(User user, Action action) {
    Optional<String> node = NodeUsers.nodeName(user);
    if (node.isEmpty()) {
      return Decision.NO_OPINION;
    }
    if (node.get().isEmpty()) {
      return refused("unknown node for user \"" + user.name() + "\"");
    }
    return action instanceof Action.OnResource on
        ? onResource(new Question(node.get(), on))
        : byRole(action);
  }

  private Decision onResource(Question question) {
    String group = question.action().resource().group();
    String plural = question.action().resource().resource();
    return switch (group + "/" + plural) {
      case "/secrets" -> read(question, Kind.SECRET);
      case "/configmaps" -> read(question, Kind.CONFIG_MAP);
      case "/persistentvolumeclaims" ->
          question.subresource().equals("status")
              ? updateStatus(question, Kind.CLAIM)
              : get(question, Kind.CLAIM);
      case "/persistentvolumes" -> get(question, Kind.VOLUME);
      case "resource.k8s.io/resourceclaims" -> get(question, Kind.RESOURCE_CLAIM);
      case "storage.k8s.io/volumeattachments" -> get(question, Kind.ATTACHMENT);
      case "/serviceaccounts" -> serviceAccount(question);
      case "coordination.k8s.io/leases" -> lease(question);
      case "storage.k8s.io/csinodes" -> csiNode(question);
      case "resource.k8s.io/resourceslices" -> resourceSlice(question);
      case "/nodes" -> node(question);
      case "/pods" -> pod(question);
      // Served only where pods get certificates, which is off.
      case "certificates.k8s.io/podcertificaterequests" -> Decision.NO_OPINION;
      default -> byRole(question.action());
    };
  }

  private Decision byRole(Action action) {
    return role.allows(action) ? ALLOWED : Decision.NO_OPINION;
  }

  private static Decision refused(String why) {
    return new Decision.NoOpinion(why);
  }

  private Decision updateStatus(Question question, Kind kind) {
    return CHANGE.contains(question.verb())
        ? related(question, kind)
        : refused("can only get/update/patch this type");
  }

  private Decision get(Question question, Kind kind) {
    if (!question.verb().equals("get")) {
      return refused("can only get individual resources of this type");
    }
    return question.isAboutObject() ? related(question, kind) : refused("cannot get subresource");
  }

  private Decision read(Question question, Kind kind) {
    if (!READ.contains(question.verb())) {
      return refused("can only read resources of this type");
    }
    if (!question.isAboutObject()) {
      return refused("cannot read subresource");
    }
    return question.action().namespace().isEmpty()
        ? refused("can only read namespaced object of this type")
        : related(question, kind);
  }

  private Decision related(Question question, Kind kind) {
    if (question.action().name().isEmpty()) {
      return refused("No Object name found");
    }
    return relations.connects(question.node(), kind, question.name())
        ? ALLOWED
        : refused(
            "no relationship found between node '%s' and this object".formatted(question.node()));
  }

  private Decision serviceAccount(Question question) {
    if (question.verb().equals("get") && question.isAboutObject()) {
      return read(question, Kind.SERVICE_ACCOUNT);
    }
    if (!question.verb().equals("create") || question.action().name().isEmpty()) {
      return refused("can only create tokens for individual service accounts");
    }
    return question.subresource().equals("token")
        ? related(question, Kind.SERVICE_ACCOUNT)
        : refused("can only create token subresource of serviceaccount");
  }

  private static Decision lease(Question question) {
    if (!OWN_OBJECT.contains(question.verb())) {
      return refused("can only get, create, update, patch, or delete a node lease");
    }
    if (!question.action().namespace().equals(LEASES)) {
      return refused("can only access leases in the \"%s\" system namespace".formatted(LEASES));
    }
    return isOwn(question)
        ? ALLOWED
        : refused("can only access node lease with the same name as the requesting node");
  }

  private static Decision csiNode(Question question) {
    if (!OWN_OBJECT.contains(question.verb())) {
      return refused("can only get, create, update, patch, or delete a CSINode");
    }
    if (!question.isAboutObject()) {
      return refused("cannot authorize CSINode subresources");
    }
    return isOwn(question)
        ? ALLOWED
        : refused("can only access CSINode with the same name as the requesting node");
  }

  /** Of what is created, the name is in the object, which NodeRestriction looks at. */
  private static boolean isOwn(Question question) {
    return question.verb().equals("create") || question.action().name().equals(question.node());
  }

  private static Decision resourceSlice(Question question) {
    if (!question.isAboutObject()) {
      return refused("cannot authorize ResourceSlice subresources");
    }
    return switch (question.verb()) {
      case "create" -> ALLOWED;
      // There are none yet that could name the node.
      case "get", "update", "patch", "delete" ->
          refused(
              "no relationship found between node '%s' and this object".formatted(question.node()));
      case "watch", "list", "deletecollection" ->
          question.selectsOwn("spec.nodeName")
              ? ALLOWED
              : refused(
                  "can only list/watch/deletecollection resourceslices with nodeName field selector");
      default ->
          refused(
              "only the following verbs are allowed for a ResourceSlice: get, watch, list, create, update, patch, delete, deletecollection");
    };
  }

  /** The name is compared, so that a node can look whether it is registered already. */
  private static Decision node(Question question) {
    String node = question.node();
    String name = question.action().name();
    String verb = question.verb();
    return switch (question.subresource()) {
      case "" -> {
        if (verb.equals("create") || CHANGE.contains(verb)) {
          yield ALLOWED;
        }
        if (!READ.contains(verb)) {
          yield Decision.NO_OPINION;
        }
        yield name.equals(node)
            ? ALLOWED
            : refused(
                name.isEmpty()
                    ? "node '%s' cannot read all nodes, only its own Node object".formatted(node)
                    : "node '%s' cannot read '%s', only its own Node object".formatted(node, name));
      }
      case "status" -> CHANGE.contains(verb) ? ALLOWED : Decision.NO_OPINION;
      default -> Decision.NO_OPINION;
    };
  }

  private Decision pod(Question question) {
    String verb = question.verb();
    return switch (question.subresource()) {
      case "" ->
          switch (verb) {
            case "get" -> related(question, Kind.POD);
            case "list", "watch" -> pods(question);
            case "create", "delete" -> ALLOWED;
            default -> Decision.NO_OPINION;
          };
      case "status" -> CHANGE.contains(verb) ? ALLOWED : Decision.NO_OPINION;
      case "eviction" -> verb.equals("create") ? ALLOWED : Decision.NO_OPINION;
      default -> Decision.NO_OPINION;
    };
  }

  private Decision pods(Question question) {
    if (question.selectsOwn("spec.nodeName")) {
      return ALLOWED;
    }
    return question.action().name().isEmpty()
        ? refused("can only list/watch pods with spec.nodeName field selector")
        : related(question, Kind.POD);
  }

  @Override
  public void close() {
    relations.close();
  }
}
