package dev.berth.apiserver.rest;

import dev.berth.apiserver.health.Health;
import dev.berth.apiserver.observe.Observers;
import dev.berth.metrics.Metrics;

/** What is shown of the server itself, and who watches its requests. */
public record Instruments(Observers observers, Health health, Metrics metrics) {}
