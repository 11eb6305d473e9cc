package dev.berth.sim;

import dev.berth.client.Api;
import dev.berth.client.ApiError;
import dev.berth.client.ApiRequest;
import dev.berth.client.ApiResult;
import dev.berth.client.ApiWatch;
import dev.berth.client.ListRequest;
import dev.berth.client.ListResult;
import dev.berth.client.WatchRequest;
import dev.berth.model.tree.JsonObject;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;

/**
 * A server that sometimes does not answer, having done what it was asked or not; that is sometimes
 * too busy, or says that somebody else was first; and whose watches sometimes end, or have lost
 * their place.
 */
public final class FaultyApi implements Api {
  private final Api real;
  private final RandomGenerator random;
  private boolean faulty = true;

  public FaultyApi(Api real, RandomGenerator random) {
    this.real = real;
    this.random = random;
  }

  public void heal() {
    setFaulty(false);
  }

  /** Whether it fails now and then from now on. */
  public void setFaulty(boolean now) {
    faulty = now;
  }

  private boolean oneIn(int chances) {
    return faulty && random.nextInt(chances) == 0;
  }

  @Override
  public ApiResult send(ApiRequest request) {
    if (oneIn(20)) {
      return new ApiResult.Unreachable("the request was lost");
    }
    if (oneIn(20)) {
      return new ApiResult.Refused(refusal());
    }
    ApiResult result = real.send(request);
    return oneIn(20) ? new ApiResult.Unreachable("the answer was lost") : result;
  }

  private ApiError refusal() {
    return switch (random.nextInt(4)) {
      case 0 -> ApiError.of(429, "too many requests").retryAfter(Duration.ofSeconds(1));
      case 1 -> new ApiError(409, "Conflict", "changed", Optional.empty(), JsonObject.EMPTY);
      default -> ApiError.of(500, "too busy");
    };
  }

  @Override
  public ListResult list(ListRequest request) {
    return oneIn(20) ? new ApiResult.Unreachable("no list") : real.list(request);
  }

  @Override
  public ApiWatch watch(WatchRequest request, Runnable onReady) {
    ApiWatch watch = real.watch(request, onReady);
    return new ApiWatch() {
      @Override
      public Poll poll(int limit) {
        if (oneIn(100)) {
          return oneIn(2) ? new Poll.Expired("lost") : new Poll.Ended();
        }
        Poll poll = watch.poll(oneIn(2) ? 1 : limit);
        if (poll instanceof Poll.Events(List<Event> events, String revision)
            && !events.isEmpty()
            && oneIn(10)) {
          // What was told is told once more.
          return new Poll.Events(
              Stream.concat(events.stream(), events.stream()).toList(), revision);
        }
        return poll;
      }

      @Override
      public void close() {
        watch.close();
      }
    };
  }
}
