package dev.berth.controllers.history;

import dev.berth.client.Api;
import dev.berth.client.ApiResult;
import dev.berth.client.Resources;
import dev.berth.controllers.owned.Adoption;
import dev.berth.model.meta.Metadata;
import dev.berth.model.resource.GroupVersionResource;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonObject;
import dev.berth.policy.history.Revision;
import dev.berth.policy.history.RevisionData;
import dev.berth.policy.history.RevisionDraft;
import dev.berth.policy.history.RevisionHash;
import dev.berth.policy.history.RevisionPlan;
import dev.berth.policy.owner.Ownership;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The requests that bring a set's revisions up to date, one after the other, beside the loop: first
 * those of others are let go and orphans are adopted, then the template's revision is made the
 * latest.
 */
public final class HistorySync {
  private final Api api;
  private final Adoption adoption;
  private final String hashLabel;
  private final JsonObject set;
  private final Ownership ownership;
  private final List<JsonObject> owned;
  private final List<Write> written = new ArrayList<>();

  /** How it ended. */
  public sealed interface Outcome {}

  /**
   * The template's revision is the latest.
   *
   * @param same all revisions of that template; more than one if some were adopted
   */
  public record Current(Revision current, List<Revision> same) implements Outcome {}

  /** The name that the revision would have is that of another. */
  public record Collision(String name) implements Outcome {}

  /** Something was not done. */
  public record Failed(ApiResult.Failure why) implements Outcome {}

  /** A revision before and after a request; null if there was none before. */
  record Write(@Nullable JsonObject before, JsonObject after) {}

  HistorySync(
      Api api, GroupVersionResource sets, String hashLabel, JsonObject set, Ownership ownership) {
    this.api = api;
    this.adoption = new Adoption(api, sets, Resources.CONTROLLER_REVISIONS);
    this.hashLabel = hashLabel;
    this.set = set;
    this.ownership = ownership;
    this.owned = new ArrayList<>(ownership.owned());
  }

  /** What was written, to be asked once it has run. */
  List<Write> written() {
    return written;
  }

  /** Does it. Blocks. */
  Outcome run(long collisions) {
    ApiResult.Failure failure = claim();
    if (failure != null) {
      return new Failed(failure);
    }
    JsonObject template = set.object("spec").object("template");
    List<Revision> known = owned.stream().map(Revision::read).toList();
    return switch (RevisionPlan.decide(template, known)) {
      case RevisionPlan.Keep(Revision current) -> current(current.tree());
      case RevisionPlan.Renumber(Revision revision, long number) -> renumber(revision, number);
      case RevisionPlan.Create(long number) -> create(template, collisions, number);
    };
  }

  private ApiResult.@Nullable Failure claim() {
    for (JsonObject revision : ownership.release()) {
      ApiResult result = adoption.release(Metadata.of(set).uid(), revision);
      if (result instanceof ApiResult.Failure why) {
        return why;
      }
    }
    for (JsonObject revision : ownership.adopt()) {
      switch (adoption.adopt(set, revision)) {
        case ApiResult.Done(JsonObject adopted) -> {
          owned.add(adopted);
          written.add(new Write(revision, adopted));
        }
        case ApiResult.Failure why -> {
          return why;
        }
      }
    }
    return null;
  }

  private Outcome renumber(Revision revision, long number) {
    JsonObject changed = revision.tree().with("revision", number);
    return switch (api.update(Resources.CONTROLLER_REVISIONS, changed)) {
      case ApiResult.Done(JsonObject after) -> {
        owned.remove(revision.tree());
        owned.add(after);
        written.add(new Write(revision.tree(), after));
        yield current(after);
      }
      case ApiResult.Failure why -> new Failed(why);
    };
  }

  private Outcome create(JsonObject template, long collisions, long number) {
    String hash = RevisionHash.of(template, collisions);
    JsonObject draft = RevisionDraft.of(set, template, hashLabel, hash, number);
    ApiResult result = api.create(Resources.CONTROLLER_REVISIONS, draft);
    if (result.isAlreadyExists()) {
      // It may have been made by a request whose answer was lost, or before a crash.
      result = api.get(Resources.CONTROLLER_REVISIONS, ObjectName.of(draft));
      if (result instanceof ApiResult.Done(JsonObject found) && !isOurs(found, template)) {
        return new Collision(ObjectName.of(draft).name());
      }
    }
    return switch (result) {
      case ApiResult.Done(JsonObject revision) -> {
        owned.add(revision);
        written.add(new Write(null, revision));
        yield current(revision);
      }
      case ApiResult.Failure why -> new Failed(why);
    };
  }

  private boolean isOurs(JsonObject found, JsonObject template) {
    return Metadata.of(found).isControlledBy(Metadata.of(set).uid())
        && RevisionData.matches(found.object("data"), template);
  }

  private Outcome current(JsonObject revision) {
    JsonObject template = set.object("spec").object("template");
    List<Revision> same =
        owned.stream()
            .map(Revision::read)
            .filter(r -> RevisionData.matches(r.data(), template))
            .toList();
    return new Current(Revision.read(revision), same);
  }
}
