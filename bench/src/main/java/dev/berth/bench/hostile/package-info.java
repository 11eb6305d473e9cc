/** What requests cost that are made to cost much. */
@NullMarked
package dev.berth.bench.hostile;

import org.jspecify.annotations.NullMarked;
