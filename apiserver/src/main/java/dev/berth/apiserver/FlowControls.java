package dev.berth.apiserver;

import dev.berth.component.Components;
import dev.berth.http.Response;
import dev.berth.metrics.Metrics;
import dev.berth.registry.Registry;
import dev.berth.serving.flowcontrol.FlowConfiguration;
import dev.berth.serving.flowcontrol.FlowControl;
import dev.berth.serving.flowcontrol.FlowControlSettings;
import dev.berth.serving.flowcontrol.MaxInFlight;
import dev.berth.serving.flowcontrol.PriorityAndFairness;
import dev.berth.serving.rest.DebugPages;
import java.util.Optional;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/** The flow control of a server, put together as its settings say. */
final class FlowControls implements AutoCloseable {
  private static final String LEVELS_PAGE = "/debug/api_priority_and_fairness/dump_priority_levels";

  private final FlowControl flow;
  private final @Nullable PriorityAndFairness fair;

  private FlowControls(FlowControl flow, @Nullable PriorityAndFairness fair) {
    this.flow = flow;
    this.fair = fair;
  }

  /**
   * Makes what every cluster has of it, and begins.
   *
   * @param settings empty where nobody comes from outside, and so nobody has to wait
   * @param writers run the first writes, at once or one after the other
   */
  static FlowControls begin(
      Optional<FlowControlSettings> settings,
      Registry registry,
      Metrics metrics,
      Components components,
      Executor writers) {
    if (settings.isEmpty()) {
      return new FlowControls(FlowControl.NONE, null);
    }
    FlowControlObjects objects = new FlowControlObjects(registry);
    var _ = objects.ensure(writers);
    components.run("flow-control-objects", scope -> objects.keep(scope.time()));
    if (!settings.get().priorityAndFairness()) {
      return new FlowControls(new MaxInFlight(settings.get()), null);
    }
    PriorityAndFairness fair = new PriorityAndFairness(settings.get(), registry, metrics);
    components.run(
        "flow-control",
        scope -> {
          FlowConfiguration configuration = new FlowConfiguration(fair, registry, scope.time());
          configuration.start();
          return configuration;
        });
    return new FlowControls(fair, fair);
  }

  FlowControl flow() {
    return flow;
  }

  /** The pages that say how it is. */
  DebugPages pages() {
    PriorityAndFairness shown = fair;
    return (path, _) ->
        shown != null && path.equals(LEVELS_PAGE)
            ? Optional.of(Response.of(200, "text/plain; charset=utf-8", shown.dumpPriorityLevels()))
            : Optional.empty();
  }

  @Override
  public void close() {
    if (fair != null) {
      fair.close();
    }
  }
}
