package dev.berth.agent.runtime;

/**
 * A file or directory of the machine at a place in a container.
 *
 * @param isRecursivelyReadOnly whether what is mounted within it is read-only, too
 * @param propagation {@code None}, {@code HostToContainer} or {@code Bidirectional}
 */
public record Mount(
    String hostPath,
    String containerPath,
    boolean isReadOnly,
    boolean isRecursivelyReadOnly,
    String propagation) {}
