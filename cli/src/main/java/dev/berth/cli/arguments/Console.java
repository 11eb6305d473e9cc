package dev.berth.cli.arguments;

import java.io.PrintWriter;

/** Where a command writes: results to one, what went wrong to the other. */
public record Console(PrintWriter out, PrintWriter err) {}
