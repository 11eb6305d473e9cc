package dev.berth.agent.runtime;

import java.util.List;

/** A command to run in a container. */
public record ExecSpec(List<String> command, boolean stdin, boolean tty) {}
