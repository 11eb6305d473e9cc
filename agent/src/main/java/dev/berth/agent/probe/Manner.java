package dev.berth.agent.probe;

import java.time.Duration;

/**
 * How a container is asked.
 *
 * @param agent who asks, as HTTP servers see it
 * @param timeout zero for as long as it takes
 * @param anyAnswerWillDo whether a server may answer anything, as hooks tell something and ask
 *     nothing
 */
record Manner(String agent, Duration timeout, boolean anyAnswerWillDo) {
  private static final String VERSION = "1.36";

  static Manner probe(Duration timeout) {
    return new Manner("kube-probe/" + VERSION, timeout, false);
  }

  static Manner hook() {
    return new Manner("kube-lifecycle/" + VERSION, Duration.ZERO, true);
  }
}
