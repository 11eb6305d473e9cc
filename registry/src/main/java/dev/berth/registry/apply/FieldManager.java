package dev.berth.registry.apply;

/**
 * Who writes an object.
 *
 * @param name by which the client calls itself, such as {@code kubectl}
 * @param apiVersion in which the object is written, such as {@code apps/v1}
 * @param subresource through which it is written, such as {@code status}; empty for the object
 *     itself
 */
public record FieldManager(String name, String apiVersion, String subresource) {}
