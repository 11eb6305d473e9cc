package dev.berth.serving.request;

import dev.berth.access.Action;
import java.util.Set;

/** What matters about requests before anything else is known of them. */
public final class RequestKinds {
  private static final Set<String> READING = Set.of("get", "list", "watch");
  private static final Set<String> LONG_RUNNING =
      Set.of("attach", "exec", "log", "portforward", "proxy");

  private RequestKinds() {}

  public static boolean isMutating(Action action) {
    return !READING.contains(action.verb());
  }

  public static boolean isWatch(Action action) {
    return action instanceof Action.OnResource && action.verb().equals("watch");
  }

  /** Whether it lasts for as long as its client likes, and costs little meanwhile. */
  public static boolean isLongRunning(Action action) {
    return action.verb().equals("proxy")
        || (action instanceof Action.OnResource on && LONG_RUNNING.contains(on.subresource()));
  }
}
