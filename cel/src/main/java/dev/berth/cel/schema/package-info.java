/** Types of expressions' variables from OpenAPI schemas, and how large their values can be. */
@NullMarked
package dev.berth.cel.schema;

import org.jspecify.annotations.NullMarked;
