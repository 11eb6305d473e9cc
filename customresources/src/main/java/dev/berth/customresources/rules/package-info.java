/** The rules of schemas in CEL: compiled, costed, and checked against objects. */
@NullMarked
package dev.berth.customresources.rules;

import org.jspecify.annotations.NullMarked;
