package dev.berth.agent.runtime;

import java.util.List;
import java.util.OptionalLong;
import java.util.Set;

/**
 * What the processes of a container are and may do.
 *
 * @param user its number; empty for the image's own
 * @param userName of the image, to be looked up there; empty if a number or nothing is given
 * @param group its number; empty for that of the user, else 0
 * @param groups supplemental ones, those of volumes included
 * @param mustNotBeRoot whether it is refused to start it with user 0
 * @param capabilities added to the usual ones, without {@code CAP_}; {@code ALL} for all
 * @param droppedCapabilities taken from the usual ones, likewise
 * @param seccomp {@code RuntimeDefault}, {@code Unconfined}, or the path of a profile
 * @param unmaskedProc whether all of /proc is visible and can be written to
 * @param appArmor {@code RuntimeDefault}, {@code Unconfined}, the name of a profile that is loaded,
 *     or empty for what the runtime likes
 * @param ignoresImageGroups whether it has no groups that the image's /etc/group gives its user
 */
public record Security(
    OptionalLong user,
    String userName,
    OptionalLong group,
    List<Long> groups,
    boolean mustNotBeRoot,
    boolean isPrivileged,
    boolean mayGainPrivileges,
    boolean hasReadOnlyRoot,
    Set<String> capabilities,
    Set<String> droppedCapabilities,
    String seccomp,
    boolean unmaskedProc,
    String appArmor,
    boolean ignoresImageGroups) {}
