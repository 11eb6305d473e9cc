package dev.berth.cli;

import dev.berth.client.LeaderElected;
import dev.berth.client.LeaderElection;

/** Says who leads, and ends the process when that is no longer this one. */
final class Leadership implements LeaderElected.Observer {
  private final LeaderElection.Config config;
  private final Console console;

  Leadership(LeaderElection.Config config, Console console) {
    this.config = config;
    this.console = console;
  }

  @Override
  public void leads() {
    console.out().println("Leads, by the lease " + config.lease() + ".");
  }

  /** What is under way was decided by a leader; a process that ends can decide nothing more. */
  @Override
  public void lost() {
    console.err().println("berth: The lease " + config.lease() + " is no longer ours; stopping.");
    Runtime.getRuntime().halt(Main.FAILED);
  }

  @Override
  public void observed(String leader) {
    if (!leader.isEmpty() && !leader.equals(config.identity())) {
      console.out().println("Waits, since " + leader + " leads.");
    }
  }
}
