/** What nodes may do: a node reads what its pods need, and nothing that belongs to others. */
@NullMarked
package dev.berth.access.node;

import org.jspecify.annotations.NullMarked;
