package dev.berth.agent.server;

import dev.berth.agent.node.NodeState;
import dev.berth.agent.pod.RunningPods;
import dev.berth.agent.runtime.ContainerRuntime;
import dev.berth.client.Api;
import dev.berth.metrics.Metrics;
import dev.berth.time.Time;

/**
 * What the node's port serves, and whom it asks about its clients.
 *
 * @param api the API server as this node sees it
 * @param metrics what the agent counts
 * @param documents what else it shows
 */
public record NodeParts(
    Time time,
    Api api,
    NodeState node,
    RunningPods pods,
    ContainerRuntime runtime,
    Metrics metrics,
    NodeDocuments documents) {}
