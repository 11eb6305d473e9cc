/** The resources that definitions define. */
@NullMarked
package dev.berth.customresources.instance;

import org.jspecify.annotations.NullMarked;
