package dev.berth.controllers.reconcile;

import dev.berth.client.ApiResult;
import dev.berth.model.meta.Metadata;
import dev.berth.model.tree.JsonObject;
import dev.berth.policy.reconcile.Note;
import java.util.List;

/**
 * Creates and deletes the pods of an object, and tells of it as upstream's pod control does. An
 * object of few pods has an event for each; one of many has one that counts them.
 */
public final class PodControl {
  public static final String FAILED_CREATE = "FailedCreate";
  public static final String FAILED_DELETE = "FailedDelete";
  private static final int FEW = 20;

  private PodControl() {}

  /**
   * Creates pods.
   *
   * @param wanted how many the object is to have at a time
   */
  public static void create(Reconciliation run, List<JsonObject> drafts, long wanted) {
    run.create(
        drafts,
        result -> {
          switch (result) {
            case ApiResult.Done(JsonObject pod) ->
                tell(run, pod, wanted, "SuccessfulCreate", "Create", "Created pod: ");
            case ApiResult.Failure why -> {
              if (!why.isNamespaceGoing()) {
                String message = "Error creating: " + why.message();
                run.event(Note.warning(FAILED_CREATE, message), "Create");
              }
              run.fail(FAILED_CREATE, why);
            }
          }
        });
  }

  /** Deletes pods. */
  public static void delete(Reconciliation run, List<JsonObject> pods, long wanted) {
    pods.forEach(pod -> run.delete(pod, result -> deleted(run, pod, wanted, result)));
  }

  /**
   * A deletion was answered. That a pod is gone is as good; a conflict says that it is not the one
   * that was seen, and is tried again without a word.
   */
  public static void deleted(Reconciliation run, JsonObject pod, long wanted, ApiResult result) {
    switch (result) {
      case ApiResult.Done _ ->
          tell(run, pod, wanted, "SuccessfulDelete", "Delete", "Deleted pod: ");
      case ApiResult.Failure why -> {
        if (why.isNotFound()) {
          return;
        }
        if (!why.isConflict()) {
          run.event(Note.warning(FAILED_DELETE, "Error deleting: " + why.message()), "Delete");
        }
        run.fail(FAILED_DELETE, why);
      }
    }
  }

  private static void tell(
      Reconciliation run,
      JsonObject pod,
      long wanted,
      String reason,
      String action,
      String message) {
    run.event(
        wanted <= FEW ? pod : JsonObject.EMPTY,
        Note.normal(reason, message + Metadata.of(pod).name()),
        action);
  }
}
