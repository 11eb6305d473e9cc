package dev.berth.cli.drain;

import dev.berth.client.Api;
import dev.berth.client.ApiResult;
import dev.berth.client.ListRequest;
import dev.berth.client.informer.Cache;
import dev.berth.model.resource.GroupVersionResource;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonObject;
import dev.berth.time.Loop;
import dev.berth.time.Time;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Predicate;

/** One object that somebody waits for, and is told of all its changes meanwhile. */
record FollowedObject(Api api, Time time, GroupVersionResource resource, ObjectName name) {

  /** How waiting ended. */
  sealed interface Ended {}

  /** The object is as it was to be. */
  record AsWanted(JsonObject object) implements Ended {}

  /** It was deleted. */
  record Gone() implements Ended {}

  /** It took too long. */
  record TimedOut() implements Ended {}

  /**
   * Waits.
   *
   * @param wanted told each state, on a thread of its own; whether that is what was waited for
   * @param within how soon it must come; empty to wait for ever
   * @param picked whether the object was seen in a state that makes waiting worthwhile: then {@code
   *     within} no longer counts
   */
  Ended await(Predicate<JsonObject> wanted, Optional<Duration> within, Predicate<JsonObject> picked)
      throws InterruptedException {
    AtomicReference<Ended> ended = new AtomicReference<>(new TimedOut());
    CountDownLatch over = new CountDownLatch(1);
    Loop loop = time.start("follow");
    boolean[] isPicked = {false};
    ListRequest what = ListRequest.of(resource).fields("metadata.name=" + name.name());
    Cache cache =
        new Cache(
            api,
            loop,
            time,
            what,
            new Cache.Listener() {
              @Override
              public void added(JsonObject object) {
                isPicked[0] |= picked.test(object);
                if (over.getCount() > 0 && wanted.test(object)) {
                  ended.set(new AsWanted(object));
                  over.countDown();
                }
              }

              @Override
              public void changed(JsonObject before, JsonObject after) {
                added(after);
              }

              @Override
              public void removed(JsonObject last) {
                ended.set(new Gone());
                over.countDown();
              }

              @Override
              public void failed(ApiResult.Failure why) {}
            });
    cache.start();
    within.ifPresent(patience ->
        loop.after(
            patience,
            () -> {
              if (!isPicked[0]) {
                over.countDown();
              }
            }));
    over.await();
    cache.close();
    loop.close();
    return ended.get();
  }
}
