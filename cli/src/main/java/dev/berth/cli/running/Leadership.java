package dev.berth.cli.running;

import dev.berth.cli.arguments.ExitCode;
import dev.berth.client.Api;
import dev.berth.client.LeaderElection;
import dev.berth.time.Loop;
import dev.berth.time.Time;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Lets a component begin when it leads, and ends the process when it no longer does. */
public final class Leadership implements LeaderElection.Listener {
  private static final Logger LOG = LoggerFactory.getLogger("leader-election");

  private static final Duration PATIENCE = Duration.ofSeconds(2);

  private final LeaderElection.Config config;
  private final ProcessLog log;
  private final Runnable begin;
  private volatile boolean ending;

  /**
   * @param begin run on the loop of the election, once
   */
  public Leadership(LeaderElection.Config config, ProcessLog log, Runnable begin) {
    this.config = config;
    this.log = log;
    this.begin = begin;
  }

  /** Runs for leader, on a loop. */
  public LeaderElection run(Api api, Time time, Loop loop) {
    LeaderElection election = new LeaderElection(api, loop, time, config, this);
    election.start();
    return election;
  }

  /** Begins to give the lease back, so that whoever comes next need not wait for its end. */
  public void giveBack(LeaderElection election, Loop loop) {
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
    begin.run();
  }

  /** What is under way was decided by a leader; a process that ends can decide nothing more. */
  @Override
  public void stopped() {
    if (ending) {
      return;
    }
    LOG.error("stopping, so that whoever leads next is the only one");
    log.close();
    Runtime.getRuntime().halt(ExitCode.FAILED);
  }
}
