package dev.berth.controllers.reconcile;

import dev.berth.client.ApiResult;
import dev.berth.client.BoundedRequests;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Makes many requests that are alike, so that few are made in vain if the first shows that they
 * fail: for want of quota, say.
 *
 * <ol>
 *   <li>It begins with one. Each that succeeds makes room for two more, so that their number
 *       doubles with each round, and nothing waits for a whole round to end.
 *   <li>After one has failed none is begun; those under way are waited for.
 * </ol>
 *
 * <p>It lives on its controller's loop; all methods are for that loop's tasks.
 */
public final class SlowStart {
  /** How many may be under way; more would only wait elsewhere. */
  private static final long MOST = 512;

  private final BoundedRequests bounded;
  private final Supplier<ApiResult> request;
  private final Consumer<ApiResult> answered;
  private final Consumer<Optional<ApiResult.Failure>> ended;
  private long left;
  private long underWay;
  private long room = 1;
  private ApiResult.@Nullable Failure failure;

  private SlowStart(
      BoundedRequests bounded,
      long count,
      Supplier<ApiResult> request,
      Consumer<ApiResult> answered,
      Consumer<Optional<ApiResult.Failure>> ended) {
    this.bounded = bounded;
    this.left = count;
    this.request = request;
    this.answered = answered;
    this.ended = ended;
  }

  /**
   * Makes a request so many times.
   *
   * @param request runs beside the loop, and may block
   * @param answered told each answer
   * @param ended told at the end the first failure, if there was one
   */
  public static void run(
      BoundedRequests bounded,
      long count,
      Supplier<ApiResult> request,
      Consumer<ApiResult> answered,
      Consumer<Optional<ApiResult.Failure>> ended) {
    new SlowStart(bounded, count, request, answered, ended).send();
  }

  private void send() {
    while (failure == null && left > 0 && underWay < room) {
      left--;
      underWay++;
      bounded.run(request, this::take);
    }
    if (underWay == 0) {
      ended.accept(Optional.ofNullable(failure));
    }
  }

  private void take(ApiResult result) {
    underWay--;
    switch (result) {
      case ApiResult.Done _ -> room = Math.min(MOST, room + 1);
      case ApiResult.Failure why -> failure = failure == null ? why : failure;
    }
    answered.accept(result);
    send();
  }
}
