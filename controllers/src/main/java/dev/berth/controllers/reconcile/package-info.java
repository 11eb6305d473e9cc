/**
 * What all controllers are made of: one frame that reconciles, and what it stands on.
 *
 * <p>A controller is three things, which its {@link dev.berth.controllers.reconcile.Reconciler}
 * says: how a typed snapshot is read, what {@code policy} decides on it, and how each of the sealed
 * actions is carried out. The rest is the {@link
 * dev.berth.controllers.reconcile.ReconcilerFrame}'s:
 *
 * <pre>
 *   lists and watches ─▶ objects, and what they own ─▶ WorkQueue ─▶ adopt and release, if need be
 *                                                          ▲              │
 *                                                          │              ▼
 *                         again after actions, at a time,  │   snapshot ─▶ Decision of policy
 *                         after a while if one failed      │              │
 *                                                          │              ▼
 *                                                          └── actions ─▶ status ─▶ actions after it
 * </pre>
 *
 * <p>A new controller, in the order in which it is written:
 *
 * <ol>
 *   <li>in {@code policy}: a record that is the snapshot, a sealed type of {@link
 *       dev.berth.policy.reconcile.Action}s, and a record that is the {@link
 *       dev.berth.policy.reconcile.Decision}, with a static {@code decide(snapshot, now)};
 *   <li>here: a class with {@code snapshot}, {@code decide} and {@code apply}, and {@code
 *       start(ControllerParts)}, which makes a frame, says what it {@code owns} and {@code
 *       watches}, and starts it. {@code DeploymentController} is an example without anything else;
 *   <li>if it owns objects in a way of its own, {@link
 *       dev.berth.controllers.reconcile.OwnershipRules}: which changes of them concern the owner,
 *       and how soon. {@code ReplicaSetController} and {@code JobController} have some.
 * </ol>
 *
 * <p>What an action asks of the server goes through the {@link
 * dev.berth.controllers.reconcile.Reconciliation}, so that the next step waits for it, what was
 * written counts before it is heard of, and failures are tried again.
 */
@NullMarked
package dev.berth.controllers.reconcile;

import org.jspecify.annotations.NullMarked;
