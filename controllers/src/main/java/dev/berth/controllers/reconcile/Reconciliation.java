package dev.berth.controllers.reconcile;

import dev.berth.client.ApiResult;
import dev.berth.client.DeleteOptions;
import dev.berth.client.event.EventRecorder;
import dev.berth.model.meta.Metadata;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonObject;
import dev.berth.policy.reconcile.Note;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * One object being reconciled: what is asked of the server for it, and how that ends.
 *
 * <p>Requests run beside the loop, and what follows them on it. A step ends with the last of its
 * requests. What the server answered about owned objects counts from then on, before the watch
 * tells of it.
 */
public final class Reconciliation {
  private final ReconcilerFrame<?, ?, ?> frame;
  private JsonObject object;
  private Outcome outcome = Outcome.GOES_ON;
  private Optional<Failed> failure = Optional.empty();
  private boolean isDoneAgain;
  private boolean isWritten;
  private int underWay;
  private Runnable next = () -> {};

  enum Outcome {
    GOES_ON,
    /** It ends here, and the object is reconciled again at once. */
    STARTS_OVER,
    /** It ends here, since there is no use in going on. */
    STOPPED,
    /** It ends here, and the object is reconciled again after a while. */
    FAILED
  }

  /**
   * What went wrong first.
   *
   * @param reason in one word, as events and conditions have it: {@code FailedCreate}
   */
  public record Failed(String reason, String message) {}

  Reconciliation(ReconcilerFrame<?, ?, ?> frame, JsonObject object) {
    this.frame = frame;
    this.object = object;
  }

  /** The object, as it is known now. */
  public JsonObject object() {
    return object;
  }

  void refresh(JsonObject now) {
    object = now;
  }

  /** Does something, and something else once the requests of that have ended. */
  void step(Runnable work, Runnable then) {
    underWay = 1;
    next = then;
    work.run();
    ended();
  }

  private void ended() {
    underWay--;
    if (underWay == 0) {
      next.run();
    }
  }

  /** Makes a request, and then does something with its result. */
  public <T> void request(Supplier<T> request, Consumer<T> then) {
    frame.requests().run(request, awaited(then));
  }

  /** Has the step wait for something that others do, until this is told its result on the loop. */
  public <T> Consumer<T> awaited(Consumer<T> then) {
    underWay++;
    return result -> {
      then.accept(result);
      ended();
    };
  }

  /** Creates an object to be owned. */
  public void create(JsonObject draft, Consumer<ApiResult> then) {
    request(
        () -> frame.api().create(frame.ownedResource().resource(), draft),
        result -> created(result, then));
  }

  /** Creates objects to be owned, by and by: few in vain if the first shows that they fail. */
  public void create(List<JsonObject> drafts, Consumer<ApiResult> then) {
    underWay++;
    // Read beside the loop, by several calls at once.
    ConcurrentLinkedQueue<JsonObject> left = new ConcurrentLinkedQueue<>(drafts);
    SlowStart.run(
        frame.requests(),
        drafts.size(),
        () -> frame.api().create(frame.ownedResource().resource(), left.remove()),
        result -> created(result, then),
        _ -> ended());
  }

  private void created(ApiResult result, Consumer<ApiResult> then) {
    if (result instanceof ApiResult.Done(JsonObject made)) {
      frame.owned().created(made);
      if (outcome != Outcome.STOPPED && !frame.ownedResource().isRecognised(object, made)) {
        event(made, notRecognised(made), "Create");
        end(Outcome.STOPPED);
      }
    } else if (result.mayBeDone()) {
      frame.ownedResource().creationInDoubt(object);
    }
    then.accept(result);
  }

  private Note notRecognised(JsonObject made) {
    return Note.warning(
        "CreatedNotOwned",
        "Created %s, which the selector does not select or which lost its owner: nothing more is"
                .formatted(Metadata.of(made).name())
            + " created until the specification changes");
  }

  /** Replaces an owned object. */
  public void update(JsonObject changed, Consumer<ApiResult> then) {
    request(
        () -> frame.api().update(frame.ownedResource().resource(), changed),
        result -> {
          if (result instanceof ApiResult.Done(JsonObject written)) {
            frame.owned().written(written);
          }
          then.accept(result);
        });
  }

  /** Deletes an owned object, and no other that has its name by then. */
  public void delete(JsonObject object, Consumer<ApiResult> then) {
    delete(object, DeleteOptions.NONE, then);
  }

  public void delete(JsonObject object, DeleteOptions options, Consumer<ApiResult> then) {
    DeleteOptions only = options.onlyUid(Metadata.of(object).uid());
    request(
        () -> frame.api().delete(frame.ownedResource().resource(), ObjectName.of(object), only),
        result -> {
          deleted(object, result);
          then.accept(result);
        });
  }

  /** Takes note of what became of the deletion of an owned object. */
  public void deleted(JsonObject going, ApiResult result) {
    if (result.isDone()) {
      frame.owned().deleted(going);
    } else if (result.isNotFound()) {
      frame.owned().gone(going);
    } else if (result.mayBeDone()) {
      frame.ownedResource().deletionInDoubt(Metadata.of(object).uid(), going);
    }
  }

  /** Writes the object's status, if it has changed. */
  public void writeStatus(JsonObject changed) {
    writeStatus(changed, () -> {});
  }

  void writeStatus(JsonObject changed, Runnable written) {
    isWritten = changed.equals(object);
    if (isWritten) {
      return;
    }
    underWay++;
    frame
        .statuses()
        .run(
            () -> frame.api().updateStatus(frame.kind().resource(), changed),
            result -> {
              switch (result) {
                case ApiResult.Done(JsonObject now) -> {
                  isWritten = true;
                  frame.objects().written(frame.kind().named(now));
                  written.run();
                }
                case ApiResult.Failure why -> {
                  if (why.isNotFound()) {
                    end(Outcome.STOPPED);
                  } else {
                    fail("FailedUpdate", why);
                  }
                }
              }
              ended();
            });
  }

  /** Whether the status is as it was to be. */
  boolean isWritten() {
    return isWritten;
  }

  /**
   * A request failed: the object is reconciled again after a while. In a namespace that is being
   * deleted nothing can be created, and nothing need be: then it ends here.
   *
   * @param reason in one word, as events and conditions have it: {@code FailedCreate}
   */
  public void fail(String reason, ApiResult.Failure why) {
    if (why.isNamespaceGoing()) {
      end(Outcome.STOPPED);
    } else {
      if (failure.isEmpty()) {
        failure = Optional.of(new Failed(reason, why.message()));
      }
      end(Outcome.FAILED);
    }
  }

  /** The same if a request has failed at all: that an object is gone is as good. */
  public void failUnlessGone(String reason, ApiResult result) {
    if (result instanceof ApiResult.Failure why && !why.isNotFound()) {
      fail(reason, why);
    }
  }

  /** What was done turned out to be moot: the object is reconciled again after a while. */
  public void retry() {
    end(Outcome.FAILED);
  }

  /** What was decided on has changed: it ends here, and the object is reconciled again at once. */
  public void startOver() {
    end(Outcome.STARTS_OVER);
  }

  /** The worst counts. */
  private void end(Outcome how) {
    if (how.compareTo(outcome) > 0) {
      outcome = how;
    }
  }

  /** The object is reconciled again once this has ended. */
  void again() {
    isDoneAgain = true;
  }

  /**
   * Nothing more comes of the action until something is heard, or until the time that was decided:
   * the object is not reconciled again at once.
   */
  public void waitForNews() {
    isDoneAgain = false;
  }

  boolean isDoneAgain() {
    return isDoneAgain;
  }

  Outcome outcome() {
    return outcome;
  }

  public boolean hasFailed() {
    return outcome == Outcome.FAILED;
  }

  /** What went wrong first. */
  public Optional<Failed> failure() {
    return failure;
  }

  /** Tells of the object by an event. */
  public void event(Note note, String action) {
    event(JsonObject.EMPTY, note, action);
  }

  /**
   * The same where another object took part.
   *
   * @param action what was done or tried, in one word
   */
  public void event(JsonObject related, Note note, String action) {
    EventRecorder.Type type =
        note.isWarning() ? EventRecorder.Type.WARNING : EventRecorder.Type.NORMAL;
    frame
        .events()
        .record(
            new EventRecorder.EventDetails(
                object, related, type, note.reason(), action, note.message()));
  }

  /** A line in the log, for something that is done about the object. */
  void log(Supplier<String> reason) {
    frame.log(object, reason);
  }
}
