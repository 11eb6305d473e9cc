package dev.berth.admission.policy;

/** A policy whose expressions are compiled. */
interface CompiledPolicy {
  PolicyHead head();
}
