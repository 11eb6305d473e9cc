package dev.berth.apiserver.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.client.Api;
import dev.berth.client.ApiWatch;
import dev.berth.client.ApiWatch.Event;
import dev.berth.client.ApiWatch.Poll;
import dev.berth.client.WatchRequest;
import dev.berth.model.meta.Metadata;
import dev.berth.model.tree.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/** Polls a watch, waiting to be told. */
final class Watched implements AutoCloseable {
  private final Semaphore told = new Semaphore(0);
  private final ApiWatch watch;

  Watched(Api api, WatchRequest request) {
    watch = api.watch(request, told::release);
  }

  /** The next result that says something. */
  Poll next(int limit) throws InterruptedException {
    while (true) {
      Poll poll = watch.poll(limit);
      if (!(poll instanceof Poll.Events(List<Event> events, String _)) || !events.isEmpty()) {
        return poll;
      }
      assertThat(told.tryAcquire(120, TimeUnit.SECONDS)).isTrue();
    }
  }

  /** The next events, this many of them, as texts. */
  List<String> take(int count) throws InterruptedException {
    List<String> taken = new ArrayList<>();
    while (taken.size() < count) {
      assertThat(next(2))
          .isInstanceOfSatisfying(
              Poll.Events.class,
              events -> {
                assertThat(events.events()).hasSizeLessThanOrEqualTo(2);
                events.events().forEach(event -> taken.add(text(event)));
              });
    }
    return taken;
  }

  private String text(Event event) {
    JsonObject object = event.object();
    assertThat(object.text("kind")).isEqualTo("ConfigMap");
    return event.change()
        + " "
        + Metadata.of(object).name()
        + " "
        + object.object("data").text("key");
  }

  @Override
  public void close() {
    watch.close();
  }
}
