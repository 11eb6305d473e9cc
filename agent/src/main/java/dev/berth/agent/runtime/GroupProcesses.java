package dev.berth.agent.runtime;

import java.util.OptionalLong;

/**
 * The processes of a cgroup.
 *
 * @param threadLimit how many threads there may be; empty if that is not limited
 * @param descriptors how many files they have open, sockets among them
 * @param fileLimit how many its first process may have open; empty if that is not limited
 */
public record GroupProcesses(
    long processes,
    long threads,
    OptionalLong threadLimit,
    long descriptors,
    long sockets,
    OptionalLong fileLimit) {}
