/** How much thousands of nodes cost that come, live and die. */
@NullMarked
package dev.berth.bench.nodes;

import org.jspecify.annotations.NullMarked;
