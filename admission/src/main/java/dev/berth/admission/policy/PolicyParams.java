package dev.berth.admission.policy;

import dev.berth.kinds.resource.Resource;
import dev.berth.model.meta.Metadata;
import dev.berth.model.resource.GroupVersion;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.selector.LabelSelector;
import dev.berth.model.tree.JsonObject;
import dev.berth.registry.ListOptions;
import dev.berth.registry.Registry;
import dev.berth.registry.Selection;
import dev.berth.registry.Stored;
import dev.berth.registry.StoredEncoding;
import java.util.List;
import java.util.Optional;

/** Finds the parameters that a binding names. */
record PolicyParams(Registry registry) {

  /** The parameters cannot be found, and the binding or the policy is to blame. */
  static final class ParamsException extends Exception {
    private static final long serialVersionUID = 1;

    ParamsException(String message) {
      super(message);
    }

    String reason() {
      String message = getMessage();
      return message == null ? "" : message;
    }
  }

  /**
   * The parameters, for each of which the policy is evaluated; one that is empty if it has none.
   *
   * @param namespace of the request, where parameters are unless the binding says otherwise
   */
  List<JsonObject> find(JsonObject kind, JsonObject ref, String namespace) throws ParamsException {
    if (kind.isEmpty() || ref.isEmpty()) {
      return List.of(JsonObject.EMPTY);
    }
    Resource resource =
        resource(kind)
            .orElseThrow(() ->
                new ParamsException(
                    "paramKind kind `"
                        + kind.text("apiVersion", "")
                        + ", Kind="
                        + kind.text("kind", "")
                        + "` not known"));
    String where = namespace(resource, ref, namespace);
    String name = ref.text("name", "");
    List<JsonObject> found =
        name.isEmpty()
            ? select(resource, where, LabelSelector.fromTree(ref.object("selector")))
            : registry.find(resource, new ObjectName(where, name)).map(Stored::tree).stream()
                .toList();
    if (found.isEmpty() && ref.text("parameterNotFoundAction", "").equals("Deny")) {
      throw new ParamsException(
          "no params found for policy binding with `Deny` parameterNotFoundAction");
    }
    return found.stream().map(resource::served).toList();
  }

  private static String namespace(Resource resource, JsonObject ref, String ofRequest)
      throws ParamsException {
    String named = ref.text("namespace", "");
    if (!resource.isNamespaced()) {
      if (!named.isEmpty()) {
        throw new ParamsException(
            "paramRef.namespace must not be provided for a cluster-scoped `paramKind`");
      }
      return "";
    }
    if (named.isEmpty() && ofRequest.isEmpty()) {
      throw new ParamsException(
          "cannot use namespaced paramRef in policy binding that matches cluster-scoped resources");
    }
    return named.isEmpty() ? ofRequest : named;
  }

  private Optional<Resource> resource(JsonObject kind) {
    String apiVersion = kind.text("apiVersion", "");
    int slash = apiVersion.indexOf('/');
    GroupVersion version =
        new GroupVersion(
            slash < 0 ? "" : apiVersion.substring(0, slash), apiVersion.substring(slash + 1));
    return registry.catalog().resources(version).stream()
        .filter(resource -> resource.kind().kind().equals(kind.text("kind", "")))
        .findFirst();
  }

  private List<JsonObject> select(Resource resource, String namespace, LabelSelector selector) {
    return registry.list(resource, ListOptions.of(Selection.in(namespace))).entries().stream()
        .map(entry -> StoredEncoding.tree(resource, entry))
        .filter(tree -> selector.matches(Metadata.of(tree).labels()))
        .toList();
  }
}
