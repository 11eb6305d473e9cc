/** What structural schemas do to values: pruning, defaulting, validation. */
@NullMarked
package dev.berth.customresources.schema;

import org.jspecify.annotations.NullMarked;
