package dev.berth.cli.running;

import dev.berth.cli.arguments.ExitCode;
import dev.berth.client.leaderelection.LeaderElected;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Ends the process when it loses its leadership. */
public final class Leadership implements LeaderElected.Observer {
  private static final Logger LOG = LoggerFactory.getLogger("leader-election");

  private final ProcessLog log;

  public Leadership(ProcessLog log) {
    this.log = log;
  }

  /** What is under way was decided by a leader; a process that ends can decide nothing more. */
  @Override
  public void lost() {
    LOG.error("stopping, so that whoever leads next is the only one");
    log.close();
    Runtime.getRuntime().halt(ExitCode.FAILED);
  }
}
