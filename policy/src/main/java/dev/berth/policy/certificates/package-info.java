/** Which certificate signing requests are approved, signed and deleted. */
@NullMarked
package dev.berth.policy.certificates;

import org.jspecify.annotations.NullMarked;
