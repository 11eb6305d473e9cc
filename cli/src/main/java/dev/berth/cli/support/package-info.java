/** The command that collects what one needs to find out what is wrong with a cluster. */
@NullMarked
package dev.berth.cli.support;

import org.jspecify.annotations.NullMarked;
