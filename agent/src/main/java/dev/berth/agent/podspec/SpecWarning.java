package dev.berth.agent.podspec;

/** Something that a pod asks for and does not quite get; what its event says. */
public record SpecWarning(String reason, String message) {}
