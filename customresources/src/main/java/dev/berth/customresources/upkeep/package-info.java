/** What a server does about definitions by itself: names, conditions, clean-up. */
@NullMarked
package dev.berth.customresources.upkeep;

import org.jspecify.annotations.NullMarked;
