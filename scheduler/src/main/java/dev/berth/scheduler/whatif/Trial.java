package dev.berth.scheduler.whatif;

import dev.berth.model.tree.JsonObject;
import java.util.ArrayList;
import java.util.List;

/** Changes of a what-if cluster that are undone when it is closed. Trials may be nested. */
public final class Trial implements AutoCloseable {
  private final WhatIfScheduler scheduler;
  private final List<Runnable> undo = new ArrayList<>();

  Trial(WhatIfScheduler scheduler) {
    this.scheduler = scheduler;
  }

  /** Adds an object, or a new revision of it. */
  public void put(String resource, JsonObject object) {
    JsonObject before = scheduler.find(resource, object);
    scheduler.put(resource, object);
    undo.add(() -> {
      if (before == null) {
        scheduler.remove(resource, object);
      } else {
        scheduler.put(resource, before);
      }
    });
  }

  public void remove(String resource, JsonObject object) {
    JsonObject before = scheduler.find(resource, object);
    if (before != null) {
      scheduler.remove(resource, before);
      undo.add(() -> scheduler.put(resource, before));
    }
  }

  @Override
  public void close() {
    undo.reversed().forEach(Runnable::run);
    undo.clear();
  }
}
