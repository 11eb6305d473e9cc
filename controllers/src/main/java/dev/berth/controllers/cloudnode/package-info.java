/** Describes nodes as their cloud knows them, and lets pods on them then. */
@NullMarked
package dev.berth.controllers.cloudnode;

import org.jspecify.annotations.NullMarked;
