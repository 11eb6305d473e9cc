/** Certificate signing requests. */
@NullMarked
package dev.berth.model.certificates;

import org.jspecify.annotations.NullMarked;
