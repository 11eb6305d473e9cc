/** What fields the built-in types have, and how their values merge. */
@NullMarked
package dev.berth.model.schema;

import org.jspecify.annotations.NullMarked;
