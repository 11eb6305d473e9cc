package dev.berth.scheduler;

import dev.berth.scheduler.cluster.Cluster;
import dev.berth.scheduler.preemption.Budgets;
import dev.berth.scheduler.profile.Profiles;
import dev.berth.scheduler.queue.SchedulingQueue;

/** What a scheduler knows: all of it soft, and owned by its loop. */
record SchedulerState(
    Cluster cluster,
    Placements placements,
    NominationChanges nominations,
    SchedulingQueue queue,
    Profiles profiles,
    Budgets budgets) {}
