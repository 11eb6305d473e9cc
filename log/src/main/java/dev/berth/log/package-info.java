/**
 * The log of every Berth process. Code writes to it through SLF4J; this module is what SLF4J and
 * the JDK find when they look for a place to log to.
 */
@NullMarked
package dev.berth.log;

import org.jspecify.annotations.NullMarked;
