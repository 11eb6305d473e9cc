package dev.berth.controllers.replicaset;

import dev.berth.controllers.owned.KnownObjects;
import dev.berth.controllers.owned.OwnedObjects;
import dev.berth.time.Time;

/** What was heard of sets and their pods. */
record Heard(KnownObjects sets, OwnedObjects pods, Siblings siblings) {
  static Heard nothing(Time time) {
    return new Heard(new KnownObjects(), new OwnedObjects(time), new Siblings());
  }
}
