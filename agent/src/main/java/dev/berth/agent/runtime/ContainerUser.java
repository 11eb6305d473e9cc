package dev.berth.agent.runtime;

import java.util.List;

/**
 * Who the first process of a container was started as.
 *
 * @param groups that it is in beside its own
 */
public record ContainerUser(long user, long group, List<Long> groups) {
  public ContainerUser {
    groups = List.copyOf(groups);
  }
}
