package dev.berth.controllers.reconcile;

import dev.berth.client.ApiResult;
import dev.berth.client.Backoff;
import dev.berth.client.BoundedRequests;
import dev.berth.time.Loop;
import dev.berth.time.Time;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Requests that are tried until they are done or pointless. Whether one is pointless, and what to
 * ask for, is decided anew before each try, so that nothing is done because of what was true when
 * the request began to wait.
 *
 * <p>Lives on its controller's loop; all methods are for that loop's tasks.
 */
public final class RetryingRequests {
  private final Loop loop;
  private final Time time;
  private final BoundedRequests requests;
  private final RandomGenerator random;

  /** What a retrying request is for. All methods are run on the loop. */
  public interface Task {
    /**
     * Decides, right before each try, and again as soon as one has failed.
     *
     * @return the request, which runs beside the loop and may block; empty if there is nothing left
     *     to do: that ends the request
     */
    Optional<Supplier<ApiResult>> next();

    /** The request was done, which ends the request. */
    void done();

    /**
     * The request failed; it will be tried again.
     *
     * @param delay after this time
     */
    void failed(ApiResult.Failure why, Duration delay);
  }

  /**
   * @param atOnce how many calls may run at once
   */
  public RetryingRequests(Loop loop, Time time, int atOnce) {
    this.loop = loop;
    this.time = time;
    this.requests = new BoundedRequests(loop, atOnce);
    this.random = time.random("retrying " + loop.name());
  }

  /** A request that is yet to {@linkplain RetryingRequest#begin begin}. */
  public RetryingRequest make(Task task) {
    return new RetryingRequest(task);
  }

  /** How many wait for their turn or their answer; not those that failed and wait to try again. */
  public int size() {
    return requests.size();
  }

  private enum State {
    /** Waits for its turn, or for its answer. */
    SENT,
    /** Has failed, and waits to be tried again. */
    BACKS_OFF,
    ENDED
  }

  /** One task, and how it stands. */
  public final class RetryingRequest {
    private final Task task;
    private State state = State.SENT;
    private boolean asked;
    private boolean conflicted;
    private boolean changedSince;
    private @Nullable Backoff backoff;
    private Loop.@Nullable Timer retry;
    private Supplier<ApiResult> request = () -> new ApiResult.Unreachable("not asked");

    private RetryingRequest(Task task) {
      this.task = task;
    }

    /** Begins; its task may be asked at once. */
    public void begin() {
      send();
    }

    private void send() {
      state = State.SENT;
      asked = false;
      changedSince = false;
      requests.run(this::isWanted, () -> request.get(), this::answered);
    }

    private boolean isWanted() {
      if (state == State.ENDED || !decide()) {
        return false;
      }
      asked = true;
      return true;
    }

    private boolean decide() {
      Optional<Supplier<ApiResult>> next = task.next();
      next.ifPresentOrElse(wanted -> request = wanted, this::end);
      return next.isPresent();
    }

    private void end() {
      state = State.ENDED;
      if (retry != null) {
        retry.cancel();
        retry = null;
      }
    }

    private void answered(ApiResult result) {
      if (state == State.ENDED) {
        return;
      }
      switch (result) {
        case ApiResult.Done _ -> {
          end();
          task.done();
        }
        case ApiResult.Failure why -> {
          if (decide()) {
            tryLater(why);
          }
        }
      }
    }

    private void tryLater(ApiResult.Failure why) {
      conflicted = why.isConflict();
      if (conflicted && changedSince) {
        send();
        return;
      }
      if (backoff == null) {
        backoff = new Backoff(random);
      }
      Duration delay = backoff.failed(time.monotonicNow(), why);
      state = State.BACKS_OFF;
      retry = loop.after(delay, this::send);
      task.failed(why, delay);
    }

    /**
     * What the request is about has changed: whoever was refused because it had seen an older state
     * need not wait.
     */
    public void changed() {
      changedSince = true;
      if (conflicted) {
        retryNow();
      }
    }

    /** Tries again at once, if it has failed and waits. */
    public void retryNow() {
      if (state == State.BACKS_OFF && retry != null) {
        retry.cancel();
        send();
      }
    }

    /**
     * Gives up, unless its request is under way.
     *
     * @return whether it has ended; if not, its task is told how it ended, or asked again
     */
    public boolean cancel() {
      if (state != State.SENT || !asked) {
        end();
      }
      return state == State.ENDED;
    }
  }
}
