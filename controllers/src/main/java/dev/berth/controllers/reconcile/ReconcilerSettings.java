package dev.berth.controllers.reconcile;

import java.time.Duration;

/**
 * How a controller is called, and how much it does at once.
 *
 * @param kind what it reconciles
 * @param name its own name, for its loop, its log and its events: {@code deployment-controller}
 * @param queue its work queue's name in metrics: {@code deployment}
 * @param reconciliations how many objects are reconciled at once
 * @param requests how many requests are made at once, and again as many that write statuses: those
 *     are not to wait behind all the pods of other objects
 * @param betweenStatuses how long after a status the next one of the same object is written, so
 *     that one of many pods is not written for each of them
 */
public record ReconcilerSettings(
    ObjectKind kind,
    String name,
    String queue,
    int reconciliations,
    int requests,
    Duration betweenStatuses) {

  /** For objects whose status is written whenever it changes. */
  public ReconcilerSettings(
      ObjectKind kind, String name, String queue, int reconciliations, int requests) {
    this(kind, name, queue, reconciliations, requests, Duration.ZERO);
  }
}
