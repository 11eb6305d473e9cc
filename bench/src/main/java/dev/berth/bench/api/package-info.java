/**
 * Measurements of a running Berth, from outside: the program as users start it, clients in other
 * processes.
 */
@NullMarked
package dev.berth.bench.api;

import org.jspecify.annotations.NullMarked;
