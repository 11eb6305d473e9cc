package dev.berth.agent.objects;

import dev.berth.client.Api;
import dev.berth.time.Loop;
import dev.berth.time.Time;
import java.util.function.Consumer;

/** All that pods of this node need of the server. */
public record NodeObjects(
    WatchedObjects watched, ServiceAccountTokens tokens, VolumeObjects volumes)
    implements AutoCloseable {

  /**
   * What a node reads through its own access to the server.
   *
   * @param changed told the uid of a pod by a task of the loop when something has changed that the
   *     pod refers to
   */
  public static NodeObjects of(Api api, Time time, Loop loop, Consumer<String> changed) {
    return new NodeObjects(
        new WatchedObjects(api, time, loop, changed),
        new ServiceAccountTokens(api, time),
        new VolumeObjects(api));
  }

  /** Forgets what only this pod needed. */
  public void release(String podUid) {
    watched.release(podUid);
    tokens.release(podUid);
  }

  @Override
  public void close() {
    watched.close();
  }
}
