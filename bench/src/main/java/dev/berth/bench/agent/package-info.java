/** What real pods on real nodes cost. */
@NullMarked
package dev.berth.bench.agent;

import org.jspecify.annotations.NullMarked;
