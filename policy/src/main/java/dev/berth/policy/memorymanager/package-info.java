/** From which NUMA nodes containers have their memory (N12). */
@NullMarked
package dev.berth.policy.memorymanager;

import org.jspecify.annotations.NullMarked;
