package dev.berth.policy.cpumanager;

import dev.berth.policy.podrun.AdmissionRejection;

/** What came of giving a container processors of its own. */
public sealed interface CpuAllocation {

  /** It shares those that nobody has. */
  record Shared() implements CpuAllocation {}

  /** It has them from before. */
  record Kept(CpuSet cpus) implements CpuAllocation {}

  /** It has them now. */
  record Given(CpuSet cpus, CpuAssignments assignments) implements CpuAllocation {}

  record Refused(AdmissionRejection rejection) implements CpuAllocation {}
}
