package dev.berth.controllers.nodedrain;

import dev.berth.client.ApiResult;
import dev.berth.client.ListRequest;
import dev.berth.client.informer.Cache;
import dev.berth.client.informer.Informers;
import dev.berth.controllers.reconcile.Controller;
import dev.berth.controllers.reconcile.ControllerParts;
import dev.berth.model.meta.Conditions;
import dev.berth.model.tree.JsonObject;
import dev.berth.time.Loop;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Runs a controller of a custom resource while the resource is defined. Where it is not, this costs
 * a watch of one object that is not there.
 */
final class WhileDefined implements Controller {
  private final Loop loop;
  private final ControllerParts parts;
  private final Supplier<Controller> start;
  private Informers.@Nullable Following definition;

  /** Volatile: a component that failed is closed by another thread. */
  private volatile @Nullable Controller running;

  private volatile boolean closed;
  private boolean warned;

  private WhileDefined(ControllerParts parts, Supplier<Controller> start) {
    this.parts = parts;
    this.start = start;
    this.loop = parts.time().start("nodedrain-definition");
  }

  static Controller run(ControllerParts parts, Supplier<Controller> start) {
    WhileDefined controller = new WhileDefined(parts, start);
    controller.definition =
        parts
            .informers()
            .follow(
                ListRequest.of(NodeDrainDefinition.DEFINITIONS)
                    .fields("metadata.name=" + NodeDrainDefinition.NAME.name()),
                controller.loop,
                controller.new Listener());
    return controller;
  }

  private void become(boolean established) {
    Controller current = running;
    if (established && current == null) {
      Controller started = start.get();
      running = started;
      if (closed) {
        // Meanwhile, by somebody who did not see this one.
        started.close();
      }
    } else if (!established && current != null) {
      running = null;
      current.close();
    }
  }

  private final class Listener implements Cache.Listener {
    @Override
    public void added(JsonObject object) {
      become(Conditions.isTrue(object.object("status").array("conditions"), "Established"));
    }

    @Override
    public void changed(JsonObject before, JsonObject after) {
      added(after);
    }

    @Override
    public void removed(JsonObject last) {
      become(false);
    }

    @Override
    public void failed(ApiResult.Failure why) {
      if (!warned) {
        warned = true;
        parts
            .warnings()
            .accept(
                "cannot see whether %s is defined, and tries again: %s"
                    .formatted(NodeDrainDefinition.NAME.name(), why.message()));
      }
    }
  }

  @Override
  public void close() {
    closed = true;
    if (definition != null) {
      definition.close();
    }
    loop.close();
    Controller last = running;
    if (last != null) {
      last.close();
    }
  }
}
