package dev.berth.access;

import dev.berth.http.Exchange;
import java.util.Set;

/**
 * Turns away requests without proof where nobody is let in without. It is asked last, when nobody
 * else has found any.
 *
 * @param paths the only ones where they are let in; empty for all
 */
public record AnonymousAccess(boolean enabled, Set<String> paths) implements Authenticator {

  public AnonymousAccess {
    paths = Set.copyOf(paths);
  }

  @Override
  public Answer authenticate(Exchange exchange) {
    return enabled && (paths.isEmpty() || paths.contains(exchange.path()))
        ? new Answer.NoProof()
        : new Answer.Rejected("anonymous requests are not let in here");
  }
}
