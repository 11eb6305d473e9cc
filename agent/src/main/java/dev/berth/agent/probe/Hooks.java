package dev.berth.agent.probe;

import dev.berth.model.meta.Metadata;
import dev.berth.model.tree.JsonObject;
import dev.berth.time.Loop;
import java.time.Duration;
import java.util.function.Consumer;

/** Lifecycle hooks: what a container wants done after it started, and before it ends. */
public final class Hooks {
  private final Loop loop;
  private final Actions actions;

  Hooks(Loop loop, Actions actions) {
    this.loop = loop;
    this.actions = actions;
  }

  /**
   * Runs a hook, for as long as it takes.
   *
   * @param then gets what came of it
   */
  public void run(JsonObject hook, ContainerTarget target, Consumer<Outcome> then) {
    if (hook.has("sleep")) {
      long seconds = hook.object("sleep").integer("seconds").orElse(0);
      loop.after(Duration.ofSeconds(seconds), () -> then.accept(Outcome.success("")));
    } else if (hook.has("httpGet")) {
      actions.run(
          hook, target, Manner.hook(), outcome -> then.accept(named(hook, target, outcome)));
    } else if (hook.has("exec")) {
      actions.run(hook, target, Manner.hook(), then);
    } else {
      then.accept(Outcome.error("invalid handler: " + hook));
    }
  }

  private static Outcome named(JsonObject hook, ContainerTarget target, Outcome outcome) {
    if (!outcome.isFailed()) {
      return outcome;
    }
    Metadata pod = Metadata.of(target.pod());
    return new Outcome(
        outcome.kind(),
        "HTTP lifecycle hook (%s) for Container \"%s\" in Pod \"%s_%s(%s)\" failed - error: %s"
            .formatted(
                hook.object("httpGet").text("path", ""),
                target.container().text("name", ""),
                pod.name(),
                pod.namespace(),
                pod.uid(),
                outcome.output()));
  }
}
