package dev.berth.registry;

import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import dev.berth.model.user.User;
import dev.berth.registry.admission.AdmissionNotices;
import dev.berth.registry.admission.AdmissionRequest.Operation;

/**
 * The options of a write.
 *
 * @param dryRun whether everything happens but the write itself
 * @param subresource what of the object is written: empty for all but the status
 * @param fieldManager who comes to own the fields that change; empty for nobody
 * @param user who writes, for admission plugins
 * @param notices receives what admission plugins report
 * @param isPatch whether a patch was sent rather than an object
 */
public record WriteOptions(
    boolean dryRun,
    String subresource,
    String fieldManager,
    User user,
    AdmissionNotices notices,
    boolean isPatch) {
  public static final WriteOptions DEFAULT = new WriteOptions(false, "", "", User.SERVER);

  public WriteOptions(boolean dryRun, String subresource, String fieldManager, User user) {
    this(dryRun, subresource, fieldManager, user, AdmissionNotices.NONE);
  }

  public WriteOptions(
      boolean dryRun,
      String subresource,
      String fieldManager,
      User user,
      AdmissionNotices notices) {
    this(dryRun, subresource, fieldManager, user, notices, false);
  }

  /** The same, of a patch. */
  public WriteOptions patch() {
    return new WriteOptions(dryRun, subresource, fieldManager, user, notices, true);
  }

  public WriteOptions subresource(String name) {
    return new WriteOptions(dryRun, name, fieldManager, user, notices, isPatch);
  }

  /** The same, with no name on anything: whoever wrote has put it there. */
  public WriteOptions untracked() {
    return new WriteOptions(dryRun, subresource, "", user, notices, isPatch);
  }

  /** Kubernetes' CreateOptions or UpdateOptions; nothing for a connection. */
  JsonObject toTree(Operation operation) {
    if (operation == Operation.CONNECT) {
      return JsonObject.EMPTY;
    }
    JsonObject.Builder tree =
        new JsonObject.Builder()
            .put("kind", operation == Operation.CREATE ? "CreateOptions" : "UpdateOptions")
            .put("apiVersion", "meta.k8s.io/v1");
    if (dryRun) {
      tree.put("dryRun", JsonArray.of("All"));
    }
    if (!fieldManager.isEmpty()) {
      tree.put("fieldManager", fieldManager);
    }
    return tree.build();
  }
}
