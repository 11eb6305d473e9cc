package dev.berth.controllers.job;

import dev.berth.controllers.owned.KnownObjects;
import dev.berth.controllers.owned.OwnedObjects;

/** What was heard of jobs and their pods. */
record Heard(KnownObjects jobs, OwnedObjects pods) {}
