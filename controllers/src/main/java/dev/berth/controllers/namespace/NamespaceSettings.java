package dev.berth.controllers.namespace;

import java.time.Duration;

/**
 * How namespaces come to their end.
 *
 * @param settling how long a namespace has been being deleted when it is emptied for the last time,
 *     so that what was being created when that began is there by then ({@code 5s} upstream, before
 *     it is emptied for the first time)
 * @param atOnce how many namespaces are emptied together ({@code --concurrent-namespace-syncs})
 */
public record NamespaceSettings(Duration settling, int atOnce) {
  public static final NamespaceSettings DEFAULT = new NamespaceSettings(Duration.ofSeconds(1), 10);
}
