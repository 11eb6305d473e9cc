package dev.berth.component;

import dev.berth.time.Time;

/**
 * What belongs to one start of a component: the loops that it starts on its time, and the
 * components that it runs. All of it ends when the component ends or fails; what is run or started
 * after that ends at once.
 */
public interface ComponentScope extends Components {

  /** A time whose loops are the component's own: if one of them fails, the component has failed. */
  Time time();

  /**
   * Ends the component and all that it runs, and has it started afresh as after a failure, for a
   * reason that is no bug. May be called by any thread; the loops of those that it runs begin no
   * further task when this returns.
   */
  void restart(String why);

  /**
   * Has the component fail because of a bug, as if one of its loops had: for what it runs on
   * threads that are no loops. May be called by any thread.
   */
  void fail(Throwable cause);
}
