/** What the registry asks before it writes: the contract of admission plugins. */
@NullMarked
package dev.berth.registry.admission;

import org.jspecify.annotations.NullMarked;
