/** The kind CustomResourceDefinition: defaults, validation, conditions. */
@NullMarked
package dev.berth.customresources.definition;

import org.jspecify.annotations.NullMarked;
