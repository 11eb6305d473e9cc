package dev.berth.agent.probe;

import dev.berth.model.tree.JsonObject;
import java.time.Instant;

/**
 * A container that runs, as probes and hooks reach it.
 *
 * @param pod as its source shows it
 * @param container its specification
 * @param id as the runtime knows it
 * @param address the pod's; empty if it has none
 */
public record ContainerTarget(
    JsonObject pod, JsonObject container, String id, String address, Instant started) {}
