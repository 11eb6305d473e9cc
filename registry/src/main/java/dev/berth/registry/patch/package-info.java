/** The patch types of the API as pure operations on trees: JSON, merge and strategic merge. */
@NullMarked
package dev.berth.registry.patch;

import org.jspecify.annotations.NullMarked;
