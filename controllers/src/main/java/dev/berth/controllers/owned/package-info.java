/** What controllers of objects that own others have in common. */
@NullMarked
package dev.berth.controllers.owned;

import org.jspecify.annotations.NullMarked;
