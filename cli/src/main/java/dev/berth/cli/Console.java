package dev.berth.cli;

import java.io.PrintWriter;

/** Where a command writes: results to one, what went wrong to the other. */
record Console(PrintWriter out, PrintWriter err) {}
