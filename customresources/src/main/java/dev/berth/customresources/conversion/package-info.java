/** Objects of one version of a custom resource in another. */
@NullMarked
package dev.berth.customresources.conversion;

import org.jspecify.annotations.NullMarked;
