package dev.berth.serving.audit;

/** Where requests are recorded, and what of which of them. */
public record AuditConfig(AuditWriter writer, AuditPolicy policy) {}
