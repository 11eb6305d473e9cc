package dev.berth.controllers.history;

import dev.berth.client.Api;
import dev.berth.client.BoundedRequests;
import dev.berth.client.DeleteOptions;
import dev.berth.client.Resources;
import dev.berth.controllers.owned.OwnedObjects;
import dev.berth.model.meta.Metadata;
import dev.berth.model.resource.GroupVersionResource;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.selector.LabelSelector;
import dev.berth.model.tree.JsonObject;
import dev.berth.policy.history.Revision;
import dev.berth.policy.history.RevisionPlan;
import dev.berth.policy.owner.Ownership;
import dev.berth.time.Loop;
import dev.berth.time.Time;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The revisions of all sets of a controller. It hears of them, brings them up to date when asked
 * ({@link RevisionPlan} says how), and deletes the oldest when there are too many.
 *
 * <p>It lives on its controller's loop; all methods are for that loop's tasks.
 */
public final class Histories {
  private static final int AT_ONCE = 8;

  private final Api api;
  private final GroupVersionResource sets;
  private final String hashLabel;
  private final OwnedObjects revisions;
  private final BoundedRequests requests;

  /**
   * @param sets the resource of which the owners are
   * @param hashLabel the label of a revision that says its hash
   */
  public Histories(Api api, Loop loop, Time time, GroupVersionResource sets, String hashLabel) {
    this.api = api;
    this.sets = sets;
    this.hashLabel = hashLabel;
    this.revisions = new OwnedObjects(time);
    this.requests = new BoundedRequests(loop, AT_ONCE);
  }

  /** Takes note of what was heard of a revision. */
  public void changed(@Nullable JsonObject before, @Nullable JsonObject after) {
    revisions.changed(before, after);
  }

  /** The revisions that a set owns. */
  public List<Revision> of(JsonObject set) {
    return revisions.of(Metadata.of(set).uid()).stream()
        .filter(tree -> !revisions.isBeingDeleted(tree))
        .map(Revision::read)
        .toList();
  }

  /**
   * Makes the latest revision of a set be its template's.
   *
   * @param collisions how many hashes turned out to be taken
   * @param then told how it ended
   */
  public void sync(JsonObject set, long collisions, Consumer<HistorySync.Outcome> then) {
    Metadata owner = Metadata.of(set);
    LabelSelector selector = LabelSelector.fromTree(set.object("spec").get("selector"));
    List<JsonObject> known = new ArrayList<>();
    for (JsonObject tree : revisions.claimable(owner.uid(), owner.namespace())) {
      if (!revisions.isBeingDeleted(tree)) {
        known.add(tree);
      }
    }
    HistorySync sync =
        new HistorySync(api, sets, hashLabel, set, Ownership.of(set, selector, known));
    requests.run(
        () -> sync.run(collisions),
        outcome -> {
          sync.written().forEach(this::written);
          then.accept(outcome);
        });
  }

  /** What was written counts before it is heard of. */
  private void written(HistorySync.Write write) {
    if (write.before() == null) {
      revisions.created(write.after());
    } else {
      revisions.changed(write.before(), write.after());
    }
  }

  /**
   * Deletes revisions that are too many. What fails is tried again with the next call.
   *
   * @param used whether a revision is needed
   * @param failed told if one could not be deleted
   */
  public void truncate(JsonObject set, Predicate<Revision> used, Runnable failed) {
    long limit = set.object("spec").integer("revisionHistoryLimit").orElse(10);
    for (Revision revision : RevisionPlan.beyond(of(set), used, limit)) {
      revisions.deleted(revision.tree());
      ObjectName name = ObjectName.of(revision.tree());
      DeleteOptions only = DeleteOptions.NONE.onlyUid(revision.uid());
      requests.run(
          () -> api.delete(Resources.CONTROLLER_REVISIONS, name, only),
          result -> {
            if (!result.isDone() && !result.isNotFound()) {
              revisions.notDeleted(revision.tree());
              failed.run();
            }
          });
    }
  }
}
