package dev.berth.controllers.reconcile;

/**
 * How a controller is called, and how much it does at once.
 *
 * @param kind what it reconciles
 * @param name its own name, for its loop, its log and its events: {@code deployment-controller}
 * @param queue its work queue's name in metrics: {@code deployment}
 * @param reconciliations how many objects are reconciled at once
 * @param requests how many requests are made at once, and again as many that write statuses: those
 *     are not to wait behind all the pods of other objects
 */
public record ReconcilerSettings(
    ObjectKind kind, String name, String queue, int reconciliations, int requests) {}
