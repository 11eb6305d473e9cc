package dev.berth.serving.rest;

import dev.berth.metrics.Metrics;
import dev.berth.serving.health.Health;
import dev.berth.serving.observe.Observers;

/** What is shown of the server itself, and who watches its requests. */
public record Instruments(Observers observers, Health health, Metrics metrics) {}
