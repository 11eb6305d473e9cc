package dev.berth.model.core;

/** A port of a container that services may refer to by its name. */
public record NamedPort(String name, String protocol, long port) {}
