package dev.berth.scheduler.plugin.volume;

/** How far what a plan asked for has come. */
public sealed interface VolumeProgress {

  /** All claims are bound: the pod can be bound too. */
  record Done() implements VolumeProgress {}

  /** Some claims are not bound yet. */
  record Waiting() implements VolumeProgress {}

  /** They will not be: the plan is to be given up, and the pod scheduled anew. */
  record Failed(String message) implements VolumeProgress {}
}
