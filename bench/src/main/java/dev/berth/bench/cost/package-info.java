/** What single things cost the server, counted and by stage. */
@NullMarked
package dev.berth.bench.cost;

import org.jspecify.annotations.NullMarked;
