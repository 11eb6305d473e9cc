/** Services on a node. */
@NullMarked
package dev.berth.bench.services;

import org.jspecify.annotations.NullMarked;
