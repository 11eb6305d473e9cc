/** What is wrong with an object, field by field. */
@NullMarked
package dev.berth.model.validation;

import org.jspecify.annotations.NullMarked;
