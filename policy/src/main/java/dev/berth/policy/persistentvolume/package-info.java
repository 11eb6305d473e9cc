/** Which claims get which volumes, what becomes of volumes afterwards, and who still uses them. */
@NullMarked
package dev.berth.policy.persistentvolume;

import org.jspecify.annotations.NullMarked;
