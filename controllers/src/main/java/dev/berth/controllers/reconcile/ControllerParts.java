package dev.berth.controllers.reconcile;

import dev.berth.client.Api;
import dev.berth.client.informer.Informers;
import dev.berth.metrics.Metrics;
import dev.berth.time.Time;
import java.util.function.Consumer;

/**
 * What every controller is made of, beside its settings.
 *
 * @param api the server, as somebody who may do the controller's work sees it
 * @param informers how it hears of objects
 * @param warnings gets sentences for the operator
 */
public record ControllerParts(
    Api api, Informers informers, Time time, Metrics metrics, Consumer<String> warnings) {

  /** For a controller that shares with nobody. */
  public ControllerParts(Api api, Time time, Metrics metrics, Consumer<String> warnings) {
    this(api, Informers.separate(api, time), time, metrics, warnings);
  }
}
