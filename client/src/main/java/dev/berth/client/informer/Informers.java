package dev.berth.client.informer;

import dev.berth.client.Api;
import dev.berth.client.ListRequest;
import dev.berth.time.Loop;
import dev.berth.time.Time;

/** Where a component's watches come from: a cache of its own, or one that many share. */
public interface Informers {

  /**
   * Tells a listener of objects, those that are there and then all changes, by tasks of its loop.
   * May be called by any thread.
   */
  Following follow(ListRequest what, Loop loop, Cache.Listener listener);

  /** What a listener follows, until it is closed by a task of its loop. */
  interface Following extends AutoCloseable {
    @Override
    void close();

    /**
     * Does at once what is to be tried again after a while, because the server is known to answer;
     * by a task of the loop. What is shared waits for nobody in particular, and goes on waiting.
     */
    default void retryNow() {}
  }

  /** Gives each listener a cache of its own. */
  static Informers separate(Api api, Time time) {
    return (what, loop, listener) -> {
      Cache cache = new Cache(api, loop, time, what, listener);
      cache.start();
      return cache;
    };
  }
}
