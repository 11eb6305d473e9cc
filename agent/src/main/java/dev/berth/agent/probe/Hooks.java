package dev.berth.agent.probe;

import dev.berth.model.tree.JsonObject;
import dev.berth.time.Loop;
import java.time.Duration;
import java.util.Optional;
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
   * @param then gets why it failed; empty if it did not
   */
  public void run(JsonObject hook, ContainerTarget target, Consumer<Optional<String>> then) {
    if (hook.has("sleep")) {
      long seconds = hook.object("sleep").integer("seconds").orElse(0);
      loop.after(Duration.ofSeconds(seconds), () -> then.accept(Optional.empty()));
    } else if (hook.has("exec") || hook.has("httpGet")) {
      actions.run(hook, target, Manner.hook(), outcome -> then.accept(ifNotDone(outcome)));
    } else {
      then.accept(Optional.of("invalid handler: " + hook));
    }
  }

  private static Optional<String> ifNotDone(Outcome outcome) {
    return outcome.kind() == Outcome.Kind.SUCCESS
        ? Optional.empty()
        : Optional.of(outcome.output());
  }
}
