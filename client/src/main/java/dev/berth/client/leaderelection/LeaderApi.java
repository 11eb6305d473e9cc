package dev.berth.client.leaderelection;

import dev.berth.client.Api;
import dev.berth.client.ApiError;
import dev.berth.client.ApiRequest;
import dev.berth.client.ApiResult;
import dev.berth.client.ApiWatch;
import dev.berth.client.ListRequest;
import dev.berth.client.ListResult;
import dev.berth.client.WatchRequest;
import dev.berth.model.leader.LeaderTerm;
import dev.berth.model.tree.JsonObject;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Supplier;

/**
 * The API for what is run by the leader in one term. Its writes name the term, events included, so
 * that a server of Berth refuses them when it is over; before it has begun and once this process
 * knows that it is over, they are not even sent. The components of the next term have another one.
 */
final class LeaderApi implements Api {
  private static final int PRECONDITION_FAILED = 412;

  private final Api api;
  private final Supplier<Optional<LeaderTerm>> term;
  private final BiConsumer<LeaderTerm, String> onOver;

  /**
   * @param term empty while this process does not lead
   * @param onOver told that a server knows that the term is over, and in what words
   */
  LeaderApi(Api api, Supplier<Optional<LeaderTerm>> term, BiConsumer<LeaderTerm, String> onOver) {
    this.api = api;
    this.term = term;
    this.onOver = onOver;
  }

  @Override
  public ApiResult send(ApiRequest request) {
    if (request.isRead()) {
      return api.send(request);
    }
    Optional<LeaderTerm> now = term.get();
    if (now.isEmpty()) {
      return new ApiResult.Refused(
          new ApiError(
              PRECONDITION_FAILED,
              LeaderTerm.OVER,
              "This process does not lead; nothing was sent.",
              Optional.empty(),
              JsonObject.EMPTY));
    }
    ApiResult result = api.send(new ApiRequest.ByLeader(request, now.get()));
    if (result instanceof ApiResult.Refused(ApiError error) && error.isTermOver()) {
      onOver.accept(now.get(), error.message());
    }
    return result;
  }

  @Override
  public ListResult list(ListRequest request) {
    return api.list(request);
  }

  @Override
  public ApiWatch watch(WatchRequest request, Runnable onReady) {
    return api.watch(request, onReady);
  }
}
