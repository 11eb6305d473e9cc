package dev.berth.cli;

import dev.berth.client.Api;
import dev.berth.client.LeaderElection;
import dev.berth.model.resource.ObjectName;
import dev.berth.scheduler.Scheduler;
import dev.berth.scheduler.profile.LeaderElectionSettings;
import dev.berth.time.Loop;
import dev.berth.time.Time;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Lets a scheduler begin when it leads, and ends the process when it no longer does. */
final class Leadership implements LeaderElection.Listener {
  private static final Duration PATIENCE = Duration.ofSeconds(2);

  private final LeaderElectionSettings settings;
  private final String identity;
  private final Console console;
  private final ObjectName lease;
  private Runnable begin = () -> {};
  private volatile boolean ending;

  Leadership(LeaderElectionSettings settings, String identity, Console console) {
    this.settings = settings;
    this.identity = identity;
    this.console = console;
    this.lease = new ObjectName(settings.resourceNamespace(), settings.resourceName());
  }

  /** Runs for leader, on the scheduler's loop. */
  LeaderElection run(Api api, Time time, Scheduler scheduler) {
    begin = scheduler::lead;
    LeaderElection.Config config =
        new LeaderElection.Config(
            lease,
            identity,
            settings.leaseDuration(),
            settings.renewDeadline(),
            settings.retryPeriod());
    LeaderElection election = new LeaderElection(api, scheduler.loop(), time, config, this);
    election.start();
    return election;
  }

  /** Begins to give the lease back, so that whoever comes next need not wait for its end. */
  void giveBack(LeaderElection election, Loop loop) {
    ending = true;
    CountDownLatch begun = new CountDownLatch(1);
    loop.after(
        Duration.ZERO,
        () -> {
          election.close();
          begun.countDown();
        });
    try {
      var _ = begun.await(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void started() {
    console.out().println("Leads, by the lease " + lease + ".");
    begin.run();
  }

  /** What is under way was decided by a leader; a process that ends can decide nothing more. */
  @Override
  public void stopped() {
    if (ending) {
      return;
    }
    console.err().println("berth: The lease " + lease + " is no longer ours; stopping.");
    Runtime.getRuntime().halt(Main.FAILED);
  }

  @Override
  public void observed(String leader) {
    if (!leader.equals(identity)) {
      console.out().println("Waits, since " + leader + " leads.");
    }
  }
}
