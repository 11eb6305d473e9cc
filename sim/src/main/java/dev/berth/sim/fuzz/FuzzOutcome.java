package dev.berth.sim.fuzz;

import java.time.Duration;
import java.util.Optional;

/**
 * What came of a history.
 *
 * @param failure empty if everything held
 * @param simulated how much time passed in it
 * @param writes how many writes of the store were looked at
 * @param digest of all of them and when they were: equal histories have equal ones
 */
public record FuzzOutcome(
    Optional<FuzzFailure> failure, Duration simulated, long writes, long digest) {}
