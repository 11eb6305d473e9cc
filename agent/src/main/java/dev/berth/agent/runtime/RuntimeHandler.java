package dev.berth.agent.runtime;

/**
 * A way in which a runtime runs pods, which a RuntimeClass names.
 *
 * @param name empty for the usual one
 */
public record RuntimeHandler(
    String name, boolean hasRecursiveReadOnlyMounts, boolean hasUserNamespaces) {}
