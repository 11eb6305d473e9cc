package dev.berth.registry.apply;

/**
 * Who writes an object.
 *
 * @param name as the client calls itself, {@code kubectl}
 * @param apiVersion of the object as it is written, {@code apps/v1}
 * @param subresource that it is written through, {@code status}; empty for the object itself
 */
public record FieldManager(String name, String apiVersion, String subresource) {}
