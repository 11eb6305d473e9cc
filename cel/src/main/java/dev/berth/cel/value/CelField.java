package dev.berth.cel.value;

/**
 * A field of a struct type.
 *
 * @param property its name in the tree, which may not be one that an expression can write
 */
public record CelField(String property, CelType type) {}
