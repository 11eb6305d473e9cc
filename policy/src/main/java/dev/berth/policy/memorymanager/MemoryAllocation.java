package dev.berth.policy.memorymanager;

import dev.berth.policy.podrun.AdmissionRejection;

/** What came of giving a container memory of some NUMA nodes. */
public sealed interface MemoryAllocation {

  /** It has memory from anywhere, or has what it was given before. */
  record Nothing() implements MemoryAllocation {}

  record Given(MemoryAssignments assignments) implements MemoryAllocation {}

  record Refused(AdmissionRejection rejection) implements MemoryAllocation {}
}
