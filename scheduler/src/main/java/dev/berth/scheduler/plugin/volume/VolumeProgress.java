package dev.berth.scheduler.plugin.volume;

/** How far what a plan asked for has come. */
public sealed interface VolumeProgress {

  /** All claims are bound: the pod can be bound too. */
  record Done() implements VolumeProgress {}

  /** Some claims are not bound yet. */
  record Waiting() implements VolumeProgress {}

  /** It will not be: the pod is to be placed anew, and the plan to be given back. */
  record Failed(String message) implements VolumeProgress {}
}
