/** The provider of SLF4J that writes what Berth and its libraries log. */
@NullMarked
package dev.berth.log;

import org.jspecify.annotations.NullMarked;
