/** The commands that work on the cluster's data. */
@NullMarked
package dev.berth.cli.data;

import org.jspecify.annotations.NullMarked;
