package dev.berth.scheduler;

import dev.berth.client.Api;
import dev.berth.client.LoggedApi;
import dev.berth.client.Resources;
import dev.berth.client.informer.InformerSet;
import dev.berth.client.informer.Informers;
import dev.berth.metrics.Metrics;
import dev.berth.scheduler.cluster.Cluster;
import dev.berth.scheduler.preemption.Budgets;
import dev.berth.scheduler.profile.Profiles;
import dev.berth.scheduler.profile.SchedulerConfiguration;
import dev.berth.scheduler.queue.QueueSettings;
import dev.berth.scheduler.queue.QueuedPod;
import dev.berth.scheduler.queue.QueueingHints;
import dev.berth.scheduler.queue.SchedulingQueue;
import dev.berth.time.Loop;
import dev.berth.time.Time;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A scheduler: hears of pods and nodes from an API server, and gives nodes to pods that have none.
 *
 * <p>One loop owns everything it knows. What it hears comes as tasks of that loop, in batches; so
 * do its turns, in each of which it tries some pods. Requests run beside the loop. Nothing that it
 * knows is durable: a new one lists again and goes on.
 */
public final class Scheduler implements AutoCloseable {
  private static final String NAME = "scheduler";
  private static final Logger LOG = LoggerFactory.getLogger(NAME);

  /** Pods tried in one task of the loop, so that news is heard in between. */
  private static final int TURN = 64;

  /** Bindings that may be under way; beyond that, deciding would run ahead of what is known. */
  private static final int MOST_BINDINGS = 1_024;

  private final Time time;
  private final Loop loop;
  private final SchedulerState state;
  private final SchedulerMetrics metrics;
  private final PodWriter writer;
  private final SchedulingAttempts attempts;
  private final InformerSet informers;
  private boolean leads;
  private boolean turnIsComing;
  private Loop.@Nullable Timer alarm;

  /**
   * What to make a scheduler of.
   *
   * @param api the server, as somebody who may schedule sees it
   * @param instance tells it from others, in its events; the name of its machine, say
   */
  public record Parts(
      Api api, Time time, Metrics metrics, SchedulerConfiguration configuration, String instance) {

    /**
     * The same, of a leader.
     *
     * @param leader makes of an API the one by which a leader writes
     */
    public Parts as(UnaryOperator<Api> leader) {
      return new Parts(leader.apply(api), time, metrics, configuration, instance);
    }
  }

  private Scheduler(Parts parts) {
    time = parts.time();
    loop = time.start(NAME);
    Api api = new LoggedApi(parts.api(), NAME);
    SchedulerConfiguration configuration = parts.configuration();
    Profiles profiles = Profiles.make(configuration);
    Cluster cluster = new Cluster();
    QueueingHints hints = new QueueingHints(profiles::find, cluster);
    QueueSettings waiting =
        QueueSettings.DEFAULT.withBackoff(
            configuration.initialBackoff(), configuration.maxBackoff());
    SchedulingQueue queue = new SchedulingQueue(waiting, hints);
    NominationChanges nominations = new NominationChanges(time, cluster.nominations(), queue);
    state =
        new SchedulerState(
            cluster, new Placements(cluster), nominations, queue, profiles, new Budgets());
    metrics = new SchedulerMetrics(parts.metrics());
    writer = new PodWriter(api, loop, time);
    SchedulerEvents events =
        new SchedulerEvents(api, loop, time, profiles.schedulerNames(), parts.instance());
    DeviceBinding devices = new DeviceBinding(api, loop, time, cluster, events);
    attempts =
        new SchedulingAttempts(loop, time, state, writer, events, metrics, devices, this::wake);
    informers = new InformerSet(Informers.separate(api, time), loop, this::wake, LOG);
    new ClusterChanges(
            time,
            state,
            () -> {
              attempts.claimsChanged();
              wake();
            })
        .subscribe(informers);
    PodChanges pods = new PodChanges(time, state, writer);
    informers.on(
        Resources.PODS,
        (before, after) -> {
          pods.changed(before, after);
          wake();
        });
  }

  /** Begins to hear of the cluster; places no pod before {@link #lead}. */
  public static Scheduler start(Parts parts) {
    Scheduler scheduler = new Scheduler(parts);
    scheduler.informers.start();
    return scheduler;
  }

  /** The loop, for whoever elects a leader on it. */
  public Loop loop() {
    return loop;
  }

  /** What it knows. To be asked on the thread of virtual time alone. */
  public KnownCluster known() {
    return KnownCluster.of(state);
  }

  /** Places pods from now on. May be called by any thread. */
  public void lead() {
    loop.after(
        Duration.ZERO,
        () -> {
          leads = true;
          LOG.info("started scheduling");
          wake();
        });
  }

  /** Has a turn come, unless one is coming. */
  private void wake() {
    if (!turnIsComing && leads && informers.isSynced()) {
      turnIsComing = true;
      loop.after(Duration.ZERO, this::turn);
    }
  }

  private void turn() {
    turnIsComing = false;
    int tried = 0;
    while (tried < TURN && writer.bindingsUnderWay() < MOST_BINDINGS) {
      QueuedPod next = state.queue().pop(time.monotonicNow());
      if (next == null) {
        break;
      }
      attempts.attempt(next);
      tried++;
    }
    metrics.queue(state.queue().sizes());
    if (tried == TURN) {
      wake();
    } else {
      setAlarm();
    }
  }

  /** Wakes up when a pod's back-off is over. */
  private void setAlarm() {
    if (alarm != null) {
      alarm.cancel();
      alarm = null;
    }
    Optional<Instant> due = state.queue().nextDue();
    due.ifPresent(
        instant -> alarm = loop.after(Duration.between(time.monotonicNow(), instant), this::wake));
  }

  @Override
  public void close() {
    informers.close();
    loop.close();
  }
}
