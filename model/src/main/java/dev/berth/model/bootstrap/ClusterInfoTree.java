package dev.berth.model.bootstrap;

import dev.berth.model.tree.JsonObject;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The ConfigMap {@code cluster-info} in {@code kube-public}: a kubeconfig that says where the
 * cluster is and whom to trust, and signatures of it.
 */
public record ClusterInfoTree(JsonObject tree) {
  public static final String NAMESPACE = "kube-public";
  public static final String NAME = "cluster-info";

  /** The field with the kubeconfig. */
  public static final String KUBECONFIG = "kubeconfig";

  /** The beginning of the fields with signatures; the token's id follows. */
  private static final String SIGNATURE = "jws-kubeconfig-";

  public Optional<String> kubeconfig() {
    return Optional.ofNullable(tree.object("data").text(KUBECONFIG));
  }

  /** By the ids of tokens. */
  public SortedMap<String, String> signatures() {
    JsonObject data = tree.object("data");
    SortedMap<String, String> signatures = new TreeMap<>();
    for (int i = 0; i < data.size(); i++) {
      if (data.name(i).startsWith(SIGNATURE)) {
        signatures.put(data.name(i).substring(SIGNATURE.length()), data.text(data.name(i), ""));
      }
    }
    return signatures;
  }

  /** The same with these signatures and no others. */
  public JsonObject withSignatures(Map<String, String> signatures) {
    JsonObject data = tree.object("data");
    for (String id : signatures().keySet()) {
      data = data.without(SIGNATURE + id);
    }
    for (Map.Entry<String, String> signature : signatures.entrySet()) {
      data = data.with(SIGNATURE + signature.getKey(), signature.getValue());
    }
    return tree.with("data", data);
  }
}
