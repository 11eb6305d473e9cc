package dev.berth.apiserver.api;

import dev.berth.client.Api;
import dev.berth.client.ApiError;
import dev.berth.client.ApiRequest;
import dev.berth.client.ApiResult;
import dev.berth.client.ApiWatch;
import dev.berth.client.ListRequest;
import dev.berth.client.ListResult;
import dev.berth.client.WatchRequest;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** An API that breaks when it is told to, and counts what it is asked. */
final class BrokenApi implements Api {
  private final Api whole;
  private final List<Breakable> watches = new ArrayList<>();
  private ApiResult.@Nullable Failure failure;
  private boolean losesAnswers;

  int sent;
  final List<Instant> lists = new ArrayList<>();
  final List<Instant> watched = new ArrayList<>();
  Supplier<Instant> clock = () -> Instant.EPOCH;

  BrokenApi(Api whole) {
    this.whole = whole;
  }

  void unreachable() {
    failure = new ApiResult.Unreachable("cut off");
  }

  void refusing(int code, Duration retryAfter) {
    failure = new ApiResult.Refused(ApiError.of(code, "not now").retryAfter(retryAfter));
  }

  /** Requests are carried out, and look as if they had not arrived. */
  void losesAnswers() {
    unreachable();
    losesAnswers = true;
  }

  void mended() {
    failure = null;
    losesAnswers = false;
  }

  /** Ends all watches that are open, as a server does. */
  void endWatches(ApiWatch.Poll how) {
    List.copyOf(watches).forEach(watch -> watch.end(how));
  }

  int openWatches() {
    return watches.size();
  }

  @Override
  public ApiResult send(ApiRequest request) {
    sent++;
    if (losesAnswers) {
      whole.send(request);
    }
    return failure == null ? whole.send(request) : failure;
  }

  @Override
  public ListResult list(ListRequest request) {
    lists.add(clock.get());
    return failure == null ? whole.list(request) : failure;
  }

  @Override
  public ApiWatch watch(WatchRequest request, Runnable onReady) {
    watched.add(clock.get());
    Breakable watch = new Breakable(whole.watch(request, onReady), onReady);
    if (failure != null) {
      watch.how = new ApiWatch.Poll.Failed(failure);
    }
    watches.add(watch);
    return watch;
  }

  private final class Breakable implements ApiWatch {
    private final ApiWatch watch;
    private final Runnable onReady;
    private @Nullable Poll how;

    Breakable(ApiWatch watch, Runnable onReady) {
      this.watch = watch;
      this.onReady = onReady;
    }

    void end(Poll end) {
      how = end;
      onReady.run();
    }

    @Override
    public Poll poll(int limit) {
      return how == null ? watch.poll(limit) : how;
    }

    @Override
    public void close() {
      watches.remove(this);
      watch.close();
    }
  }
}
